// A COMMIT whose answer was lost is looked up by the name that its transaction gave itself.
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Holder } from '../shared-store.ts';
import { query, withConnection } from './connections.ts';
import { isLost } from './failures.ts';
import { selectCommitName } from './holders-sql.ts';

/** Milliseconds between two questions for the ending of a transaction. */
const BETWEEN_QUESTIONS = 250;

/** Whether the last changes were saved cannot be found out. */
export class UnknownEnding extends Error {
  constructor(reason: string) {
    super(
      `PostgreSQL cannot tell whether a commit happened (${reason}), so it is unknown whether the last changes were saved. Start again to find out; nothing that was acknowledged is lost.`,
    );
    this.name = 'UnknownEnding';
  }
}

/** A commit by the name that its transaction gave it. */
export interface NamedCommit {
  transaction: string;
  holder: Holder;
  scope: string;
  name: string;
}

export interface LookUpOptions {
  pool: Pool;
  /** Whether the store is being closed, so that an unknown ending is not waited for. */
  isClosing: () => boolean;
  /** Called again and again while it is unknown whether a commit happened, since the database is away. */
  whileUnknown: () => void;
}

/** Asks on other connections, until it is known. A process has one commit at a time in a scope, so that its name stays. */
export async function wasCommitted(
  unanswered: NamedCommit,
  { pool, isClosing, whileUnknown }: LookUpOptions,
): Promise<boolean> {
  const { transaction, holder, scope, name } = unanswered;
  for (;;) {
    const found = await withConnection(pool, async (client) => {
      const asked = query(client, 'SELECT pg_xact_status($1::text::xid8) AS status', [transaction]);
      // An id that is still to be given is that of a transaction that a crash lost.
      const { rows } = await asked.catch((error: unknown) => {
        if (isLost(error)) throw error;
        return { rows: [] };
      });
      if (rows[0]?.['status'] === 'in progress') return 'in progress';
      const named = (await query(client, ...selectCommitName(holder.id, scope))).rows[0];
      return named?.['name'] === name ? 'committed' : 'undone';
    }).catch(() => 'unreachable' as const);
    if (found === 'committed') return true;
    if (found === 'undone') return false;
    if (found === 'unreachable' && isClosing()) throw new UnknownEnding('it could not be reached');
    if (found === 'unreachable') whileUnknown();
    await wait(BETWEEN_QUESTIONS);
  }
}

// One transaction for the works of one process on one playbook, each in its own savepoint: a refused work undoes itself
// alone.
//
// 1. The first statement takes the playbook's row in `playbook_queues`, so that READ COMMITTED is enough: what a work
//    reads of its playbook changes under that lock alone. It also counts the commits of the playbook, which tells a process
//    whether another one has written there (remembered.ts).
// 2. A work on every playbook locks that table, and waits for all others.
//    A work on none locks nothing: its statements take care of each other.
// 3. What changed nothing is rolled back, and writes nothing.
// 4. Each transaction begins by looking whether the lease of its holder lasts. Where it has expired, nothing is written.
// 5. A COMMIT whose answer was lost is looked up by its transaction id.
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { madeOnce } from '../inner-commits.ts';
import {
  type SharedState,
  type StoreCounters,
  UniqueViolation,
  type WriteScope,
  type WriteTransaction,
} from '../store.ts';
import { command, query, send, withConnection } from './connections.ts';
import type { Holder } from '../shared-store.ts';
import { isLost, isRepeatable, refusalOf } from './failures.ts';
import { isHeld, selectIsHeld } from './holders-sql.ts';
import type { Peers } from './peers.ts';
import type { Remembered } from './remembered.ts';
import { createWorkStatements, type WorkStatements } from './transaction.ts';

export interface Work {
  scope: WriteScope;
  /** In whose name it is carried out. */
  holder: Holder;
  work: (tx: WriteTransaction) => Promise<void>;
}

/** What a work came to: nothing, or the error that undid it. */
export type WorkFailure = { error: unknown } | undefined;

export interface Committed {
  /** In the order of the works. */
  outcomes: readonly WorkFailure[];
  /** What is to be called now that it is committed. */
  told: readonly (() => void)[];
}

export interface CommitOptions {
  pool: Pool;
  counters: StoreCounters;
  remembered: Remembered;
  peers: Peers;
  /** Whether the store is being closed, so that an unknown ending is not waited for. */
  isClosing: () => boolean;
}

/** How often a transaction is tried that a deadlock or a lost connection undid. */
const TRIES = 3;
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

/** The lease of the holder has expired: nothing was written. */
export class HolderLost extends Error {
  constructor() {
    super('The lease of this process has expired.');
    this.name = 'HolderLost';
  }
}

/** Commits works of one scope and one holder. @throws what undid all of them; UnknownEnding, HolderLost */
export async function commitWorks(works: readonly Work[], options: CommitOptions): Promise<Committed> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await tryToCommit(works, options);
    } catch (error) {
      if (error instanceof UnknownEnding || tried >= TRIES || !isRepeatable(error) || options.isClosing()) throw error;
    }
  }
}

/** The transaction was undone although its COMMIT was sent. */
class Undone extends Error {}

async function tryToCommit(works: readonly Work[], options: CommitOptions): Promise<Committed> {
  const { pool, counters, remembered, peers } = options;
  const [first] = works;
  if (first === undefined) return { outcomes: [], told: [] };
  const { scope, holder } = first;
  let unanswered: { transaction: string; committed: () => Committed } | undefined;
  try {
    return await withConnection(pool, async (client) => {
      let isOpen = true;
      try {
        const { version, transaction } = await begin(client, scope, holder);
        counters.statements += 1;
        const shared = new Map<() => SharedState, SharedState>();
        const kept = remembered.of(scope, version);
        const batch: Batch = { client, counters, shared, kept: kept.values, told: [] };
        const outcomes: WorkFailure[] = [];
        let hasChanged = false;
        for (const work of works) {
          const { failure, changed } = await carryOut(work, batch);
          outcomes.push(failure);
          hasChanged ||= changed;
        }
        const rest = createWorkStatements(client, counters, false);
        const remember: (() => void)[] = [];
        const whole = transactionOf('every playbook', batch, rest, remember);
        for (const state of shared.values()) await state.beforeCommit(whole);
        if (rest.failure() !== undefined) throw rest.failure();
        hasChanged ||= rest.hasChanged();
        // The row of a playbook that had none stays, so that the numbers of its commits are never given twice.
        const isCommitted = hasChanged || version === FIRST_VERSION;
        const committed = (): Committed => {
          if (hasChanged) counters.commits += 1;
          if (hasChanged && typeof scope === 'object') peers.committed(scope);
          kept.ended(isCommitted);
          return { outcomes, told: [...remember, ...batch.told] };
        };
        isOpen = false;
        if (isCommitted) {
          unanswered = { transaction, committed };
          const done = await command(client, 'COMMIT');
          unanswered = undefined;
          if (done !== 'COMMIT') throw new Undone('PostgreSQL rolled a transaction back.');
        } else {
          await command(client, 'ROLLBACK');
        }
        return committed();
      } catch (error) {
        if (isOpen && !isLost(error)) send(client, 'ROLLBACK');
        throw error;
      }
    });
  } catch (error) {
    if (unanswered === undefined || !isLost(error)) throw error;
    if (await wasCommitted(unanswered.transaction, options)) return unanswered.committed();
    throw error;
  }
}

interface Begun {
  version: number;
  transaction: string;
}

const FIRST_VERSION = 1;
const TAKE_PLAYBOOK = `INSERT INTO playbook_queues AS queue (org, playbook, version) VALUES ($1, $2, ${FIRST_VERSION})
  ON CONFLICT (org, playbook) DO UPDATE SET version = queue.version + 1, changed_by = pg_current_xact_id()
  RETURNING version, pg_current_xact_id()::text AS transaction, ${isHeld('$3')}`;
const TAKE_NONE = `SELECT 0 AS version, pg_current_xact_id()::text AS transaction, ${isHeld('$1')}`;

/** Begins a transaction and takes what it is on. @throws HolderLost */
async function begin(client: PoolClient, scope: WriteScope, holder: Holder): Promise<Begun> {
  send(client, 'BEGIN');
  if (scope === 'every playbook') {
    await command(client, 'LOCK TABLE playbook_queues IN SHARE ROW EXCLUSIVE MODE');
    await query(client, 'UPDATE playbook_queues SET version = version + 1, changed_by = pg_current_xact_id()');
  }
  // A work on every playbook waits for it, and it for one of those.
  if (scope === 'no playbook') send(client, 'LOCK TABLE playbook_queues IN ROW EXCLUSIVE MODE');
  const { rows } =
    typeof scope === 'object'
      ? await query(client, TAKE_PLAYBOOK, [scope.org, scope.playbook, holder.id])
      : await query(client, TAKE_NONE, [holder.id]);
  const [row] = rows;
  // A lease that was renewed while the statement waited for the playbook is seen by the next one.
  if (row?.['is_held'] !== 1 && !(await isStillHeld(client, holder))) throw new HolderLost();
  return { version: Number(row?.['version']), transaction: String(row?.['transaction']) };
}

async function isStillHeld(client: PoolClient, { id }: Holder): Promise<boolean> {
  return (await query(client, ...selectIsHeld(id))).rows[0]?.['is_held'] === 1;
}

interface Batch {
  client: PoolClient;
  counters: StoreCounters;
  shared: Map<() => SharedState, SharedState>;
  /** What this process remembers of the playbook; undefined where that is not known to hold. */
  kept: Map<() => object, object> | undefined;
  told: (() => void)[];
}

function transactionOf(
  scope: WriteScope,
  { shared, kept }: Batch,
  { statements }: WorkStatements,
  tells: (() => void)[],
): WriteTransaction {
  return {
    ...statements,
    scope,
    afterCommit: (tell) => tells.push(tell),
    shared: (make) => madeOnce(shared, make),
    remembered: (make) => (kept === undefined ? undefined : madeOnce(kept, make)),
    forget: () => kept?.clear(),
  };
}

async function carryOut(work: Work, batch: Batch): Promise<{ failure: WorkFailure; changed: boolean }> {
  const { client, counters, shared, told } = batch;
  for (let withSavepoints = false; ; withSavepoints = true) {
    const tells: (() => void)[] = [];
    const made = createWorkStatements(client, counters, withSavepoints);
    for (const state of shared.values()) state.workBegins();
    send(client, 'SAVEPOINT work');
    let thrown: WorkFailure;
    try {
      await work.work(transactionOf(work.scope, batch, made, tells));
    } catch (error) {
      thrown = { error };
    }
    const failure = made.failure();
    if (failure !== undefined && !(failure instanceof UniqueViolation) && refusalOf(failure) !== undefined)
      throw failure;
    if (thrown === undefined && failure === undefined) {
      send(client, 'RELEASE work');
      told.push(...tells);
      return { failure: undefined, changed: made.hasChanged() };
    }
    send(client, 'ROLLBACK TO work');
    send(client, 'RELEASE work');
    for (const state of shared.values()) state.workIsUndone();
    const mayGoOn = failure instanceof UniqueViolation && thrown?.error !== failure;
    if (!mayGoOn) return { failure: thrown ?? { error: failure }, changed: false };
  }
}

/** Asks on other connections, until it is known. */
async function wasCommitted(transaction: string, { pool, isClosing }: CommitOptions): Promise<boolean> {
  for (;;) {
    const status = await withConnection(pool, (client) =>
      query(client, 'SELECT pg_xact_status($1::text::xid8) AS status', [transaction]),
    ).then(
      ({ rows }) => rows[0]?.['status'] as string | null,
      () => 'unreachable' as const,
    );
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    if (status === null) throw new UnknownEnding('it has forgotten the transaction');
    if (status === 'unreachable' && isClosing()) throw new UnknownEnding('it could not be reached');
    await wait(BETWEEN_QUESTIONS);
  }
}

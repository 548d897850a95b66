// One transaction for the works of one process on one playbook. A refused work undoes itself alone (carry-out-works.ts).
//
// 1. The first statement locks the playbook's row in `playbook_queues`, so that READ COMMITTED is enough. It also counts the
//    commits of the playbook, which shows whether another process has written there (remembered.ts).
// 2. A work on every playbook locks that table and waits for all others; a work on no playbook locks nothing.
// 3. A transaction that changed nothing is rolled back.
// 4. Nothing is written once the lease of the holder has expired. It is checked when the transaction begins and, if it may
//    expire before PostgreSQL ends a silent transaction (IDLE_IN_TRANSACTION), again in the message that commits.
// 5. A COMMIT whose result was lost is looked up by a name that the transaction gives itself: after a crash, PostgreSQL may
//    give the id of a lost transaction to another one. The id shows only whether the transaction is still in progress.
import type { Pool, PoolClient } from 'pg';
import { inOrder } from '../../../lib/in-order.ts';
import { randomHex } from '../../../lib/random.ts';
import type { Holder } from '../shared-store.ts';
import type { StoreCounters, WriteScope } from '../store.ts';
import { MemoryOfCommit } from '../transaction-memory.ts';
import {
  type Batch,
  carryOutEagerly,
  type CarryOutAll,
  carryOutApart,
  NeedsSavepoints,
  type Work,
  type WorkFailure,
} from './carry-out-works.ts';
import { begin as beginTransaction, command, query, send, withConnection } from './connections.ts';
import { isLeaseExpired, isLost, isRepeatable } from './failures.ts';
import { commitWhileHeld, leaseLeft, nameCommit, selectLeaseLeft } from './holders-sql.ts';
import type { Peers } from './peers.ts';
import { IDLE_IN_TRANSACTION } from './pool.ts';
import type { Remembered } from './remembered.ts';
import { type NamedCommit, UnknownEnding, wasCommitted } from './unknown-commit.ts';

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

export interface CommitTogetherOptions extends CommitOptions {
  /** Called again and again while it is unknown whether a commit happened, since the database is away. */
  whileUnknown: () => void;
}

/** How often a transaction is tried that a deadlock or a lost connection undid. */
const TRIES = 3;

/** The lease of the holder has expired: nothing was written. */
export class HolderLost extends Error {
  constructor() {
    super('The lease of this process has expired.');
    this.name = 'HolderLost';
  }
}

/** What a transaction is on, in whose name, and what it carries out. */
export interface Together extends Pick<Work, 'scope' | 'holder'> {
  /** The works of that scope and holder. Called once the playbook is taken: what came while it was waited for is among them. */
  take: () => readonly Work[];
}

/** Commits works of one scope and one holder. @throws what undid all of them; UnknownEnding, HolderLost */
export async function commitWorks(together: Together, options: CommitTogetherOptions): Promise<Committed> {
  let carryOutAll: CarryOutAll = carryOutEagerly;
  for (let tried = 1; ; ) {
    try {
      return await tryToCommit(together, carryOutAll, options);
    } catch (error) {
      if (error instanceof NeedsSavepoints) {
        carryOutAll = carryOutApart;
        continue;
      }
      if (error instanceof UnknownEnding || tried >= TRIES || !isRepeatable(error) || options.isClosing()) throw error;
      tried += 1;
    }
  }
}

/** The transaction was undone although its COMMIT was sent. */
class Undone extends Error {}

async function tryToCommit(
  { scope, holder, take }: Together,
  carryOutAll: CarryOutAll,
  options: CommitTogetherOptions,
): Promise<Committed> {
  const { pool, counters, remembered, peers } = options;
  let unanswered: (NamedCommit & { committed: () => Committed }) | undefined;
  try {
    return await withConnection(pool, async (client) => {
      try {
        const name = randomHex(16);
        const { version, transaction, leaseEnds } = await begin(client, scope, holder, name);
        counters.statements += 1;
        const ofPlaybook = remembered.of(scope, version);
        const memory = new MemoryOfCommit(ofPlaybook.values);
        const batch: Batch = { client, counters, memory, told: [] };
        const { outcomes, hasChanged, allAnswered } = await carryOutAll(take(), batch);
        // The row of a playbook that had none stays, so that the numbers of its commits are never given twice.
        const isCommitted = hasChanged || version === FIRST_VERSION;
        const committed = (): Committed => {
          if (hasChanged) counters.commits += 1;
          if (hasChanged && typeof scope === 'object') peers.committed(scope);
          ofPlaybook.ended(isCommitted);
          return { outcomes, told: [() => memory.committed(), ...batch.told] };
        };
        if (isCommitted) {
          unanswered = { transaction, holder, scope: textOf(scope), name, committed };
          await untilAnswered(commit(client, holder, leaseEnds), allAnswered);
          unanswered = undefined;
        } else {
          await command(client, 'ROLLBACK');
          await allAnswered();
        }
        return committed();
      } catch (error) {
        // Without effect where the transaction has ended.
        if (!isLost(error)) send(client, 'ROLLBACK');
        throw error;
      }
    });
  } catch (error) {
    if (unanswered === undefined || !isLost(error)) throw error;
    if (await wasCommitted(unanswered, options)) return unanswered.committed();
    throw error;
  }
}

/** Waits for the answer of a COMMIT, and for those of the statements before it. @throws what failed first */
async function untilAnswered(committing: Promise<string>, allAnswered: () => Promise<void>): Promise<void> {
  const [done, failed] = await Promise.allSettled([committing, allAnswered()]);
  if (done.status === 'fulfilled' && done.value === 'COMMIT') return;
  if (done.status === 'rejected' && (isLost(done.reason) || done.reason instanceof HolderLost)) throw done.reason;
  if (failed.status === 'rejected') throw failed.reason;
  throw done.status === 'rejected' ? done.reason : new Undone('PostgreSQL rolled a transaction back.');
}

/**
 * In no group with the statements before it, which are so answered before it.
 * @param leaseEnds by `performance.now`; it may last a little longer
 */
async function commit(client: PoolClient, holder: Holder, leaseEnds: number): Promise<string> {
  if (leaseEnds - performance.now() >= IDLE_IN_TRANSACTION) return command(client, 'COMMIT');
  try {
    return await command(client, commitWhileHeld(holder.id));
  } catch (error) {
    throw isLeaseExpired(error) ? new HolderLost() : error;
  }
}

interface Begun {
  version: number;
  transaction: string;
  /** When the lease of the holder ends, by `performance.now`; it may last a little longer. */
  leaseEnds: number;
}

const FIRST_VERSION = 1;
const TAKE_PLAYBOOK = `WITH named AS (${nameCommit('$3', '$4', '$5')})
  INSERT INTO playbook_queues AS queue (org, playbook, version) VALUES ($1, $2, ${FIRST_VERSION})
  ON CONFLICT (org, playbook) DO UPDATE SET version = queue.version + 1, changed_by = pg_current_xact_id()
  RETURNING version, pg_current_xact_id()::text AS transaction, ${leaseLeft('$3')}`;
const TAKE_NONE = `WITH named AS (${nameCommit('$1', '$2', '$3')})
  SELECT 0 AS version, pg_current_xact_id()::text AS transaction, ${leaseLeft('$1')}`;

/** A work on every playbook waits for one on none, and the other way around. */
const LOCKS = {
  'every playbook': 'LOCK TABLE playbook_queues IN SHARE ROW EXCLUSIVE MODE',
  'no playbook': 'LOCK TABLE playbook_queues IN ROW EXCLUSIVE MODE',
} as const;

/** Begins a transaction, takes what it is on and gives it a name. @throws HolderLost */
async function begin(client: PoolClient, scope: WriteScope, holder: Holder, name: string): Promise<Begun> {
  // What PostgreSQL reports is as of later than this.
  const before = performance.now();
  const named = [holder.id, textOf(scope), name];
  const begun = beginTransaction(client, 'BEGIN');
  // Where this fails, what follows it only says that the transaction is undone.
  const locked = typeof scope === 'object' ? begun : Promise.all([begun, command(client, LOCKS[scope])]);
  const { rows } = await inOrder(
    locked,
    typeof scope === 'object'
      ? query(client, TAKE_PLAYBOOK, [scope.org, scope.playbook, ...named])
      : query(client, TAKE_NONE, named),
  );
  if (scope === 'every playbook') {
    await query(client, 'UPDATE playbook_queues SET version = version + 1, changed_by = pg_current_xact_id()');
  }
  const [row] = rows;
  let left = Number(row?.['lease_left'] ?? 0);
  // A lease that was renewed while the statement waited for the playbook is seen by the next one.
  if (left <= 0) left = Number((await query(client, ...selectLeaseLeft(holder.id))).rows[0]?.['lease_left'] ?? 0);
  if (left <= 0) throw new HolderLost();
  return {
    version: Number(row?.['version']),
    transaction: String(row?.['transaction']),
    leaseEnds: before + left,
  };
}

/** Names a scope: each queue, and each last commit of a holder, is that of one. */
export function textOf(scope: WriteScope): string {
  return typeof scope === 'string' ? scope : JSON.stringify([scope.org, scope.playbook]);
}

// Carries out works in a transaction that is open, each as if it were alone in it.
//
// 1. Eagerly: without savepoints and without waiting for results that are not needed. A work that is refused before it
//    sent a change is undone by forgetting what it put into shared state.
// 2. Where more is to be undone, or a statement failed, the transaction is repeated with a savepoint for each work.
import type { PoolClient } from 'pg';
import type { Holder } from '../shared-store.ts';
import { type StoreCounters, UniqueViolation, type WriteScope, type WriteTransaction } from '../store.ts';
import type { MemoryOfCommit } from '../transaction-memory.ts';
import { send } from './connections.ts';
import { refusalOf } from './failures.ts';
import { createWorkStatements, type WorkStatements } from './transaction.ts';

export interface Work {
  scope: WriteScope;
  /** In whose name it is carried out. */
  holder: Holder;
  work: (tx: WriteTransaction) => Promise<void>;
}

/** What a work came to: nothing, or the error that undid it. */
export type WorkFailure = { error: unknown } | undefined;

/** One of the works is to be undone alone, so that the transaction has to be repeated with savepoints. */
export class NeedsSavepoints extends Error {}

export interface Batch {
  client: PoolClient;
  counters: StoreCounters;
  memory: MemoryOfCommit;
  told: (() => void)[];
}

function transactionOf(
  scope: WriteScope,
  { memory }: Batch,
  { statements }: WorkStatements,
  tells: (() => void)[],
): WriteTransaction {
  return { ...statements, scope, memory, afterCommit: (tell) => tells.push(tell) };
}

/** Works that were carried out in a transaction that is open. */
export interface CarriedOut {
  /** In the order of the works. */
  outcomes: readonly WorkFailure[];
  hasChanged: boolean;
  /** Waits for the results of all statements. @throws what failed of them */
  allAnswered: () => Promise<void>;
}

export type CarryOutAll = (works: readonly Work[], batch: Batch) => Promise<CarriedOut>;

/** Whether a statement failed for a reason that every work of the transaction shares. */
const undoesAll = (failure: unknown): boolean =>
  failure !== undefined && !(failure instanceof UniqueViolation) && refusalOf(failure) !== undefined;

/** Carries works out without savepoints. @throws NeedsSavepoints */
export async function carryOutEagerly(works: readonly Work[], batch: Batch): Promise<CarriedOut> {
  const { client, counters, memory, told } = batch;
  const made = createWorkStatements(client, counters, 'eager');
  const requireSound = (): void => {
    const failure = made.failure();
    if (failure !== undefined) throw undoesAll(failure) ? failure : new NeedsSavepoints();
  };
  const outcomes: WorkFailure[] = [];
  for (const work of works) {
    const tells: (() => void)[] = [];
    const sentBefore = made.sentChanges();
    memory.transactionBegins();
    try {
      await work.work(transactionOf(work.scope, batch, made, tells));
      told.push(...tells);
      outcomes.push(undefined);
    } catch (error) {
      requireSound();
      if (made.sentChanges() > sentBefore) throw new NeedsSavepoints();
      memory.transactionIsUndone();
      outcomes.push({ error });
    }
    requireSound();
  }
  await writeMemory(batch, made).finally(requireSound);
  return {
    outcomes,
    hasChanged: made.hasChanged(),
    async allAnswered() {
      await made.allAnswered();
      requireSound();
    },
  };
}

/** Carries works out, each in a savepoint. */
export async function carryOutApart(works: readonly Work[], batch: Batch): Promise<CarriedOut> {
  const outcomes: WorkFailure[] = [];
  let hasChanged = false;
  for (const work of works) {
    const { failure, changed } = await carryOut(work, batch);
    outcomes.push(failure);
    hasChanged ||= changed;
  }
  const rest = createWorkStatements(batch.client, batch.counters, 'in turn');
  await writeMemory(batch, rest);
  if (rest.failure() !== undefined) throw rest.failure();
  return { outcomes, hasChanged: hasChanged || rest.hasChanged(), allAnswered: () => Promise.resolve() };
}

/** Writes what is written once per commit. */
function writeMemory(batch: Batch, made: WorkStatements): Promise<void> {
  return batch.memory.write(transactionOf('every playbook', batch, made, batch.told));
}

async function carryOut(work: Work, batch: Batch): Promise<{ failure: WorkFailure; changed: boolean }> {
  const { client, counters, memory, told } = batch;
  for (let withSavepoints = false; ; withSavepoints = true) {
    const tells: (() => void)[] = [];
    const made = createWorkStatements(client, counters, withSavepoints ? 'with savepoints' : 'in turn');
    memory.transactionBegins();
    send(client, 'SAVEPOINT work');
    let thrown: WorkFailure;
    try {
      await work.work(transactionOf(work.scope, batch, made, tells));
    } catch (error) {
      thrown = { error };
    }
    const failure = made.failure();
    if (undoesAll(failure)) throw failure;
    if (thrown === undefined && failure === undefined) {
      send(client, 'RELEASE work');
      told.push(...tells);
      return { failure: undefined, changed: made.hasChanged() };
    }
    send(client, 'ROLLBACK TO work');
    send(client, 'RELEASE work');
    memory.transactionIsUndone();
    const mayGoOn = failure instanceof UniqueViolation && thrown?.error !== failure;
    if (!mayGoOn) return { failure: thrown ?? { error: failure }, changed: false };
  }
}

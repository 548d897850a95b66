import type { Json } from '../../../shared/json.ts';
import type { PlaybookKey, WriteTransaction } from '../log/index.ts';

/** What is asked to be done at a time. One playbook has one task of a kind and key. */
export interface NewTask {
  /** Names the handler. */
  kind: string;
  key: string;
  /** Milliseconds since 1970 UTC; it is carried out then or later, never before. */
  dueAt: number;
  /** Only for the handler: it is never logged and is in no message. */
  payload: Json;
}

export interface Task extends NewTask, PlaybookKey {
  /** Earlier tries that threw or were cut off by the end of their process. */
  tries: number;
  /** How often the process died while it carried out the task; a stop does not count. */
  deaths: number;
}

/** The right to carry out a task, held until it is finished or lost. */
export interface TaskLease {
  /**
   * Removes the task in the transaction that records what was done, so that both are kept or neither. A handler
   * that wants the same key again finishes first, then adds it in the same transaction.
   * @throws LeaseLost when the task was removed, replaced or taken over; let it pass, so that all is undone.
   */
  finish(tx: WriteTransaction): Promise<void>;
  /**
   * As `finish`, for work that is to be recorded whatever became of its task: a task that was removed, replaced or
   * taken over is let pass. Answers whether it was still this handler's.
   */
  settle(tx: WriteTransaction): Promise<boolean>;
  /** @throws LeaseLost when the task was removed, replaced or taken over; for work that is recorded before its end */
  require(tx: WriteTransaction): Promise<void>;
  /** The work is done, and only its recording remains: another task of the lane may begin. */
  leavePlace(): void;
  /** Aborted with a LeaseLost once the task was removed or replaced: its work is not wanted any more. */
  readonly unwanted: AbortSignal;
}

/** Carries out a task and finishes its lease. What it throws is tried again later. */
export type TaskHandler = (task: Task, lease: TaskLease) => Promise<void>;

const MOST_DEATHS = 3;

/** Whether the process died so often during the task that trying it again could make the service unusable. */
export function isUnworkable({ deaths }: Pick<Task, 'deaths'>): boolean {
  return deaths >= MOST_DEATHS;
}

/** Whether no earlier try of the task threw or was cut off. */
export function isFirstTry({ tries, deaths }: Pick<Task, 'tries' | 'deaths'>): boolean {
  return tries === 0 && deaths === 0;
}

/** A handler that does not try unworkable tasks again. @param end ends what such a task is for, and finishes the lease */
export function limitingDeaths(handle: TaskHandler, end: TaskHandler): TaskHandler {
  return (task, lease) => (isUnworkable(task) ? end : handle)(task, lease);
}

/** The task is no longer this handler's, or left to the next start: what it would record is dropped. */
export class LeaseLost extends Error {
  constructor({ kind, key }: Pick<Task, 'kind' | 'key'>) {
    super(`The task ${kind} ${key} was removed, replaced, taken over or abandoned in the meantime.`);
    this.name = 'LeaseLost';
  }
}

/** Something went wrong and will be tried again. */
export interface TaskFailure {
  error: unknown;
  /** The task that failed, without its payload; absent when the store could not be asked for tasks at all. */
  task?: Omit<Task, 'payload'>;
  /** When it is tried again, milliseconds since 1970 UTC; absent when the task was already finished. */
  retryAt?: number;
}

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 5 * 60_000;

/** Milliseconds to wait before the next try, after `tries` failed ones before this one: 2 s, doubling up to 5 min. */
export function retryWait(tries: number): number {
  return Math.min(FIRST_WAIT * 2 ** tries, LONGEST_WAIT);
}

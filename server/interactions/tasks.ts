// The tasks of open requests, and what they hold. A task that comes for a request that is closed does nothing, but to
// say of a try that was cut off that it failed.
import type { JsonObject } from '../../shared/json.ts';
import type { Place, WriteTransaction } from '../kernel/log/index.ts';
import type { NewTask, Tasks } from '../kernel/tasks/index.ts';
import type { ToolUse } from '../kinds/conversing.ts';

/** A request expires. */
export const EXPIRE_TASK = 'request-expire';
/** A request is withdrawn: a cancel of its run was asked for. */
export const WITHDRAW_TASK = 'request-withdraw';
/** A request is delivered through its tool. */
export const DELIVER_TASK = 'request-deliver';
/** The conversation of a request is read. */
export const READ_TASK = 'request-read';
/** The conversation of a request is told something. */
export const TELL_TASK = 'request-tell';

/** Names the request that a task is for: the run, and the event that put it. */
export interface RequestRef extends JsonObject {
  run_id: string;
  request: string;
}

export type ExpirePayload = RequestRef;

export interface WithdrawPayload extends RequestRef {
  kind: string;
  detail: string;
  cause: string;
}

/** What is tried until it is done or given up. */
export interface TryPayload extends RequestRef {
  /** Tries that were made before; absent at the first. */
  tries?: number;
  /** Which of several of a kind it is. */
  about?: string;
}

export interface DeliverPayload extends TryPayload {
  server: string;
  tool: string;
  arguments: JsonObject;
  /** Milliseconds between readings, where replies are read. */
  every: number | null;
}

export interface ReadPayload extends RequestRef {
  every: number;
  /** Milliseconds that were waited before this reading. */
  waited: number;
  /** The conversation was not read since the delivery: what says no time may have stood there before it. */
  first?: boolean;
  /** Digests of the messages that the first reading passed over. */
  old?: string[];
}

export interface TellPayload extends TryPayload {
  about: string;
  words: string;
  /** The event that it is about. */
  cause: string;
  /** When the first try was due, in milliseconds since 1970. */
  since: number;
}

export function requestTask(kind: string, payload: RequestRef, dueAt: number): NewTask {
  return { kind, key: payload.run_id, dueAt, payload };
}

/** A try outlives its request until it has an end, so that the next request of the run must not take its place. */
export function tryTask(kind: string, payload: TryPayload, dueAt: number): NewTask {
  const { run_id, request, about } = payload;
  return { kind, key: [run_id, request, ...(about === undefined ? [] : [about])].join(' '), dueAt, payload };
}

export function deliverTask(ref: RequestRef, use: ToolUse, every: number | undefined, dueAt: number): NewTask {
  const { run_id, request } = ref;
  const { server, tool, arguments: given } = use;
  const payload: DeliverPayload = { run_id, request, server, tool, arguments: given, every: every ?? null };
  return tryTask(DELIVER_TASK, payload, dueAt);
}

/** A request is closed: nothing of it is due any more, but the end of what is being tried. */
export async function dropTasks(tasks: Tasks, tx: WriteTransaction, place: Place, runId: string): Promise<void> {
  for (const kind of [EXPIRE_TASK, READ_TASK]) await tasks.remove(tx, place, kind, runId);
}

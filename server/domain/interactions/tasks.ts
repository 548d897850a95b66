// The tasks of open requests, and what they hold. A task for a closed request only records that a try
// that was cut off has failed.
import type { JsonObject } from '../../../shared/json.ts';
import type { WriteTransaction } from '../../kernel/log/index.ts';
import type { NewTask, Tasks } from '../../kernel/tasks/index.ts';
import type { ToolUse } from '../../kinds/conversing.ts';
import type { RequestRow } from './sql.ts';

/** A request expires. */
export const EXPIRE_TASK = 'request-expire';
/** A request is withdrawn: a cancel of its run was asked for. */
export const WITHDRAW_TASK = 'request-withdraw';
/** A request is delivered through its tool. */
export const DELIVER_TASK = 'request-deliver';
/** The conversation of a request is read. */
export const READ_TASK = 'request-read';
/** A message is posted to the conversation of a request. */
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

/** A try that has begun outlives its request until it has ended: it is stored separately. */
export function tryTask(kind: string, payload: TryPayload, dueAt: number): NewTask {
  return { kind, key: tryKey(payload), dueAt, payload };
}

function tryKey({ run_id, request, about, tries = 0 }: TryPayload): string {
  return [run_id, request, ...(about === undefined ? [] : [about]), tries + 1].join(' ');
}

export function deliverTask(ref: RequestRef, use: ToolUse, every: number | undefined, dueAt: number): NewTask {
  const { run_id, request } = ref;
  const { server, tool, arguments: given } = use;
  const payload: DeliverPayload = { run_id, request, server, tool, arguments: given, every: every ?? null };
  return tryTask(DELIVER_TASK, payload, dueAt);
}

/**
 * A request is closed: nothing of it is due any more, but the end of a try that has begun. A telling that waits for its
 * next try does nothing when that comes.
 */
export async function dropTasks(tasks: Tasks, tx: WriteTransaction, request: RequestRow): Promise<void> {
  const { run_id, event_id, attempts } = request;
  for (const kind of [EXPIRE_TASK, READ_TASK]) await tasks.remove(tx, request, kind, run_id);
  const next = tryKey({ run_id, request: event_id, tries: Number(attempts) });
  await tasks.remove(tx, request, DELIVER_TASK, next);
}

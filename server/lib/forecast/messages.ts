// What a call and the worker that carries it out send each other, over a port of its own.
import type { MessagePort } from 'node:worker_threads';
import type { Rejection } from '../rejection.ts';

/** Starts a call. */
export interface CallMessage<Request> {
  request: Request;
  port: MessagePort;
}

/** From the worker. */
export type WorkerMessage =
  /** The next chunk of the source is needed. */
  | { kind: 'pull' }
  /** A part of an answer that is streamed; the worker waits for `more`. */
  | { kind: 'part'; part: unknown }
  | { kind: 'answer'; answer: unknown }
  | { kind: 'refused'; rejection: Rejection }
  | { kind: 'failed'; message: string };

/** From the caller. */
export type CallerMessage =
  | { kind: 'chunk'; chunk: Uint8Array }
  | { kind: 'end' }
  /** The part was taken; `reply` is what its receiver answers. */
  | { kind: 'more'; reply?: unknown }
  /** The caller left, or its source failed: what the call has done so far is dropped. */
  | { kind: 'abort' };

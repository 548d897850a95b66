// Conversations of a run with a party: requests, and replies to them.
import type { Json, JsonObject } from '../../shared/json.ts';

/** A tool call with evaluated arguments. */
export interface ToolUse {
  server: string;
  tool: string;
  arguments: JsonObject;
}

/** A question to a party, or a notification, evaluated completely before it is sent. */
export interface NewRequest {
  to: string;
  message: string;
  /** What a program needs in order to answer; only in the request of a build to its trainer. */
  input?: JsonObject;
  /** JSON Schema of the answer; null for a notification, which ends its run once it is delivered. */
  answerSchema: JsonObject | null;
  /** When it expires, in milliseconds since 1970. */
  expiresAt: number;
  /** Null for the inbox. */
  delivery: (ToolUse & { replies?: { every: number; answerer: string } }) | null;
}

/** A request that a tool delivers. */
export interface PutRequest {
  org: string;
  playbook: string;
  runId: string;
  /** The document and the input of the run that sent it. */
  source: string;
  input: Json;
  to: string;
  message: string;
  expiresAt: number;
  answerSchema: JsonObject | null;
  /** The conversation with the replies; null before it is known. */
  conversation: string | number | null;
  /** The current time, in milliseconds since 1970. */
  now: number;
}

/** An evaluated part of a document, or why it cannot be evaluated. */
export type Evaluated<T> = { ok: true; value: T } | { ok: false; detail: string };

/** A message of a conversation. */
export interface Reply {
  id: string;
  author: string;
  text: string;
  /** When it was written, in milliseconds since 1970, if known. */
  at?: number;
}

/** How a kind evaluates the tool calls of its requests and the replies to them. It calls no tools itself. */
export interface Conversing {
  /** The conversation to read replies from, by the result of the delivering tool; null if none are read. */
  conversation(request: PutRequest, answer: Json): Promise<Evaluated<string | number | null>>;
  /** The call that reads the conversation. */
  reading(request: PutRequest): Promise<Evaluated<ToolUse>>;
  /** The messages in the result of that call. */
  replies(request: PutRequest, answer: Json): Promise<Evaluated<readonly Reply[]>>;
  /** Parses a message as an answer; `detail` explains to its author why it is not accepted. */
  answerOf(request: PutRequest, text: string): Promise<Evaluated<Json>>;
  /** The call that posts a message to the conversation; undefined if none is posted. */
  telling(request: PutRequest, words: string): Promise<Evaluated<ToolUse | undefined>>;
}

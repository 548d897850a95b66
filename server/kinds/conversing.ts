// How a run speaks with a party: the request it puts, and what is read of the answer.
import type { Json, JsonObject } from '../../shared/json.ts';

/** A call of a tool, its arguments worked out. */
export interface ToolUse {
  server: string;
  tool: string;
  arguments: JsonObject;
}

/** A question to a party, or a notification, as it is put: worked out whole before it exists. */
export interface NewRequest {
  to: string;
  message: string;
  /** JSON Schema of the answer; null for a notification, which ends its run once it is delivered. */
  answerSchema: JsonObject | null;
  /** When it ends unanswered, in milliseconds since 1970. */
  expiresAt: number;
  /** Null for the inbox. */
  delivery: (ToolUse & { replies?: { every: number; answerer: string } }) | null;
}

/** A request that goes through a tool, as its kind sees it again. */
export interface PutRequest {
  org: string;
  playbook: string;
  runId: string;
  /** The document and the input of the run that put it. */
  source: string;
  input: Json;
  to: string;
  message: string;
  expiresAt: number;
  answerSchema: JsonObject | null;
  /** Where replies are read; null before it is known. */
  conversation: string | number | null;
  /** When it is looked at, in milliseconds since 1970. */
  now: number;
}

/** What a document says, worked out; or why it cannot be, in a sentence. */
export type Evaluated<T> = { ok: true; value: T } | { ok: false; detail: string };

/** A message of a conversation. */
export interface Reply {
  id: string;
  author: string;
  text: string;
  /** When it was written, in milliseconds since 1970, where the conversation says so. */
  at?: number;
}

/** How requests of a kind are spoken of with a party through tools. Nothing of it calls a tool. */
export interface Conversing {
  /** Where replies are read, by what the delivering tool answered; null where none are. */
  conversation(request: PutRequest, answer: Json): Promise<Evaluated<string | number | null>>;
  /** The call that reads the conversation. */
  reading(request: PutRequest): Promise<Evaluated<ToolUse>>;
  /** The messages in what it answered. */
  replies(request: PutRequest, answer: Json): Promise<Evaluated<readonly Reply[]>>;
  /** The answer that a message is; `detail`: what is wrong with it, for its author. */
  answerOf(request: PutRequest, text: string): Promise<Evaluated<Json>>;
  /** The call that tells the conversation something; undefined where nobody is told. */
  telling(request: PutRequest, words: string): Promise<Evaluated<ToolUse | undefined>>;
}

// The document of an interaction, as types of one that was checked.
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { Example } from '../checked.ts';

/** A call of a tool, with expressions and text templates in its arguments. */
export interface ToolCall {
  /** SERVER/TOOL */
  tool: string;
  arguments?: JsonObject;
}

export interface Replies extends ToolCall {
  /** ISO 8601 */
  every?: string;
  /** A value expression over what the tool answered: a list of { id, author, text, at? }. */
  messages: string;
}

export interface Deliver extends ToolCall {
  /** A value expression over what the tool answered. */
  conversation?: string;
  answerer?: string;
  replies?: Replies;
  telling?: ToolCall;
}

export interface AskSection {
  to: string;
  message: string;
  answer: JsonObject;
  expires?: string;
  deliver?: Deliver;
}

export interface TellSection {
  to: string;
  message: string;
  deliver?: ToolCall;
}

/** How a call of a tool can end other than by a result. */
export const TOOL_CALL_FAILURES = ['tool_error', 'server_failure', 'timed_out', 'too_large'] as const;

export type ToolCallFailure = (typeof TOOL_CALL_FAILURES)[number];

export interface CallSection extends ToolCall {
  endings?: ToolCallFailure[];
}

export interface InteractionDocument {
  description?: string;
  input?: JsonObject;
  output?: Json;
  examples?: Example[];
  expose?: boolean;
  ask?: AskSection;
  tell?: TellSection;
  call?: CallSection;
}

// The form of an interaction's document, and the types of one that was checked. Its rules are in check.ts.
import Type, { type Static } from 'typebox';
import type { JsonObject } from '../../../shared/json.ts';
import { object, optional, text } from '../../../shared/schemas/fields.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import { EXAMPLE_FORM, MOST_DESCRIPTION } from '../document/index.ts';
import type { Example } from '../checked.ts';

/** How a call of a tool can end other than by a result. */
export const TOOL_CALL_FAILURES = ['tool_error', 'server_failure', 'timed_out', 'too_large'] as const;
export type ToolCallFailure = (typeof TOOL_CALL_FAILURES)[number];

const TOOL = text('a tool, named SERVER/TOOL', { pattern: '^[A-Za-z0-9_-]{1,64}/\\S{1,128}$' });
/** A call of a tool, with expressions and text templates in its arguments. */
const TOOL_CALL = {
  tool: TOOL,
  arguments: optional(
    Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown(), { description: "the tool's arguments" })),
  ),
};
const TEXT = Type.String({ minLength: 1 });
const SCHEMA = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));

const REPLIES = object('how replies are read', { ...TOOL_CALL, every: optional(TEXT), messages: TEXT });
const DELIVER = object({
  ...TOOL_CALL,
  conversation: optional(TEXT),
  answerer: optional(TEXT),
  replies: optional(REPLIES),
  telling: optional(object(TOOL_CALL)),
});
const ASK = object({ to: TEXT, message: TEXT, answer: SCHEMA, expires: optional(TEXT), deliver: optional(DELIVER) });
const TELL = object({ to: TEXT, message: TEXT, deliver: optional(object(TOOL_CALL)) });
const CALL = object({
  ...TOOL_CALL,
  endings: optional(Type.Array(Type.Enum(TOOL_CALL_FAILURES), { uniqueItems: true })),
});
export const FORM = object({
  description: optional(Type.String({ maxLength: MOST_DESCRIPTION })),
  input: optional(SCHEMA),
  output: optional(SCHEMA),
  examples: optional(Type.Unsafe<Example[]>(Type.Array(EXAMPLE_FORM))),
  expose: optional(Type.Boolean()),
  ask: optional(ASK),
  tell: optional(TELL),
  call: optional(CALL),
});

/** What of a document does not have the form. */
export const checkForm = compileOwnSchema(FORM, 'The document');

export type InteractionDocument = Static<typeof FORM>;
export type AskSection = Static<typeof ASK>;
export type CallSection = Static<typeof CALL>;
export type Deliver = Static<typeof DELIVER>;
export type ToolCall = Pick<Deliver, keyof typeof TOOL_CALL>;

// The form of an interaction's document, without what only its rules can say.
import Type from 'typebox';
import { object, optional, text } from '../../../shared/schemas/fields.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import { EXAMPLE_FORM, MOST_DESCRIPTION } from '../document/index.ts';
import { TOOL_CALL_FAILURES } from './document.ts';

const TOOL = text('a tool, named SERVER/TOOL', { pattern: '^[A-Za-z0-9_-]{1,64}/\\S{1,128}$' });
const TOOL_CALL = {
  tool: TOOL,
  arguments: optional(Type.Record(Type.String(), Type.Unknown(), { description: "the tool's arguments" })),
};
const TEXT = Type.String({ minLength: 1 });
const SCHEMA = Type.Record(Type.String(), Type.Unknown());

const REPLIES = object('how replies are read', { ...TOOL_CALL, every: optional(TEXT), messages: TEXT });
const ASK = object({
  to: TEXT,
  message: TEXT,
  answer: SCHEMA,
  expires: optional(TEXT),
  deliver: optional(
    object({
      ...TOOL_CALL,
      conversation: optional(TEXT),
      answerer: optional(TEXT),
      replies: optional(REPLIES),
      telling: optional(object(TOOL_CALL)),
    }),
  ),
});
const TELL = object({ to: TEXT, message: TEXT, deliver: optional(object(TOOL_CALL)) });
const CALL = object({
  ...TOOL_CALL,
  endings: optional(Type.Array(Type.Enum([...TOOL_CALL_FAILURES]), { uniqueItems: true })),
});
export const FORM = object({
  description: optional(Type.String({ maxLength: MOST_DESCRIPTION })),
  input: optional(SCHEMA),
  output: optional(SCHEMA),
  examples: optional(Type.Array(EXAMPLE_FORM)),
  expose: optional(Type.Boolean()),
  ask: optional(ASK),
  tell: optional(TELL),
  call: optional(CALL),
});

/** What of a document does not have the form. */
export const checkForm = compileOwnSchema(FORM, 'The document');

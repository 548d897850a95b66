// The form of an interaction's document, without what only its rules can say.
import Type from 'typebox';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import { EXAMPLE_FORM, MOST_DESCRIPTION } from '../document/index.ts';
import { TOOL_CALL_FAILURES } from './document.ts';

const CLOSED = { additionalProperties: false } as const;

const TOOL = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}/\\S{1,128}$',
  description: 'a tool, named SERVER/TOOL',
});
const TOOL_CALL = {
  tool: TOOL,
  arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "the tool's arguments" })),
};
const TEXT = Type.String({ minLength: 1 });
const SCHEMA = Type.Record(Type.String(), Type.Unknown());

const REPLIES = Type.Object(
  { ...TOOL_CALL, every: Type.Optional(TEXT), messages: TEXT },
  { ...CLOSED, description: 'how replies are read' },
);
const ASK = Type.Object(
  {
    to: TEXT,
    message: TEXT,
    answer: SCHEMA,
    expires: Type.Optional(TEXT),
    deliver: Type.Optional(
      Type.Object(
        {
          ...TOOL_CALL,
          conversation: Type.Optional(TEXT),
          answerer: Type.Optional(TEXT),
          replies: Type.Optional(REPLIES),
          telling: Type.Optional(Type.Object(TOOL_CALL, CLOSED)),
        },
        CLOSED,
      ),
    ),
  },
  CLOSED,
);
const TELL = Type.Object({ to: TEXT, message: TEXT, deliver: Type.Optional(Type.Object(TOOL_CALL, CLOSED)) }, CLOSED);
const CALL = Type.Object(
  {
    ...TOOL_CALL,
    endings: Type.Optional(Type.Array(Type.Enum([...TOOL_CALL_FAILURES]), { uniqueItems: true })),
  },
  CLOSED,
);
export const FORM = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: MOST_DESCRIPTION })),
    input: Type.Optional(SCHEMA),
    output: Type.Optional(SCHEMA),
    examples: Type.Optional(Type.Array(EXAMPLE_FORM)),
    expose: Type.Optional(Type.Boolean()),
    ask: Type.Optional(ASK),
    tell: Type.Optional(TELL),
    call: Type.Optional(CALL),
  },
  CLOSED,
);

/** What of a document does not have the form. */
export const checkForm = compileOwnSchema(FORM, 'The document');

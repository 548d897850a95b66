import {
  CONNECTED_TOOL,
  DESCRIPTION,
  EXAMPLES,
  EXPOSE,
  JSON_SCHEMA,
  OUTPUT,
  type Schema,
  SCHEMA,
} from './json-schema.ts';

const TOOL: Schema = { type: 'string', description: CONNECTED_TOOL };
const ARGUMENTS: Schema = {
  type: 'object',
  description: "The tool's arguments; a text wholly in ${ } is jq over the input, any other text is a template.",
};
const TO: Schema = { type: 'string', description: 'Whom it is addressed to; a template such as {{ input.owner }}.' };
const MESSAGE: Schema = { type: 'string', description: 'What the person reads; a template.' };

const CALLED = { tool: TOOL, arguments: ARGUMENTS };

const REPLIES: Schema = {
  type: 'object',
  description: 'How replies are read.',
  required: ['tool', 'messages'],
  properties: {
    ...CALLED,
    every: { type: 'string', description: 'How often, as an ISO 8601 duration such as PT30S.' },
    messages: {
      type: 'string',
      description: 'An expression over what the tool answered: a list of { id, author, text, at? }.',
    },
  },
};

const ASK: Schema = {
  type: 'object',
  description: 'Asks a person, and waits for the answer.',
  required: ['to', 'message', 'answer'],
  properties: {
    to: TO,
    message: MESSAGE,
    answer: { ...SCHEMA, description: 'The JSON Schema of the answer; it is the output.' },
    expires: { type: 'string', description: 'How long it waits: an ISO 8601 duration from PT1M to P90D; default P7D.' },
    deliver: {
      type: 'object',
      description: 'The tool that brings the question; without it: the inbox.',
      required: ['tool'],
      properties: {
        ...CALLED,
        conversation: { type: 'string', description: 'An expression over what the tool answered: where replies are.' },
        answerer: { type: 'string', description: 'Whose replies count; a template. Needed with `replies`.' },
        replies: REPLIES,
        telling: {
          type: 'object',
          description: 'The tool that tells the answerer why a reply was refused.',
          required: ['tool'],
          properties: CALLED,
        },
      },
    },
  },
};

const TELL: Schema = {
  type: 'object',
  description: 'Tells a person something, and does not wait.',
  required: ['to', 'message'],
  properties: {
    to: TO,
    message: MESSAGE,
    deliver: {
      type: 'object',
      description: 'The tool that brings the message; without it: the inbox.',
      required: ['tool'],
      properties: CALLED,
    },
  },
};

const CALL: Schema = {
  type: 'object',
  description: 'Calls one tool once.',
  required: ['tool'],
  properties: {
    ...CALLED,
    endings: {
      type: 'array',
      items: { enum: ['tool_error', 'server_failure', 'timed_out', 'too_large'] },
      description: 'Outcomes that are returned as output, in place of a rejection.',
    },
  },
};

export const INTERACTION_SCHEMA: Schema = {
  type: 'object',
  description: 'An interaction: exactly one of `ask`, `tell` and `call`.',
  properties: {
    description: DESCRIPTION,
    input: { ...SCHEMA, description: "The JSON Schema of a run's input." },
    output: OUTPUT,
    ask: ASK,
    tell: TELL,
    call: CALL,
    examples: EXAMPLES,
    expose: EXPOSE,
  },
  $defs: { schema: JSON_SCHEMA },
};

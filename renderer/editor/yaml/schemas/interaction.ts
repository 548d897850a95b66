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
  description:
    "The tool's arguments. A string of the form ${ } is a jq expression over the input; any other string is a template.",
};
const TO: Schema = {
  type: 'string',
  description: 'The party that it is addressed to; a template such as {{ input.owner }}.',
};
const MESSAGE: Schema = { type: 'string', description: 'The message to the person; a template.' };

const TOOL_CALL = { tool: TOOL, arguments: ARGUMENTS };

const REPLIES: Schema = {
  type: 'object',
  description: 'How replies are read.',
  required: ['tool', 'messages'],
  properties: {
    ...TOOL_CALL,
    every: { type: 'string', description: 'The interval, as an ISO 8601 duration such as PT30S.' },
    messages: {
      type: 'string',
      description: "An expression over the tool's result that returns a list of { id, author, text, at? }.",
    },
  },
};

const ASK: Schema = {
  type: 'object',
  description: 'Asks a person and waits for the answer.',
  required: ['to', 'message', 'answer'],
  properties: {
    to: TO,
    message: MESSAGE,
    answer: { ...SCHEMA, description: 'The JSON Schema of the answer, which is the output.' },
    expires: { type: 'string', description: 'How long to wait: an ISO 8601 duration from PT1M to P90D; default P7D.' },
    deliver: {
      type: 'object',
      description: 'The tool that delivers the question. Default: the inbox.',
      required: ['tool'],
      properties: {
        ...TOOL_CALL,
        conversation: {
          type: 'string',
          description: "An expression over the tool's result that returns the conversation in which replies are read.",
        },
        answerer: {
          type: 'string',
          description: 'The party whose replies are accepted; a template. Required with `replies`.',
        },
        replies: REPLIES,
        telling: {
          type: 'object',
          description: 'The tool that tells the answerer why a reply was not accepted.',
          required: ['tool'],
          properties: TOOL_CALL,
        },
      },
    },
  },
};

const TELL: Schema = {
  type: 'object',
  description: 'Sends a message to a person and does not wait.',
  required: ['to', 'message'],
  properties: {
    to: TO,
    message: MESSAGE,
    deliver: {
      type: 'object',
      description: 'The tool that delivers the message. Default: the inbox.',
      required: ['tool'],
      properties: TOOL_CALL,
    },
  },
};

const CALL: Schema = {
  type: 'object',
  description: 'Calls a tool once.',
  required: ['tool'],
  properties: {
    ...TOOL_CALL,
    endings: {
      type: 'array',
      items: { enum: ['tool_error', 'server_failure', 'timed_out', 'too_large'] },
      description: 'Outcomes that are returned as output instead of a rejection.',
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

// Fields that the data of several event types has.
import Type from 'typebox';
import { jsonObject } from '../fields.ts';

/** The data of an event whose fields are all known. */
export const CLOSED = { additionalProperties: false } as const;

export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

export function text(description: string) {
  return Type.String({ description });
}

export function optionalText(description: string) {
  return Type.Optional(Type.String({ description }));
}

/** Any JSON value that is absent where it is kept apart from the event for its size. */
export function keptValue(description: string) {
  return Type.Optional(Type.Unknown({ description }));
}

export function digest(description: string) {
  return Type.String({ pattern: '^[0-9a-f]{64}$', description });
}

/** What an attempt of a run did beside its output. */
export const RECORD = Type.Optional(jsonObject('What the attempt did beside its output.'));

/** What the attempt's calls of models used up; reasoning runs only. */
export const TOKENS = Type.Optional(
  Type.Object(
    {
      input: count('Tokens sent.'),
      output: count('Tokens answered.'),
      cached: count("The part of `input` that was read from the provider's cache."),
    },
    { ...CLOSED, description: "What the attempt's calls of models used up." },
  ),
);

/** The attempt of the run, from 1. */
export const ATTEMPT = Type.Integer({ minimum: 1, description: 'The attempt of the run, from 1.' });

/** The tool that a call, a delivery, a telling or a reading used. */
export const TOOL = {
  server: text('The tool server.'),
  tool: text("The tool's name on its server."),
  connection_id: optionalText('The connection used, for a server that has connections.'),
};

/** Size and digest of a call's arguments, as scrubbed of secrets. */
export const ARGUMENTS_SIZE = {
  arguments_bytes: count('UTF-8 bytes of the scrubbed arguments as JSON.'),
  arguments_sha256: Type.Optional(digest('Key of the kept arguments; absent where the server keeps no content.')),
};

/** Size and digest of a tool's result, where there was one. */
export const RESULT_SIZE = {
  result_bytes: Type.Optional(count('UTF-8 bytes of the scrubbed result; absent where there was none.')),
  result_sha256: Type.Optional(digest('Key of the kept result; absent where the server keeps no content.')),
};

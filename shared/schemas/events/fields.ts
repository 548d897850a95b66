// Fields that several event types share.
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

/** Any JSON value; absent if it is so large that it is stored apart from the event. */
export function keptValue(description: string) {
  return Type.Optional(Type.Unknown({ description }));
}

export function digest(description: string) {
  return Type.String({ pattern: '^[0-9a-f]{64}$', description });
}

/** Details of what an attempt of a run did, besides its output. */
export const RECORD = Type.Optional(jsonObject('Details of what the attempt did, besides its output.'));

/** The tokens that the attempt's model calls used; reasoning runs only. */
export const TOKENS = Type.Optional(
  Type.Object(
    {
      input: count('Tokens sent.'),
      output: count('Tokens received.'),
      cached: count("The tokens of `input` that were read from the provider's cache."),
    },
    { ...CLOSED, description: "The tokens that the attempt's model calls used." },
  ),
);

/** The attempt of the run, from 1. */
export const ATTEMPT = Type.Integer({ minimum: 1, description: 'The attempt of the run, from 1.' });

/** The tool that was used for a call, a delivery, a notice to the conversation, or reading replies. */
export const TOOL = {
  server: text('The tool server.'),
  tool: text('The name of the tool on its server.'),
  connection_id: optionalText('The id of the connection, if the server is one.'),
};

/** Size and digest of a call's arguments, with secrets removed. */
export const ARGUMENTS_SIZE = {
  arguments_bytes: count('UTF-8 bytes of the arguments as JSON, with secrets removed.'),
  arguments_sha256: Type.Optional(
    digest('Digest under which the arguments are stored; absent if the content of calls to this server is not stored.'),
  ),
};

/** Size and digest of a tool's result, if there was one. */
export const RESULT_SIZE = {
  result_bytes: Type.Optional(count('UTF-8 bytes of the result, with secrets removed; absent if there was none.')),
  result_sha256: Type.Optional(
    digest('Digest under which the result is stored; absent if the content of calls to this server is not stored.'),
  ),
};

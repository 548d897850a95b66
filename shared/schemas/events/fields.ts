// Fields that several event types share.
import Type from 'typebox';
import { count, integer, jsonObject, object, optional, text } from '../fields.ts';

export function optionalText(description: string) {
  return optional(text(description));
}

/** Any JSON value; absent if it is so large that it is stored apart from the event. */
export function keptValue(description: string) {
  return optional(Type.Unknown({ description }));
}

export function digest(description: string) {
  return text(description, { pattern: '^[0-9a-f]{64}$' });
}

/** Details of what an attempt of a run did, besides its output. */
export const RECORD = optional(jsonObject('Details of what the attempt did, besides its output.'));

/** The tokens that the attempt's model calls used; reasoning runs only. */
export const TOKENS = optional(
  object("The tokens that the attempt's model calls used.", {
    input: count('Tokens sent.'),
    output: count('Tokens received.'),
    cached: count("The tokens of `input` that were read from the provider's cache."),
  }),
);

/** The attempt of the run, from 1. */
export const ATTEMPT = integer('The attempt of the run, from 1.', { minimum: 1 });

/** The tool that was used for a call, a delivery, a notice to the conversation, or reading replies. */
export const TOOL = {
  server: text('The tool server.'),
  tool: text('The name of the tool on its server.'),
  connection_id: optionalText('The id of the connection, if the server is one.'),
};

/** Size and digest of a call's arguments, with secrets removed. */
export const ARGUMENTS_SIZE = {
  arguments_bytes: count('UTF-8 bytes of the arguments as JSON, with secrets removed.'),
  arguments_sha256: optional(
    digest('Digest under which the arguments are stored; absent if the content of calls to this server is not stored.'),
  ),
};

/** Size and digest of a tool's result, if there was one. */
export const RESULT_SIZE = {
  result_bytes: optional(count('UTF-8 bytes of the result, with secrets removed; absent if there was none.')),
  result_sha256: optional(
    digest('Digest under which the result is stored; absent if the content of calls to this server is not stored.'),
  ),
};

import Type, { type Static } from 'typebox';
import type { Json } from '../json.ts';
import {
  count,
  DefinitionTypeSchema,
  flag,
  integer,
  jsonObject,
  object,
  oneOf,
  optional,
  orNull,
  text,
  timestamp,
} from './fields.ts';
import { CalledBySchema } from './run.ts';

/** An open request of an interaction function or a prediction build. */
export const InteractionRequestSchema = object({
  run_id: text('The run that sent the request; its answer goes to it.', { format: 'uuid' }),
  called_by: optional(
    Type.Object(CalledBySchema.properties, {
      additionalProperties: false,
      'x-addition': true,
      description: 'The call that started this run; absent if a caller did.',
    }),
  ),
  type: DefinitionTypeSchema,
  function: text('Name of the function that sent the request.'),
  version: integer('The version of the function.', { minimum: 1 }),
  to: text('The party that the request is addressed to.'),
  delivery: orNull(
    'The tool that delivers the request, or null for the inbox.',
    object({ server: text('The tool server.'), tool: text("The tool's name on its server.") }),
  ),
  message: text('The message.'),
  /** An addition to the contract. */
  input: optional(
    jsonObject('Requests of builds: what the trainer needs, `{ function, run_id, brief_url, rows_url }`.'),
  ),
  takes_answer: flag('True for a question, false for a notification.'),
  answer_schema: orNull(
    'Null for a notification.',
    jsonObject('JSON Schema of the answer, as of the time of the request.'),
  ),
  requested_at: timestamp('When the request was made.'),
  expires_at: timestamp('When the request expires.'),
  attempts: count('The number of delivery attempts so far.'),
  conversation: orNull('The conversation in which replies are read, or null.', Type.String()),
  answerer: orNull('The party whose reply counts, or null.', Type.String()),
  reply_refusals: count('The number of replies by the answerer that were not accepted.'),
  standing: oneOf('The state of the request.', [
    'in_inbox',
    'to_deliver',
    'delivering',
    'delivered',
    'retrying',
    'undelivered',
    'cancelling',
  ]),
});
export type InteractionRequest = Static<typeof InteractionRequestSchema>;

/** The record that a request was answered. */
export const AnswerFactSchema = object({
  run_id: text('The run that sent the request.', { format: 'uuid' }),
  answer_id: text('Id of the answer.'),
  answer: Type.Unsafe<Json>({ description: 'The answer.' }),
  claimed_for: optional(text('The person on whose behalf the caller claims to answer; not verified.')),
  answered_by: text('The caller who answered; for a reply, the playbook.'),
  reply: optional(text('Identity of the reply that was accepted.')),
  answered_at: timestamp('When it was answered.'),
});
export type AnswerFact = Static<typeof AnswerFactSchema>;

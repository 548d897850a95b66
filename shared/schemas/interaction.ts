import Type, { type Static } from 'typebox';
import type { Json } from '../json.ts';
import { DefinitionTypeSchema, jsonObject, timestamp } from './fields.ts';
import { CalledBySchema } from './run.ts';

const text = (description: string) => Type.String({ description });

/** An open request of an interaction function or a prediction build. */
export const InteractionRequestSchema = Type.Object(
  {
    run_id: Type.String({ format: 'uuid', description: 'The run that sent the request; its answer goes to it.' }),
    called_by: Type.Optional(
      Type.Object(CalledBySchema.properties, {
        additionalProperties: false,
        'x-addition': true,
        description: 'The call that started this run; absent if a caller did.',
      }),
    ),
    type: DefinitionTypeSchema,
    function: text('Name of the function that sent the request.'),
    version: Type.Integer({ minimum: 1, description: 'The version of the function.' }),
    to: text('The party that the request is addressed to.'),
    delivery: Type.Union(
      [
        Type.Object(
          { server: text('The tool server.'), tool: text("The tool's name on its server.") },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The tool that delivers the request, or null for the inbox.' },
    ),
    message: text('The message.'),
    /** An addition to the contract. */
    input: Type.Optional(
      jsonObject('Requests of builds: what the trainer needs, `{ function, run_id, brief_url, rows_url }`.'),
    ),
    takes_answer: Type.Boolean({ description: 'True for a question, false for a notification.' }),
    answer_schema: Type.Union([jsonObject('JSON Schema of the answer, as of the time of the request.'), Type.Null()], {
      description: 'Null for a notification.',
    }),
    requested_at: timestamp('When the request was made.'),
    expires_at: timestamp('When the request expires.'),
    attempts: Type.Integer({ minimum: 0, description: 'The number of delivery attempts so far.' }),
    conversation: Type.Union([Type.String(), Type.Null()], {
      description: 'The conversation in which replies are read, or null.',
    }),
    answerer: Type.Union([Type.String(), Type.Null()], { description: 'The party whose reply counts, or null.' }),
    reply_refusals: Type.Integer({
      minimum: 0,
      description: 'The number of replies by the answerer that were not accepted.',
    }),
    standing: Type.Enum(
      ['in_inbox', 'to_deliver', 'delivering', 'delivered', 'retrying', 'undelivered', 'cancelling'],
      { description: 'The state of the request.' },
    ),
  },
  { additionalProperties: false },
);
export type InteractionRequest = Static<typeof InteractionRequestSchema>;

/** The record that a request was answered. */
export const AnswerFactSchema = Type.Object(
  {
    run_id: Type.String({ format: 'uuid', description: 'The run that sent the request.' }),
    answer_id: text('Id of the answer.'),
    answer: Type.Unsafe<Json>({ description: 'The answer.' }),
    claimed_for: Type.Optional(text('The person on whose behalf the caller claims to answer; not verified.')),
    answered_by: text('The caller who answered; for a reply, the playbook.'),
    reply: Type.Optional(text('Identity of the reply that was accepted.')),
    answered_at: timestamp('When it was answered.'),
  },
  { additionalProperties: false },
);
export type AnswerFact = Static<typeof AnswerFactSchema>;

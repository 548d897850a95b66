import Type, { type Static } from 'typebox';
import type { Json } from '../json.ts';
import { DefinitionTypeSchema, jsonObject, timestamp } from './fields.ts';

const text = (description: string) => Type.String({ description });

/** An open request of an interaction function or a prediction build. */
export const InteractionRequestSchema = Type.Object(
  {
    run_id: Type.String({ format: 'uuid', description: 'The run that asked.' }),
    type: DefinitionTypeSchema,
    function: text('Name of the function that asked.'),
    version: Type.Integer({ minimum: 1, description: 'Its version.' }),
    to: text('The party addressed.'),
    delivery: Type.Union(
      [
        Type.Object(
          { server: text('The tool server.'), tool: text("The tool's name on its server.") },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The tool that delivers it, or null for the inbox.' },
    ),
    message: text('The message.'),
    takes_answer: Type.Boolean({ description: 'True for a question, false for a notification.' }),
    answer_schema: Type.Union([jsonObject('JSON Schema of the answer, as it was when it was asked.'), Type.Null()], {
      description: 'Null for a notification.',
    }),
    requested_at: timestamp('When it was put.'),
    expires_at: timestamp('When it ends unanswered.'),
    attempts: Type.Integer({ minimum: 0, description: 'Tries to deliver it so far.' }),
    conversation: Type.Union([Type.String(), Type.Null()], { description: 'Where replies are read, or null.' }),
    answerer: Type.Union([Type.String(), Type.Null()], { description: 'The party whose reply counts, or null.' }),
    reply_refusals: Type.Integer({ minimum: 0, description: 'Replies of the answerer that were refused.' }),
    standing: Type.Enum(
      ['in_inbox', 'to_deliver', 'delivering', 'delivered', 'retrying', 'undelivered', 'cancelling'],
      { description: 'How it stands.' },
    ),
  },
  { additionalProperties: false },
);
export type InteractionRequest = Static<typeof InteractionRequestSchema>;

/** The fact that a request was answered. */
export const AnswerFactSchema = Type.Object(
  {
    run_id: Type.String({ format: 'uuid', description: 'The run that asked.' }),
    answer_id: text('Id of the fact.'),
    answer: Type.Unsafe<Json>({ description: 'The answer.' }),
    claimed_for: Type.Optional(text('On whose behalf, as the caller claims; never verified.')),
    answered_by: text('The caller who answered; the playbook for a reply.'),
    reply: Type.Optional(text('Identity of the reply that was taken.')),
    answered_at: timestamp('When it was answered.'),
  },
  { additionalProperties: false },
);
export type AnswerFact = Static<typeof AnswerFactSchema>;

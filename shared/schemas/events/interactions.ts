import Type from 'typebox';
import { jsonObject, timestamp } from '../fields.ts';
import { ARGUMENTS_SIZE, count, keptValue, optionalText, RESULT_SIZE, text, TOOL } from './fields.ts';

/** The attempts at one delivery or one notice are counted from 1. */
const TRY = { attempt: Type.Integer({ minimum: 1, description: 'The number of the attempt, from 1.' }) };
const CONVERSATION = Type.Optional(
  Type.Union([Type.String(), Type.Number(), Type.Null()], {
    description: 'The conversation in which replies are read, or null.',
  }),
);
const FAILURE = {
  because: text('Why, as a code.'),
  detail: optionalText('Why, as a message for people.'),
  retry_after_ms: Type.Optional(count('Milliseconds to wait before the next attempt, as the server requested.')),
};
const GAVE_UP = { gave_up: Type.Optional(Type.Literal(true, { description: 'No further attempt is made.' })) };
const ABOUT = { about: text('What the notice is about, as a code.') };

export const INTERACTION_EVENTS = {
  interaction_requested: Type.Object(
    {
      to: text('The party that the request is addressed to.'),
      delivery: Type.Union([Type.Object(TOOL), Type.Null()], {
        description: 'The tool that delivers the request, or null for the inbox.',
      }),
      message: keptValue('The message.'),
      message_bytes: count('UTF-8 bytes of the message.'),
      input: Type.Optional(
        jsonObject('What the trainer of a build needs: { function, run_id, brief_url, rows_url }; only in builds.'),
      ),
      takes_answer: Type.Boolean({ description: 'True for a question, false for a notification.' }),
      answer_schema: Type.Optional(
        Type.Union([jsonObject('JSON Schema of the answer.'), Type.Null()], {
          description: 'Null for a notification.',
        }),
      ),
      answerer: optionalText('The party whose reply counts.'),
      expires_at: Type.Optional(timestamp('When the request expires; absent for a notice in the inbox.')),
    },
    { description: 'A request or a notice was sent to a party.' },
  ),
  delivery_started: Type.Object(
    { ...TRY, ...TOOL, ...ARGUMENTS_SIZE },
    { description: 'An attempt to deliver a request through a tool started.' },
  ),
  delivery_succeeded: Type.Object(
    {
      ...TRY,
      landed: optionalText('Where the request was delivered.'),
      conversation: CONVERSATION,
      ...RESULT_SIZE,
    },
    { description: 'A request was delivered.' },
  ),
  delivery_failed: Type.Object(
    {
      ...TRY,
      ...FAILURE,
      ...GAVE_UP,
      ...RESULT_SIZE,
    },
    {
      description:
        'An attempt to deliver a request failed. It is repeated while the request is open, unless `gave_up` is set.',
    },
  ),
  delivery_refused: Type.Object(
    {
      ...TRY,
      because: Type.Enum(['too_large', 'unworkable'], { description: 'Why no further attempt is made.' }),
      detail: optionalText('Why, as a message for people.'),
      ...RESULT_SIZE,
    },
    { description: 'A request cannot be delivered, and no further attempt is made.' },
  ),
  request_answered: Type.Object(
    {
      answer: keptValue('The answer.'),
      claimed_for: optionalText('The person on whose behalf the caller claims to answer; not verified.'),
      answered_by: text('The caller who answered; for a reply, the playbook.'),
      reply: optionalText('Identity of the reply that was accepted.'),
      answered_at: Type.Optional(timestamp('When it was answered.')),
    },
    { description: 'A request was answered.' },
  ),
  reply_refused: Type.Object(
    {
      reply: text('Identity of the reply; its text is not recorded.'),
      because: optionalText('Why it was not accepted, as a code.'),
    },
    { description: 'A reply was not accepted as the answer.' },
  ),
  telling_started: Type.Object(
    { ...TRY, ...ABOUT, ...TOOL, ...ARGUMENTS_SIZE },
    { description: 'An attempt to send a notice to the conversation started.' },
  ),
  telling_succeeded: Type.Object(
    { ...TRY, ...ABOUT, ...RESULT_SIZE },
    { description: 'A notice was sent to the conversation.' },
  ),
  telling_failed: Type.Object(
    { ...TRY, ...ABOUT, ...FAILURE, ...GAVE_UP, ...RESULT_SIZE },
    {
      description:
        'An attempt to send a notice to the conversation failed. It is repeated while the request is open, unless `gave_up` is set.',
    },
  ),
  replies_read: Type.Object(
    {
      ...TOOL,
      conversation: CONVERSATION,
      replies: count('The number of new replies.'),
      passed_over: Type.Optional(
        count('The number of messages without a time that were in the conversation before the request.'),
      ),
      ...RESULT_SIZE,
    },
    { description: 'A conversation was read and contained new messages.' },
  ),
  reading_failed: Type.Object(
    { ...TOOL, conversation: CONVERSATION, ...FAILURE, ...RESULT_SIZE },
    { description: 'A conversation could not be read.' },
  ),
};

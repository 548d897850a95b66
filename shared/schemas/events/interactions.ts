import Type from 'typebox';
import { count, flag, integer, jsonObject, oneOf, open, optional, orNull, text, timestamp } from '../fields.ts';
import { ARGUMENTS_SIZE, keptValue, optionalText, RESULT_SIZE, TOOL } from './fields.ts';

/** The attempts at one delivery or one notice are counted from 1. */
const TRY = { attempt: integer('The number of the attempt, from 1.', { minimum: 1 }) };
const CONVERSATION = optional(
  Type.Union([Type.String(), Type.Number(), Type.Null()], {
    description: 'The conversation in which replies are read, or null.',
  }),
);
const FAILURE = {
  because: text('Why, as a code.'),
  detail: optionalText('Why, as a message for people.'),
  retry_after_ms: optional(count('Milliseconds to wait before the next attempt, as the server requested.')),
};
const GAVE_UP = { gave_up: optional(Type.Literal(true, { description: 'No further attempt is made.' })) };
const ABOUT = { about: text('What the notice is about, as a code.') };

export const INTERACTION_EVENTS = {
  interaction_requested: open('A request or a notice was sent to a party.', {
    to: text('The party that the request is addressed to.'),
    delivery: orNull('The tool that delivers the request, or null for the inbox.', Type.Object(TOOL)),
    message: keptValue('The message.'),
    message_bytes: count('UTF-8 bytes of the message.'),
    input: optional(
      jsonObject('What the trainer of a build needs: { function, run_id, brief_url, rows_url }; only in builds.'),
    ),
    takes_answer: flag('True for a question, false for a notification.'),
    answer_schema: optional(orNull('Null for a notification.', jsonObject('JSON Schema of the answer.'))),
    answerer: optionalText('The party whose reply counts.'),
    expires_at: optional(timestamp('When the request expires; absent for a notice in the inbox.')),
  }),
  delivery_started: open('An attempt to deliver a request through a tool started.', {
    ...TRY,
    ...TOOL,
    ...ARGUMENTS_SIZE,
  }),
  delivery_succeeded: open('A request was delivered.', {
    ...TRY,
    landed: optionalText('Where the request was delivered.'),
    conversation: CONVERSATION,
    ...RESULT_SIZE,
  }),
  delivery_failed: open(
    'An attempt to deliver a request failed. It is repeated while the request is open, unless `gave_up` is set.',
    {
      ...TRY,
      ...FAILURE,
      ...GAVE_UP,
      ...RESULT_SIZE,
    },
  ),
  delivery_refused: open('A request cannot be delivered, and no further attempt is made.', {
    ...TRY,
    because: oneOf('Why no further attempt is made.', ['too_large', 'unworkable']),
    detail: optionalText('Why, as a message for people.'),
    ...RESULT_SIZE,
  }),
  request_answered: open('A request was answered.', {
    answer: keptValue('The answer.'),
    claimed_for: optionalText('The person on whose behalf the caller claims to answer; not verified.'),
    answered_by: text('The caller who answered; for a reply, the playbook.'),
    reply: optionalText('Identity of the reply that was accepted.'),
    answered_at: optional(timestamp('When it was answered.')),
  }),
  reply_refused: open('A reply was not accepted as the answer.', {
    reply: text('Identity of the reply; its text is not recorded.'),
    because: optionalText('Why it was not accepted, as a code.'),
  }),
  telling_started: open('An attempt to send a notice to the conversation started.', {
    ...TRY,
    ...ABOUT,
    ...TOOL,
    ...ARGUMENTS_SIZE,
  }),
  telling_succeeded: open('A notice was sent to the conversation.', { ...TRY, ...ABOUT, ...RESULT_SIZE }),
  telling_failed: open(
    'An attempt to send a notice to the conversation failed. It is repeated while the request is open, unless `gave_up` is set.',
    { ...TRY, ...ABOUT, ...FAILURE, ...GAVE_UP, ...RESULT_SIZE },
  ),
  replies_read: open('A conversation was read and contained new messages.', {
    ...TOOL,
    conversation: CONVERSATION,
    replies: count('The number of new replies.'),
    passed_over: optional(
      count('The number of messages without a time that were in the conversation before the request.'),
    ),
    ...RESULT_SIZE,
  }),
  reading_failed: open('A conversation could not be read.', {
    ...TOOL,
    conversation: CONVERSATION,
    ...FAILURE,
    ...RESULT_SIZE,
  }),
};

import Type from 'typebox';
import { jsonObject, timestamp } from '../fields.ts';
import { ARGUMENTS_SIZE, count, keptValue, optionalText, RESULT_SIZE, text, TOOL } from './fields.ts';

/** Tries of one delivery or one telling are counted from 1. */
const TRY = { attempt: Type.Integer({ minimum: 1, description: 'Which try it was, from 1.' }) };
const CONVERSATION = Type.Optional(
  Type.Union([Type.String(), Type.Number(), Type.Null()], {
    description: 'The conversation in which replies are read, or null.',
  }),
);
const FAILURE = {
  because: text('Why, as a word: a tool call that failed says which way.'),
  detail: optionalText('Why, in words.'),
  retry_after_ms: Type.Optional(count('The wait that the server asked for, in milliseconds.')),
};
const GAVE_UP = { gave_up: Type.Optional(Type.Literal(true, { description: 'It is not tried again.' })) };
const ABOUT = { about: text('What the conversation is told, as a word.') };

export const INTERACTION_EVENTS = {
  interaction_requested: Type.Object(
    {
      to: text('The party addressed.'),
      delivery: Type.Union([Type.Object(TOOL), Type.Null()], {
        description: 'The tool that delivers, or null for the inbox.',
      }),
      message: keptValue('The message.'),
      message_bytes: count('UTF-8 bytes of the message.'),
      takes_answer: Type.Boolean({ description: 'True for a question, false for a notification.' }),
      answer_schema: Type.Optional(
        Type.Union([jsonObject('JSON Schema of the answer.'), Type.Null()], {
          description: 'Null for a notification.',
        }),
      ),
      answerer: optionalText('The party whose reply counts.'),
      expires_at: Type.Optional(timestamp('When the request ends unanswered; absent for a notice in the inbox.')),
    },
    { description: 'A party was asked or told something.' },
  ),
  delivery_started: Type.Object(
    { ...TRY, ...TOOL, ...ARGUMENTS_SIZE },
    { description: 'A try to deliver a request through a tool started.' },
  ),
  delivery_succeeded: Type.Object(
    {
      ...TRY,
      landed: optionalText('Where the request landed.'),
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
        'A try to deliver a request failed; while the request is open it is tried again, unless this says otherwise.',
    },
  ),
  delivery_refused: Type.Object(
    {
      ...TRY,
      because: Type.Enum(['too_large', 'unworkable'], { description: 'Why it is not tried again.' }),
      detail: optionalText('Why, in words.'),
      ...RESULT_SIZE,
    },
    { description: 'A request cannot be delivered and is not tried again.' },
  ),
  request_answered: Type.Object(
    {
      answer: keptValue('The answer.'),
      claimed_for: optionalText('On whose behalf, as the caller claims; never verified.'),
      answered_by: text('The caller who answered; the playbook for a reply.'),
      reply: optionalText('Identity of the reply that was taken.'),
      answered_at: Type.Optional(timestamp('When it was answered.')),
    },
    { description: 'A request took its answer.' },
  ),
  reply_refused: Type.Object(
    {
      reply: text('Identity of the reply; its words are not recorded.'),
      because: optionalText('Why it was not taken, as a word.'),
    },
    { description: 'A reply was not taken as the answer.' },
  ),
  telling_started: Type.Object(
    { ...TRY, ...ABOUT, ...TOOL, ...ARGUMENTS_SIZE },
    { description: 'A try to tell a conversation something started.' },
  ),
  telling_succeeded: Type.Object({ ...TRY, ...ABOUT, ...RESULT_SIZE }, { description: 'A conversation was told.' }),
  telling_failed: Type.Object(
    { ...TRY, ...ABOUT, ...FAILURE, ...GAVE_UP, ...RESULT_SIZE },
    {
      description:
        'A try to tell a conversation something failed; while the request is open it is tried again, unless this says otherwise.',
    },
  ),
  replies_read: Type.Object(
    {
      ...TOOL,
      conversation: CONVERSATION,
      replies: count('Replies that had not been read before.'),
      passed_over: Type.Optional(count('Messages without a time that stood there before the request.')),
      ...RESULT_SIZE,
    },
    { description: 'A conversation was read and held something new.' },
  ),
  reading_failed: Type.Object(
    { ...TOOL, conversation: CONVERSATION, ...FAILURE, ...RESULT_SIZE },
    { description: 'A conversation could not be read.' },
  ),
};

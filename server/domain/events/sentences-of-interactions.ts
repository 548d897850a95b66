import type { INTERACTION_EVENTS } from '../../../shared/schemas/events/interactions.ts';
import { counted, reasons, type Sentences, short, toolName } from './phrases.ts';

export const INTERACTION_SENTENCES: Sentences<keyof typeof INTERACTION_EVENTS> = {
  interaction_requested: ({ to, takes_answer, delivery }) => {
    const way = delivery === null ? 'the inbox' : toolName(delivery);
    return `${short(to)} was ${takes_answer ? 'asked a question' : 'told something'} through ${way}.`;
  },
  delivery_started: (data) => `Try ${data.attempt} to deliver the request through ${toolName(data)} started.`,
  delivery_succeeded: ({ attempt }) => `The request was delivered on try ${attempt}.`,
  delivery_failed: ({ attempt, because }) => `Try ${attempt} to deliver the request failed${reasons(because)}.`,
  delivery_refused: ({ because }) => `The request cannot be delivered and is not tried again${reasons(because)}.`,
  request_answered: ({ answered_by, claimed_for, reply }) => {
    const whose = claimed_for === undefined ? '' : ` for ${short(claimed_for)}`;
    return `The request was answered by ${short(answered_by)}${whose}${reply === undefined ? '' : ' from a reply'}.`;
  },
  reply_refused: ({ because }) => `A reply was not taken as the answer${reasons(because)}.`,
  telling_started: (data) => `Try ${data.attempt} to tell the conversation (${short(data.about)}) started.`,
  telling_succeeded: ({ about }) => `The conversation was told (${short(about)}).`,
  telling_failed: ({ attempt, about, because }) =>
    `Try ${attempt} to tell the conversation (${short(about)}) failed${reasons(because)}.`,
  replies_read: (data) => {
    const older = data.passed_over === undefined ? '' : `; ${data.passed_over} from before the request do not count`;
    return `${counted(data.replies, 'new message')} of a conversation read through ${toolName(data)}${older}.`;
  },
  reading_failed: (data) => `Reading a conversation through ${toolName(data)} failed${reasons(data.because)}.`,
};

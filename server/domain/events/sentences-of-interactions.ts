import type { INTERACTION_EVENTS } from '../../../shared/schemas/events/interactions.ts';
import { counted, reasons, type Sentences, short, toolName } from './phrases.ts';

export const INTERACTION_SENTENCES: Sentences<keyof typeof INTERACTION_EVENTS> = {
  interaction_requested: ({ to, takes_answer, delivery }) => {
    const channel = delivery === null ? 'in the inbox' : `through ${toolName(delivery)}`;
    return `${short(to)} was ${takes_answer ? 'asked a question' : 'notified'} ${channel}.`;
  },
  delivery_started: (data) => `Delivery of the request through ${toolName(data)} started (attempt ${data.attempt}).`,
  delivery_succeeded: ({ attempt }) => `The request was delivered (attempt ${attempt}).`,
  delivery_failed: ({ attempt, because }) => `Delivery of the request failed (attempt ${attempt})${reasons(because)}.`,
  delivery_refused: ({ because }) => `The request cannot be delivered and will not be retried${reasons(because)}.`,
  request_answered: ({ answered_by, claimed_for, reply }) => {
    const whose = claimed_for === undefined ? '' : ` for ${short(claimed_for)}`;
    return `The request was answered by ${short(answered_by)}${whose}${reply === undefined ? '' : ' from a reply'}.`;
  },
  reply_refused: ({ because }) => `A reply was not accepted as the answer${reasons(because)}.`,
  telling_started: (data) => `Posting to the conversation started (${short(data.about)}, attempt ${data.attempt}).`,
  telling_succeeded: ({ about }) => `A message was posted to the conversation (${short(about)}).`,
  telling_failed: ({ attempt, about, because }) =>
    `Posting to the conversation failed (${short(about)}, attempt ${attempt})${reasons(because)}.`,
  replies_read: (data) => {
    const older = data.passed_over === undefined ? '' : `; ${data.passed_over} from before the request ignored`;
    return `${counted(data.replies, 'new message')} read from a conversation through ${toolName(data)}${older}.`;
  },
  reading_failed: (data) => `Reading a conversation through ${toolName(data)} failed${reasons(data.because)}.`,
};

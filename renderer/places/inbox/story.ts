// What became of a request, told from the history of the run that put it.
import { hashKey } from '@tanstack/react-query';
import type { Json } from '../../../shared/json.ts';
import type { EventRecord } from '../../../shared/api/index.ts';

export interface Story {
  /** The event that put the request; of a run with several attempts, the last. */
  requested: EventRecord;
  answered: EventRecord | undefined;
  /** The event that asked the run to cancel. */
  cancelled: EventRecord | undefined;
  /** What its delivery through a tool last met. */
  delivery: EventRecord | undefined;
}

/** @param events of the run, oldest first @returns undefined for a run that asked and told nobody */
export function storyOf(events: readonly EventRecord[]): Story | undefined {
  const from = events.findLastIndex(({ type }) => type === 'interaction_requested');
  const requested = events[from];
  if (requested === undefined) return undefined;
  const since = events.slice(from);
  const last = (fits: (type: string) => boolean): EventRecord | undefined => since.findLast(({ type }) => fits(type));
  return {
    requested,
    answered: last((type) => type === 'request_answered'),
    cancelled: last((type) => type === 'run_cancel_requested'),
    delivery: last((type) => type.startsWith('delivery_')),
  };
}

/** How a request reaches its party, in words. What was not delivered when its run ended is not tried again. */
export function deliveryWords({ requested, delivery }: Story, status: string): string {
  const through = requested.data['delivery'] as { server: string; tool: string } | null;
  if (through === null) return 'Inbox';
  const tool = `${through.server}/${through.tool}`;
  switch (delivery?.type) {
    case undefined:
      return status === 'started' ? `To be delivered by ${tool}` : `Not delivered by ${tool}`;
    case 'delivery_started':
      return `Being delivered by ${tool}`;
    case 'delivery_succeeded':
      return `Delivered by ${tool}`;
    case 'delivery_failed':
      return status === 'started' && delivery.data['gave_up'] !== true
        ? `Retrying soon through ${tool}`
        : `Not delivered by ${tool}`;
    default:
      return `Not delivered by ${tool}`;
  }
}

export type Standing = 'open' | 'cancelling' | 'answered' | 'ended' | 'notice';

export function standingOf(story: Story, status: string): Standing {
  if (story.requested.data['takes_answer'] !== true) return 'notice';
  if (story.answered !== undefined) return 'answered';
  if (status !== 'started') return 'ended';
  return story.cancelled === undefined ? 'open' : 'cancelling';
}

/** Whether the answer that a request took is this one, whoever gave it: the same again is not another one. */
export function tookAnswer({ answered }: Story, answer: Json): boolean {
  return answered !== undefined && hashKey([answered.data['answer']]) === hashKey([answer]);
}

/** The first line of a message that says something, for a list: without the marks of Markdown. */
export function firstLine(message: string | undefined): string | undefined {
  const line = message?.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one));
  return line
    ?.replace(/^\s*(?:[>#*-]+\s+)*/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();
}

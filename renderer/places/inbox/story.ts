// The course of a request, derived from the history of its run.
import { hashKey } from '@tanstack/react-query';
import type { Json } from '../../../shared/json.ts';
import type { EventRecord } from '../../../shared/api/index.ts';

export interface Story {
  /** The event that made the request; after several attempts, the last one. */
  requested: EventRecord;
  answered: EventRecord | undefined;
  /** The event that requested the cancellation of the run. */
  cancelled: EventRecord | undefined;
  /** The last event of its delivery through a tool. */
  delivery: EventRecord | undefined;
}

/** @param events of the run, oldest first @returns undefined for a run without a request */
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

/** How a request reaches its party. Delivery is not retried after the run ended. */
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

export type RequestState = 'open' | 'cancelling' | 'answered' | 'ended' | 'notice';

export function requestStateOf(story: Story, status: string): RequestState {
  if (story.requested.data['takes_answer'] !== true) return 'notice';
  if (story.answered !== undefined) return 'answered';
  if (status !== 'started') return 'ended';
  return story.cancelled === undefined ? 'open' : 'cancelling';
}

/** Whether the recorded answer equals this one; it may come from another person. */
export function tookAnswer({ answered }: Story, answer: Json): boolean {
  return answered !== undefined && hashKey([answered.data['answer']]) === hashKey([answer]);
}

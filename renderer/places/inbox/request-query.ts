import { queryOptions } from '@tanstack/react-query';
import type { EventRecord, RunWithRecord } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { eventQuery } from '../../api/queries.ts';
import { type Story, storyOf } from './story.ts';

const PAGE = 100;

export interface OneRequest {
  run: RunWithRecord;
  /** The event that started the run, with the full input. */
  started: EventRecord | undefined;
  /** Undefined for a run without a request. Its events are complete. */
  story: Story | undefined;
}

export function requestQuery(playbook: string, runId: string) {
  return queryOptions({
    // Under the key of the run, so that every event of the run invalidates it.
    queryKey: [playbook, 'run', runId, 'request'],
    queryFn: async ({ client, signal }): Promise<OneRequest> => {
      const [run, events] = await Promise.all([
        call('get_run', { playbook, run_id: runId }, signal),
        readHistory(playbook, runId, signal),
      ]);
      const whole = async <Event extends EventRecord | undefined>(event: Event) =>
        event === undefined ? event : ((await client.fetchQuery(eventQuery(playbook, event.id))) as Event);
      const story = storyOf(events);
      const startedBefore = story === undefined ? events : events.slice(0, events.indexOf(story.requested));
      const [started, requested, answered] = await Promise.all([
        whole(startedBefore.findLast(({ type }) => type === 'run_started')),
        whole(story?.requested),
        whole(story?.answered),
      ]);
      return {
        run,
        started,
        story: story === undefined || requested === undefined ? undefined : { ...story, requested, answered },
      };
    },
  });
}

async function readHistory(playbook: string, runId: string, signal: AbortSignal): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call('get_run_history', { playbook, run_id: runId, limit: PAGE, cursor }, signal);
    events.push(...page.events);
    if (page.next_cursor === null) return events;
    cursor = page.next_cursor;
  }
}

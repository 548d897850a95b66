import { queryOptions } from '@tanstack/react-query';
import type { Schedule } from '../../../shared/api/index.ts';
import { durationWords } from '../../../shared/duration-words.ts';
import { call } from '../../api/call.ts';

/** Milliseconds: longer intervals do not fit a timer. */
const LONGEST = 3_600_000;

/** What the clock starts in a playbook. It is read again when the next time has passed. */
export function schedulesQuery(playbook: string) {
  return queryOptions({
    queryKey: [playbook, 'schedules'],
    queryFn: async ({ signal }) => (await call('list_schedules', { playbook }, signal)).schedules,
    refetchInterval: ({ state: { data = [] } }) => {
      const next = data.flatMap(({ next_times: [time] }) => (time === undefined ? [] : [Date.parse(time)]));
      return next.length === 0 ? false : Math.min(LONGEST, Math.max(1_000, Math.min(...next) - Date.now() + 500));
    },
  });
}

/** How often a schedule fires. */
export function cadenceWords({ trigger, timezone }: Pick<Schedule, 'trigger' | 'timezone'>): string {
  const { kind, expression, milliseconds = 0 } = trigger;
  if (expression !== undefined) return `cron ${expression} (${timezone})`;
  return kind === 'after' ? `${durationWords(milliseconds)} after each run` : `every ${durationWords(milliseconds)}`;
}

import type { ScheduledTime } from '../../../shared/api/index.ts';
import { type ClientOptions, withClient } from './attach.ts';
import { failed } from './failure.ts';
import { show } from './output.ts';

const MORE = 'There are more times; repeat the command with a later --from.';

/** Prints the times of a period, or runs those that were missed. */
export async function backfill(
  playbook: string,
  name: string,
  { from, until, run, ...options }: ClientOptions & { from: string; until?: string; run?: boolean },
): Promise<void> {
  const answer = await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
    const schedule = { org: options.org, playbook, name };
    const found = await client.call('list_schedule_times', { ...schedule, from, until });
    const missed = found.times.filter(({ run_id: runId }) => runId === undefined).map(({ time }) => time);
    if (run !== true || missed.length === 0) return found;
    return { ...found, ...(await client.call('backfill_schedule', { ...schedule, times: missed })) };
  });
  if (answer.times.length === 0) throw failed('The schedule has no time in this period since it was set.');
  show(options, answer, () => [...answer.times.map(timeLine), ...(answer.has_more ? [MORE] : [])].join('\n'));
}

function timeLine({ time, run_id: runId, status }: ScheduledTime): string {
  return runId === undefined ? `${time}  missed` : `${time}  ${status}  ${runId}`;
}

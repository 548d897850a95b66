// Schedules on the command line: shown, paused and resumed, and the times that they missed.
import type { ScheduledTime } from '../../../shared/api/index.ts';
import { periodWords } from '../../lib/duration.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { show } from './output.ts';

type Options = AttachOptions & { org?: string | undefined; json?: boolean | undefined };

const ATTACHED = { whenAbsent: 'refuse' } as const;

/** Prints the schedules of a playbook with their next times. */
export async function schedules(playbook: string, options: Options): Promise<void> {
  const answer = await withClient(options, ATTACHED, (client) =>
    client.call('list_schedules', { org: options.org, playbook }),
  );
  show(options, answer, () =>
    answer.schedules.length === 0
      ? 'No workflow of the playbook has a schedule of cron, every or after.'
      : answer.schedules
          .map(({ workflow, trigger, timezone, next_times: [next], paused_at: at, paused_by: by }) => {
            const { kind, expression, milliseconds = 0 } = trigger;
            const cadence =
              expression === undefined ? `${kind} ${periodWords({ milliseconds })}` : `${expression} (${timezone})`;
            const times = at === undefined ? (next === undefined ? '' : `next ${next}`) : `paused at ${at} by ${by}`;
            return [workflow, cadence, times].join('  ');
          })
          .join('\n'),
  );
}

/** Pauses or resumes the schedule of a workflow. */
export async function changeSchedule(
  operation: 'pause_schedule' | 'resume_schedule',
  playbook: string,
  name: string,
  options: Options,
): Promise<void> {
  const answer = await withClient(options, ATTACHED, (client) =>
    client.call(operation, { org: options.org, playbook, name }),
  );
  const [next] = answer.next_times;
  show(options, answer, () =>
    answer.paused_at === undefined
      ? `The schedule of ${name} is running${next === undefined ? '' : `; its next time is ${next}`}.`
      : `The schedule of ${name} is paused.`,
  );
}

/** Prints the times of a period, or runs those that were missed. */
export async function backfill(
  playbook: string,
  name: string,
  { from, until, run, ...options }: Options & { from: string; until?: string | undefined; run?: boolean | undefined },
): Promise<void> {
  const answer = await withClient(options, ATTACHED, async (client) => {
    const at = { org: options.org, playbook, name };
    const found = await client.call('list_schedule_times', { ...at, from, until });
    const missed = found.times.filter(({ run_id: runId }) => runId === undefined).map(({ time }) => time);
    if (run !== true || missed.length === 0) return found;
    return { ...found, ...(await client.call('backfill_schedule', { ...at, times: missed })) };
  });
  if (answer.times.length === 0) {
    throw new CommandFailure('The schedule has no time in this period since it was set.', EXIT.failed);
  }
  show(options, answer, () => [...answer.times.map(timeLine), ...(answer.has_more ? [MORE] : [])].join('\n'));
}

const MORE = 'There are more times; repeat the command with a later --from.';

function timeLine({ time, run_id: runId, status }: ScheduledTime): string {
  return runId === undefined ? `${time}  missed` : `${time}  ${status}  ${runId}`;
}

// The answers of operations as text, for the commands that print them.
import type { Answer, Input, Schedule } from '../../../shared/api/index.ts';
import { periodWords } from '../../lib/duration.ts';

/** One line per step, with called runs indented. */
export function explanationText({ lines, run_id: runId }: Answer<'explain_run'>, input: Input<'explain_run'>): string {
  return [
    ...lines.map(({ text, depth }) => `${'  '.repeat(depth)}${text}`),
    '',
    `Details of each event: cuebook history ${input.playbook} ${runId}`,
  ].join('\n');
}

export function schedulesText({ schedules }: Answer<'list_schedules'>): string {
  if (schedules.length === 0) return 'No workflow of the playbook has a schedule of cron, every or after.';
  return schedules
    .map(({ workflow, trigger, timezone, next_times: [next], paused_at: at, paused_by: by }) => {
      const { kind, expression, milliseconds = 0 } = trigger;
      const cadence =
        expression === undefined ? `${kind} ${periodWords({ milliseconds })}` : `${expression} (${timezone})`;
      const times = at === undefined ? (next === undefined ? '' : `next ${next}`) : `paused at ${at} by ${by}`;
      return [workflow, cadence, times].join('  ');
    })
    .join('\n');
}

/** Whether the schedule is paused, as a sentence. */
export function scheduleText({ workflow, paused_at: pausedAt, next_times: [next] }: Schedule): string {
  if (pausedAt !== undefined) return `The schedule of ${workflow} is paused.`;
  return `The schedule of ${workflow} is running${next === undefined ? '' : `; its next time is ${next}`}.`;
}

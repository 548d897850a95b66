import Type from 'typebox';
import { flag, list, object, optional, text } from '../../../shared/schemas/fields.ts';
import { ScheduledTimeSchema, ScheduleSchema } from '../../../shared/schemas/index.ts';
import { invalidInput } from '../../lib/rejection.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import { readIsoTime } from '../events/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import { MOST_TIMES, type Schedules } from './schedules.ts';

const PLAYBOOK = text("The playbook's id.");
const PATH = Type.Object({ playbook: PLAYBOOK, name: text('The name of the workflow.') });
const READ = { readOnly: true, destructive: false, idempotent: true };
const WRITE = { readOnly: false, destructive: false, idempotent: true };
const TIME = { maxLength: 64, description: 'ISO 8601 with an offset.' };

/** Schedules are for people who operate a playbook; agents read them in the definition and run the workflow. */
const BY_DEFINITION = { instead: { tool: 'get_definition', how: 'its `triggers` show the schedule' } };
const BY_RUN = { instead: { tool: 'run_definition', how: 'it starts the workflow now' } };

const COMMON = { tag: 'Schedules', addition: true, mcp: false } as const;
const READING = {
  ...COMMON,
  permissions: ['playbook:read'],
  method: 'GET',
  hints: READ,
  forAgents: BY_DEFINITION,
} as const;
const WRITING = {
  ...COMMON,
  permissions: ['playbook:write'],
  method: 'POST',
  hints: WRITE,
  forAgents: BY_RUN,
} as const;

export function scheduleOperations(schedules: Schedules, playbooks: Playbooks): Operation[] {
  return [...readingOperations(schedules), ...writingOperations(schedules, playbooks)];
}

function readingOperations(schedules: Schedules): Operation[] {
  return [
    defineOperation({
      ...READING,
      name: 'list_schedules',
      title: 'List schedules',
      description: 'Lists the active workflows that the clock starts, with their next times.',
      route: '/playbooks/{playbook}/schedules',
      path: Type.Object({ playbook: PLAYBOOK }),
      output: object({ schedules: list('By the name of the workflow.', ScheduleSchema) }),
      problems: ['not_found'],
      handle: async ({ org }, { playbook }) => ({ schedules: await schedules.list({ org, playbook }) }),
    }),
    defineOperation({
      ...READING,
      name: 'list_schedule_times',
      title: 'List the times of a schedule',
      description: `Lists the past times of a schedule of \`cron\` or \`every\` in a period, oldest first and at most ${MOST_TIMES}, each with its run. A time without a run was missed: the server was off, or the schedule was paused. \`backfill_schedule\` starts its run.`,
      route: '/playbooks/{playbook}/schedules/{name}/times',
      path: PATH,
      fields: object({
        from: Type.String(TIME),
        until: optional(text('Default: now.', { ...TIME })),
      }),
      output: object({
        times: list('Oldest first.', ScheduledTimeSchema),
        has_more: flag('Whether the period has more times; ask again from the last one.'),
      }),
      problems: ['not_found', 'conflict'],
      async handle({ org }, { playbook, name, from, until }) {
        const period = {
          from: timeOf('/from', from),
          until: until === undefined ? Number.POSITIVE_INFINITY : timeOf('/until', until),
        };
        const { times, hasMore } = await schedules.times({ org, playbook }, name, period);
        return { times, has_more: hasMore };
      },
    }),
  ];
}

function writingOperations(schedules: Schedules, playbooks: Playbooks): Operation[] {
  return [
    defineOperation({
      ...WRITING,
      name: 'pause_schedule',
      title: 'Pause a schedule',
      description:
        'Has the clock start no runs of a workflow until `resume_schedule`, also after the workflow is saved again. Runs in progress continue, and its event trigger is not affected. A paused schedule stays paused.',
      route: '/playbooks/{playbook}/schedules/{name}/pause',
      path: PATH,
      output: ScheduleSchema,
      problems: ['not_found', 'conflict'],
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: ({ org, caller }, { playbook, name }) => schedules.pause({ org, playbook }, name, caller.id),
    }),
    defineOperation({
      ...WRITING,
      name: 'resume_schedule',
      title: 'Resume a schedule',
      description:
        'Has the clock start runs again, from the next time on. Times that passed while the schedule was paused are not made up for; `backfill_schedule` does that.',
      route: '/playbooks/{playbook}/schedules/{name}/resume',
      path: PATH,
      output: ScheduleSchema,
      problems: ['not_found', 'conflict'],
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: ({ org, caller }, { playbook, name }) => schedules.resume({ org, playbook }, name, caller.id),
    }),
    defineOperation({
      ...WRITING,
      name: 'backfill_schedule',
      title: 'Run missed times of a schedule',
      description:
        'Starts a run of the current version for each of the given past times of a schedule that has none yet. Times come from `list_schedule_times`. Repeating the request starts nothing twice.',
      route: '/playbooks/{playbook}/schedules/{name}/backfill',
      path: PATH,
      fields: object({
        times: list('Past times of the schedule.', Type.String(TIME), { minItems: 1, maxItems: MOST_TIMES }),
      }),
      output: object({ times: list('The given times with their runs.', ScheduledTimeSchema) }),
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { ...WRITE, destructive: true, openWorld: true },
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      async handle({ org, caller, traceId }, { playbook, name, times }) {
        const asked = times.map((time, index) => timeOf(`/times/${index}`, time));
        return { times: await schedules.backfill({ org, playbook }, name, { times: asked, by: caller.id, traceId }) };
      },
    }),
  ];
}

/** In milliseconds since 1970. @throws Refused `invalid_input` */
function timeOf(pointer: string, written: string): number {
  const time = readIsoTime(written);
  if (time !== undefined) return time;
  const detail = 'must be a time in ISO 8601 with an offset, such as 2026-03-02T09:00:00Z';
  throw invalidInput([{ pointer, detail }]);
}

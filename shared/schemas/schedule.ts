// Schedules of workflows, and their times.
import Type, { type Static } from 'typebox';
import { TriggerSchema } from './definition.ts';
import { timestamp } from './fields.ts';

export const ScheduleSchema = Type.Object(
  {
    workflow: Type.String({ description: 'The name of the workflow.' }),
    trigger: TriggerSchema,
    timezone: Type.Optional(
      Type.String({
        description: 'The IANA time zone in which a `cron` expression is read; absent for other triggers.',
      }),
    ),
    set_at: timestamp('When the schedule was last changed. It has no times before.'),
    next_times: Type.Array(timestamp('A time.'), {
      description: 'The next five times; empty while it is paused, and for `after`.',
    }),
    paused_at: Type.Optional(timestamp('Since when it is paused; absent if it is not.')),
    paused_by: Type.Optional(Type.String({ description: 'The caller who paused it.' })),
  },
  { additionalProperties: false, description: 'What the clock starts.' },
);

export type Schedule = Static<typeof ScheduleSchema>;

export const ScheduledTimeSchema = Type.Object(
  {
    time: timestamp('A time of the schedule.'),
    run_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'The run of this time; absent if it was missed.' }),
    ),
    status: Type.Optional(
      Type.Enum(['started', 'succeeded', 'rejected', 'failed'], { description: 'The status of that run.' }),
    ),
  },
  { additionalProperties: false, description: 'A time of a schedule, with its run.' },
);

export type ScheduledTime = Static<typeof ScheduledTimeSchema>;

// Schedules of workflows, and their times.
import type { Static } from 'typebox';
import { TriggerSchema } from './definition.ts';
import { list, object, oneOf, optional, text, timestamp } from './fields.ts';

export const ScheduleSchema = object('What the clock starts.', {
  workflow: text('The name of the workflow.'),
  trigger: TriggerSchema,
  timezone: optional(text('The IANA time zone in which a `cron` expression is read; absent for other triggers.')),
  set_at: timestamp('When the schedule was last changed. It has no times before.'),
  next_times: list('The next five times; empty while it is paused, and for `after`.', timestamp('A time.')),
  paused_at: optional(timestamp('Since when it is paused; absent if it is not.')),
  paused_by: optional(text('The caller who paused it.')),
});

export type Schedule = Static<typeof ScheduleSchema>;

export const ScheduledTimeSchema = object('A time of a schedule, with its run.', {
  time: timestamp('A time of the schedule.'),
  run_id: optional(text('The run of this time; absent if it was missed.', { format: 'uuid' })),
  status: optional(oneOf('The status of that run.', ['started', 'succeeded', 'rejected', 'failed'])),
});

export type ScheduledTime = Static<typeof ScheduledTimeSchema>;

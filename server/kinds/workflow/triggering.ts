// What starts runs by itself, read from a workflow's document.
import type { Json } from '../../../shared/json.ts';
import type { CloudEvent, EventInterest } from '../durable.ts';
import { parseDuration } from '../../lib/duration.ts';
import { nextCronTime } from './cron-times.ts';
import type { Schedule } from './document/index.ts';
import { interestsOf, readAs } from './engine/index.ts';

/** A schedule's clock: when it fires first after a moment. Undefined where it has none, or never fires again. */
export function nextTime(schedule: Schedule | undefined, anchor: number, now: number): number | undefined {
  const timezone = timeZoneOf(schedule);
  if (schedule?.cron !== undefined && timezone !== undefined) return nextCronTime(schedule.cron, timezone, now);
  const period = schedule?.every === undefined ? undefined : parseDuration(schedule.every)?.milliseconds;
  if (period === undefined || period <= 0) return undefined;
  return anchor + period * (Math.floor((now - anchor) / period) + 1);
}

/** In which a cron expression is read. Undefined where the schedule has none. */
export function timeZoneOf(schedule: Schedule | undefined): string | undefined {
  return schedule?.cron === undefined ? undefined : (schedule.timezone ?? 'UTC');
}

export function inputOfEvents(schedule: Schedule | undefined, events: readonly CloudEvent[]): Json {
  return events.map((event) => readAs(schedule?.read, event));
}

export function interestsOfSchedule(schedule: Schedule | undefined): readonly EventInterest[] {
  return schedule?.on === undefined ? [] : interestsOf(schedule.on);
}

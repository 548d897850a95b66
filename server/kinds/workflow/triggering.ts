// What starts runs by itself, read from a workflow's document.
import type { Json } from '../../../shared/json.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { TriggerFilter } from '../checked.ts';
import type { CloudEvent, EventInterest, StartingEvents } from '../durable.ts';
import { parseDuration } from '../../lib/duration.ts';
import { type Evaluation, wholeExpression } from '../../lib/jq/index.ts';
import { nextCronTime } from './cron-times.ts';
import type { ConsumptionStrategy, Schedule } from './document/index.ts';
import { filtersOf, interestsOf, readAs } from './engine/index.ts';

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

/** The attributes that interests compare, if the document gives them as text. */
const INTERESTS: ReadonlySet<string> = new Set(['type', 'source', 'subject']);

function startingEvents(on: ConsumptionStrategy): StartingEvents {
  const filters = filtersOf(on);
  const isSeveral = ('all' in on && filters.length > 1) || ('any' in on && on.until !== undefined);
  // What a correlation expects may come from an earlier event.
  if (isSeveral || filters.some(({ correlate }) => correlate !== undefined)) return 'several';
  const isExact = filters.every((filter) =>
    Object.entries(filter.with).every(([name, value]) => INTERESTS.has(name) && isLiteral(value)),
  );
  return isExact ? 'each' : 'taken';
}

/**
 * Whether a filter takes the event, as a gathering decides it: an expression that fails before that takes nothing.
 * @param evaluate undefined if the value cannot be evaluated at once
 */
export function takes(
  filters: readonly TriggerFilter[],
  event: CloudEvent,
  evaluate: (expression: string, input: Json) => Evaluation | undefined,
): boolean | undefined {
  const accepts = (wanted: Json, found: Json | undefined): boolean | undefined => {
    const expression = typeof wanted === 'string' ? wholeExpression(wanted) : undefined;
    if (expression === undefined) {
      return isLiteral(wanted) ? found !== undefined && canonicalJson(wanted) === canonicalJson(found) : undefined;
    }
    const evaluation = evaluate(expression, found ?? null);
    if (evaluation?.ok !== true) return undefined;
    const { value } = evaluation;
    return value === true || (found !== undefined && canonicalJson(value) === canonicalJson(found));
  };
  for (const { type, attributes } of filters) {
    const wanted = Object.entries({ ...(type === undefined ? {} : { type }), ...attributes });
    let isTaken: boolean | undefined = true;
    for (const [name, value] of wanted) if (isTaken === true) isTaken = accepts(value, event[name]);
    if (isTaken !== false) return isTaken;
  }
  return false;
}

/** Without an expression in it. */
function isLiteral(value: Json): boolean {
  if (typeof value === 'string') return wholeExpression(value) === undefined;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isLiteral);
}

export function interestsOfSchedule({ on }: Schedule = {}): readonly (EventInterest & { starts: StartingEvents })[] {
  return on === undefined ? [] : interestsOf(on).map((interest) => ({ ...interest, starts: startingEvents(on) }));
}

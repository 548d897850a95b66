// The times of a cron expression in a time zone. Where the clock of the zone changes, they are those of cronie:
//
// 1. An expression whose minute or hour begins with `*` follows the clock: it has no times that the clock skips, and
//    has those that the clock repeats twice.
// 2. Any other expression has fixed times. Those that the clock skips become one time, right after the gap; those that
//    it repeats count once, the first time.
// 3. A change of three hours or more is a correction of the zone: what it skips has no time.
import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CORRECTION_MS = 3 * HOUR;

/**
 * The first time of the expression after a moment; undefined if it has none.
 * @param now in milliseconds since 1970, as the result
 */
export function nextCronTime(expression: string, timezone: string, now: number): number | undefined {
  return followsClock(expression)
    ? nextIn(expression, timezone, now)
    : nextFixedTime(expression, zoneOf(timezone), now);
}

function followsClock(expression: string): boolean {
  const [minute = '', hour = ''] = expression.trim().split(/\s+/);
  return /^[*?]/.test(minute) || /^[*?]/.test(hour);
}

function nextIn(expression: string, timezone: string, now: number): number | undefined {
  return new Cron(expression, { timezone, mode: '5-part', paused: true }).nextRun(new Date(now))?.getTime();
}

function nextFixedTime(expression: string, zone: Zone, now: number): number | undefined {
  let from = latestLocalTime(zone, now);
  for (;;) {
    const local = nextIn(expression, 'UTC', from);
    if (local === undefined) return undefined;
    const moment = firstMomentOf(zone, local);
    if (moment.isValid) return moment.at;
    from = moment.resumesAt - 1;
  }
}

/** Local times are written as if they were UTC, in milliseconds since 1970. */
interface Zone {
  localTime(moment: number): number;
  /** Local time minus UTC. */
  offset(moment: number): number;
}

/** The latest local time that the clock has shown so far: after it was set back, one that is still to come. */
function latestLocalTime(zone: Zone, now: number): number {
  const before = zone.offset(now - DAY);
  if (before <= zone.offset(now)) return zone.localTime(now);
  return Math.max(zone.localTime(now), changeBetween(zone, now - DAY, now) + before - 1);
}

type FirstMoment = { isValid: true; at: number } | { isValid: false; resumesAt: number };

/** When the clock first shows a local time or, if it skips it, a later one; not across a correction of the zone. */
function firstMomentOf(zone: Zone, local: number): FirstMoment {
  const [before, after] = [zone.offset(local - DAY), zone.offset(local + DAY)];
  const candidates = [local - Math.max(before, after), local - Math.min(before, after)];
  const shown = candidates.find((moment) => zone.localTime(moment) === local);
  if (shown !== undefined) return { isValid: true, at: shown };
  const change = changeBetween(zone, local - DAY, local + DAY);
  if (after - before < CORRECTION_MS) return { isValid: true, at: change };
  return { isValid: false, resumesAt: change + after };
}

/** The moment of the one change of offset in a period. */
function changeBetween(zone: Zone, start: number, end: number): number {
  const offset = zone.offset(start);
  let [before, after] = [start, end];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offset(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

const zones = new LRUCache<string, Zone>({ max: 100 });

function zoneOf(timezone: string): Zone {
  const known = zones.get(timezone);
  if (known !== undefined) return known;
  const zone = createZone(timezone);
  zones.set(timezone, zone);
  return zone;
}

function createZone(timezone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offset = (moment: number): number => {
    const second = Math.floor(moment / 1000) * 1000;
    const parts = Object.fromEntries(format.formatToParts(second).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  };
  return { offset, localTime: (moment) => moment + offset(moment) };
}

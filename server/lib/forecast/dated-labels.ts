// Datasets whose labels are dates although their periods are longer: a month, quarter or year by its first or last day, its
// first or last working day, or the same day of each; a week by one of its days; a day by midnight.
import { dayOfMonth, monthOfDay, type Period, weekdayOfDay, weekOfDay } from './calendar.ts';

const HOURS = 24;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

export interface DatedLabels {
  /** Takes the index of a label of the period `hour` or `day`. */
  add(index: number): void;
  /**
   * The period that the labels stand for, and the index of each label there.
   * @param wanted the period that is needed: kept where the labels can stand for it
   */
  settle(wanted: Period | undefined): { period: Period; indexOf: (index: number) => number };
}

/** @param form the period that the form of the labels says */
export function createDatedLabels(form: 'hour' | 'day'): DatedLabels {
  const hoursOfLabel = form === 'hour' ? HOURS : 1;
  let first: number | undefined;
  let areSeveral = false;
  let areDays = true;
  let areFirstDays = true;
  let areLastDays = true;
  let areOfOneDate = true;
  /** By month, the day that stands for it; no months once one has two. */
  let dayOf: Map<number, number> | undefined = new Map();
  let areOfOneWeekday = true;
  /** The months of the labels differ by multiples of so many. */
  let step = 0;

  /** Whether the labels can stand for a period. One date alone is that day. */
  function canBe(period: Period): boolean {
    switch (period) {
      case 'hour':
        return form === 'hour';
      case 'day':
        return form === 'day' || (areDays && areSeveral);
      case 'week':
        return areDays && areSeveral && areOfOneWeekday;
      default:
        return areDays && areSeveral && areOfMonths() && step % MONTHS[period] === 0;
    }
  }

  function areOfMonths(): boolean {
    return dayOf !== undefined && (areFirstDays || areLastDays || areOfOneDate);
  }

  return {
    add(index) {
      if (index % hoursOfLabel !== 0) areDays = false;
      const day = Math.floor(index / hoursOfLabel);
      const origin = (first ??= day);
      if (day !== origin) areSeveral = true;
      const month = monthOfDay(day);
      if (dayOf?.has(month) === true && dayOf.get(month) !== day) dayOf = undefined;
      dayOf?.set(month, day);
      if (!isOutermost(day, -1)) areFirstDays = false;
      if (!isOutermost(day, 1)) areLastDays = false;
      if (dayOfMonth(day) !== dayOfMonth(origin)) areOfOneDate = false;
      if (weekdayOfDay(day) !== weekdayOfDay(origin)) areOfOneWeekday = false;
      step = commonDivisor(step, Math.abs(month - monthOfDay(origin)));
    },
    settle(wanted) {
      const longest = (['year', 'quarter', 'month', 'week', 'day'] as const).find(canBe) ?? form;
      const period = wanted !== undefined && canBe(wanted) ? wanted : longest;
      return { period, indexOf: (index) => indexIn(period, Math.floor(index / hoursOfLabel), index) };
    },
  };
}

const SATURDAY = 5;

/** Whether no working day of the month comes before a day, or after it. */
function isOutermost(day: number, direction: -1 | 1): boolean {
  const month = monthOfDay(day);
  for (let other = day + direction; monthOfDay(other) === month; other += direction) {
    if (weekdayOfDay(other) < SATURDAY) return false;
  }
  return true;
}

function indexIn(period: Period, day: number, label: number): number {
  switch (period) {
    case 'hour':
      return label;
    case 'day':
      return day;
    case 'week':
      return weekOfDay(day);
    default:
      return Math.floor(monthOfDay(day) / MONTHS[period]);
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

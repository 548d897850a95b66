// Periods as integers: a label such as `2024-01` has an index, and the next period has the next integer. The calendar is
// the proleptic Gregorian one, in UTC; weeks are those of ISO 8601.

export const PERIODS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

export type Period = (typeof PERIODS)[number];

/** The period of a label, and its index. */
export interface ParsedLabel {
  period: Period;
  index: number;
}

const HOURS = 24;
const LABEL = /^(\d{4})(?:-(?:Q([1-4])|W(\d\d)|(\d\d)(?:-(\d\d)(?:T(\d\d))?)?))?$/;

/** Reads a label: `2024`, `2024-Q1`, `2024-01`, `2024-W05`, `2024-01-31` or `2024-01-31T07`; undefined for other texts. */
export function parseLabel(label: string): ParsedLabel | undefined {
  const match = LABEL.exec(label);
  if (match === null) return undefined;
  const [, years, quarter, week, months, days, hours] = match;
  const year = Number(years);
  if (quarter !== undefined) return { period: 'quarter', index: year * 4 + Number(quarter) - 1 };
  if (week !== undefined) return existing('week', weekIndex(year, Number(week)), label);
  if (months === undefined) return { period: 'year', index: year };
  const month = Number(months) - 1;
  if (month < 0 || month > 11) return undefined;
  if (days === undefined) return { period: 'month', index: year * 12 + month };
  const day = dayIndex(year, month, Number(days));
  if (hours === undefined) return existing('day', day, label);
  return existing('hour', day * HOURS + Number(hours), label);
}

/** February has no 30th, and most years have no week 53: such a label is not the one of its index. */
function existing(period: Period, index: number, label: string): ParsedLabel | undefined {
  return labelOf(period, index) === label ? { period, index } : undefined;
}

/** The label of a period. Before the year 0 and after 9999, which only a context or a horizon reaches, as in ISO 8601 `+010000`. */
export function labelOf(period: Period, index: number): string {
  switch (period) {
    case 'year':
      return yearDigits(index);
    case 'quarter':
      return `${yearDigits(Math.floor(index / 4))}-Q${modulo(index, 4) + 1}`;
    case 'month':
      return `${yearDigits(Math.floor(index / 12))}-${digits(modulo(index, 12) + 1, 2)}`;
    case 'week': {
      const { year, week } = isoWeek(index);
      return `${yearDigits(year)}-W${digits(week + 1, 2)}`;
    }
    case 'day': {
      const { year, month, day } = dateOf(index);
      return `${yearDigits(year)}-${digits(month + 1, 2)}-${digits(day, 2)}`;
    }
    case 'hour':
      return `${labelOf('day', Math.floor(index / HOURS))}T${digits(modulo(index, HOURS), 2)}`;
  }
}

/**
 * The phases of a period, each from 0 to below 1: where it stands in the day, the week and the year. A year has none,
 * a day has two, an hour three, the others one.
 */
export function phasesOf(period: Period, index: number): number[] {
  switch (period) {
    case 'year':
      return [];
    case 'quarter':
      return [modulo(index, 4) / 4];
    case 'month':
      return [modulo(index, 12) / 12];
    case 'week':
      return [isoWeek(index).week / 53];
    case 'day':
      return [weekdayOfDay(index) / 7, dayOfYear(index) / 366];
    case 'hour': {
      const day = Math.floor(index / HOURS);
      return [modulo(index, HOURS) / HOURS, ...phasesOf('day', day)];
    }
  }
}

/** The number of phases of each period. */
export const PHASES: Readonly<Record<Period, number>> = { hour: 3, day: 2, week: 1, month: 1, quarter: 1, year: 0 };

/** 1970-01-01, the day 0, was a Thursday; Monday counts as 0. */
const EPOCH_WEEKDAY = 3;

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

function yearDigits(year: number): string {
  if (year >= 0 && year <= 9999) return digits(year, 4);
  return `${year < 0 ? '-' : '+'}${digits(Math.abs(year), 6)}`;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Days since 1970-01-01. `Date.UTC` would take the years 0 to 99 for those of the last century. */
function dayIndex(year: number, month: number, day: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, month, day) / 86_400_000;
}

function dateOf(day: number): { year: number; month: number; day: number } {
  const date = new Date(day * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** The index of the month of a day. */
export function monthOfDay(day: number): number {
  const { year, month } = dateOf(day);
  return year * 12 + month;
}

/** The day of the month, from 1. */
export function dayOfMonth(day: number): number {
  return dateOf(day).day;
}

/** The day of the week, Monday counts as 0. */
export function weekdayOfDay(day: number): number {
  return modulo(day + EPOCH_WEEKDAY, 7);
}

function dayOfYear(day: number): number {
  return day - dayIndex(dateOf(day).year, 0, 1);
}

/** Weeks since the one of 1970-01-01; the week 1 of a year is the one of its 4 January. */
function weekIndex(year: number, week: number): number {
  return weekOfDay(dayIndex(year, 0, 4)) + week - 1;
}

/** The index of the week of a day. */
export function weekOfDay(day: number): number {
  return Math.floor((day + EPOCH_WEEKDAY) / 7);
}

/** @returns the week from 0, and the ISO year that it belongs to: that of its Thursday */
function isoWeek(index: number): { year: number; week: number } {
  const thursday = index * 7;
  const { year } = dateOf(thursday);
  return { year, week: index - weekIndex(year, 1) };
}

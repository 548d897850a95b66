// The rows of a series chart: one for each time, with the value and the interval of each line.
import type { ShapeOutput } from '../../shared/shapes/index.ts';

export type Series = ShapeOutput<'series'>;
export type Line = Series['lines'][number];

export interface Row {
  at: string;
  [key: string]: string | number | null | [low: number, high: number];
}

/** The key of a line's interval in a row. */
export function bandName(line: string): string {
  return `${line}, interval`;
}

export function hasInterval({ points }: Line): boolean {
  return points.some(({ low, high }) => low !== undefined && high !== undefined);
}

/** In chronological order. */
export function seriesRows({ lines }: Series): Row[] {
  const rows = new Map<string, Row>();
  for (const { name, points } of lines) {
    for (const { at, value, low, high } of points) {
      const row = rows.get(at) ?? { at };
      row[name] = value;
      if (low !== undefined && high !== undefined) row[bandName(name)] = [low, high];
      rows.set(at, row);
    }
  }
  return [...rows.values()].toSorted((a, b) => a.at.localeCompare(b.at));
}

/** The value of a line at a time, with its interval: "412 (350 to 470)"; empty if it has none. */
export function pointWords({ points }: Line, at: string): string {
  const point = points.find((one) => one.at === at);
  if (point === undefined || point.value === null) return '';
  const { value, low, high } = point;
  const words = value.toLocaleString();
  return low === undefined || high === undefined
    ? words
    : `${words} (${low.toLocaleString()} to ${high.toLocaleString()})`;
}

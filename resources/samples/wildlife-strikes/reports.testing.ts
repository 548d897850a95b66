// The sample's reports, and the shapes that its programs return, for the tests of the sample.
import { readFileSync } from 'node:fs';

export interface Report {
  id: string;
  date: string;
  airport: string;
  phase: string;
  size: string;
  damage: string;
  species: string;
  cost_usd?: number;
  speed_kt?: number;
}

export interface Table {
  columns: { key: string; title: string }[];
  rows: Record<string, string | number | null>[];
}

export interface Series {
  unit: string;
  lines: { name: string; points: { at: string; value: number | null; low?: number; high?: number }[] }[];
}

export const folder = new URL('./', import.meta.url);
export const reportsFile = readFileSync(new URL('data/reports.json', folder), 'utf8');
export const input = JSON.parse(reportsFile) as { records: Report[] };
export const { records } = input;

export function count(keep: (report: Report) => boolean): number {
  return records.filter(keep).length;
}

export function pointsOf(series: Series, name: string) {
  const line = series.lines.find((candidate) => candidate.name === name);
  if (line === undefined) throw new Error(`There is no line ${name}.`);
  return line.points;
}

export function sum(values: (number | null | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

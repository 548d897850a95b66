// Makes monthly-reports.csv from birdstrikes.csv of the npm package vega-datasets:
// node prepare-monthly.ts BIRDSTRIKES_CSV > monthly-reports.csv. See ../DATA.md for what is counted.
import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: node prepare-monthly.ts BIRDSTRIKES_CSV > monthly-reports.csv');

const text = readFileSync(file, 'utf8');
if (text.includes('"')) throw new Error('This file quotes fields; the one of vega-datasets 3.2.1 does not.');
const [header = '', ...lines] = text.trimEnd().split(/\r?\n/);
const columns = header.split(',');

function column(name: string): number {
  const index = columns.indexOf(name);
  if (index < 0) throw new Error(`There is no column ${name}.`);
  return index;
}

const [airport, state, date] = [column('Airport Name'), column('Origin State'), column('Flight Date')];
const LAST = '2002-06';

const months: string[] = [];
for (let year = 1990; year <= 2002; year += 1) {
  for (let month = 1; month <= 12; month += 1) months.push(`${year}-${String(month).padStart(2, '0')}`);
}

const counts = new Map<string, { state: string; byMonth: Map<string, number> }>();
for (const line of lines) {
  const cells = line.split(',');
  const name = cells[airport] ?? '';
  const month = (cells[date] ?? '').slice(0, 7);
  const series = counts.get(name) ?? { state: cells[state] ?? '', byMonth: new Map<string, number>() };
  series.byMonth.set(month, (series.byMonth.get(month) ?? 0) + 1);
  counts.set(name, series);
}

const rows = [...counts.entries()]
  .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  .flatMap(([name, series]) =>
    months
      .filter((month) => month <= LAST)
      .map((month) => `${name},${month},${series.byMonth.get(month) ?? 0},${series.state}`),
  );
process.stdout.write(`series,period,reports,state\n${rows.join('\n')}\n`);

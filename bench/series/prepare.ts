// Writes data sets of the npm package vega-datasets as datasets of prediction functions: node prepare.ts DATA FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [data, folder] = process.argv.slice(2);
if (data === undefined || folder === undefined) throw new Error('Usage: node prepare.ts DATA FOLDER');

function table(file: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(path.join(data ?? '', file), 'utf8')
    .trimEnd()
    .split(/\r?\n/);
  const columns = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
}

function write(name: string, rows: readonly (readonly [series: string, period: string, value: string | number])[]) {
  const text = rows.map((row) => row.join(',')).join('\n');
  writeFileSync(path.join(folder ?? '', `${name}.csv`), `series,period,value\n${text}\n`);
}

/** One series a column. */
function unpivot(file: string, dates: string, length: number, columns: readonly string[]) {
  const rows = table(file);
  return columns.flatMap((column) =>
    rows.map((row) => [column, (row[dates] ?? '').slice(0, length), row[column] ?? ''] as const),
  );
}

const jobs = table('us-employment.csv')[0] ?? {};
const sectors = Object.keys(jobs).filter((column) => column !== 'month' && column !== 'nonfarm_change');
write('employment', unpivot('us-employment.csv', 'month', 'YYYY-MM'.length, sectors));
write('seattle', unpivot('seattle-weather.csv', 'date', 'YYYY-MM-DD'.length, ['temp_max', 'temp_min']));

interface Unemployed {
  series: string;
  year: number;
  month: number;
  count: number;
}
const unemployed = JSON.parse(
  readFileSync(path.join(data, 'unemployment-across-industries.json'), 'utf8'),
) as Unemployed[];
write(
  'unemployment',
  unemployed.map(({ series, year, month, count }) => [series, `${year}-${String(month).padStart(2, '0')}`, count]),
);

// The dataset that the benchmarks of forecasts share: monthly series with a season, a trend and noise, a covariate that is
// known for the future, and a static column.
import type { ForecastSpec } from '../../server/lib/forecast/index.ts';
import { print, setting } from '../figures.ts';

const MONTHS = 120;
export const MIB = 1024 * 1024;

/** The environment variable BENCH_SERIES says how many series there are. */
export const SERIES = setting('BENCH_SERIES', 10_000);

export const SPEC: ForecastSpec = {
  period: 'month',
  season: 12,
  context: 64,
  horizon: 6,
  coverage: 0.8,
  windows: 6,
  value: 'tickets',
  known: ['promo'],
  observed: [],
  static: ['region'],
};

/** CSV in pieces of 1 MiB. */
export function makeDataset(): { parts: Buffer[]; mebibytes: number } {
  const rowsOf = ['series,period,tickets,promo,region\n'];
  for (let series = 0; series < SERIES; series += 1) {
    let rows = '';
    for (let month = 0; month < MONTHS; month += 1) {
      const label = `${2015 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
      const value = 100 + series / 100 + month / 5 + 20 * Math.sin((month * Math.PI) / 6) + 10 * Math.random();
      rows += `${seriesName(series)},${label},${value.toFixed(1)},${month % 3},${series % 50}\n`;
    }
    rowsOf.push(rows);
  }
  const whole = Buffer.from(rowsOf.join(''));
  const length = Math.ceil(whole.length / MIB);
  const parts = Array.from({ length }, (_, at) => whole.subarray(at * MIB, (at + 1) * MIB));
  const mebibytes = whole.length / MIB;
  console.log(`${SERIES} series, ${mebibytes.toFixed(1)} MiB`);
  return { parts, mebibytes };
}

export function seriesName(number: number): string {
  return `series ${number}`;
}

/** The baseline: lines, fields and one number of each, in the thread of the caller. @returns milliseconds */
export function readPlainly(dataset: readonly Buffer[]): number {
  const begun = performance.now();
  let sum = 0;
  for (const line of Buffer.concat(dataset).toString().split('\n')) sum += Number(line.split(',')[2] ?? 0) || 0;
  if (sum === 0) throw new Error('The plain reader lost the numbers.');
  const milliseconds = performance.now() - begun;
  print('baseline: lines, fields and a number in Node', `${milliseconds.toFixed(0)} ms`);
  return milliseconds;
}

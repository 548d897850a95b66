import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { records } from '../reports.testing.ts';

const [header, ...lines] = readFileSync(new URL('monthly-reports.csv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const rows = lines.map((line) => line.split(','));

test('given the monthly counts, then each of 50 airports has each of 150 months once', () => {
  expect(header).toBe('series,period,reports,state');
  const months = new Set(rows.map(([, month]) => month));
  const airports = new Set(rows.map(([airport]) => airport));
  expect([months.size, airports.size, rows.length]).toEqual([150, 50, 7500]);
  expect(new Set(rows.map(([airport, month]) => `${airport},${month}`)).size).toBe(7500);
});

test('given the Californian airports, then the counts are those of the reports of the same months', () => {
  const counted = new Map<string, number>();
  for (const { airport, date } of records) {
    const key = `${airport},${date.slice(0, 7)}`;
    if (date < '2002-07') counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const californian = rows.filter(([, , , state]) => state === 'California');
  expect(new Set(californian.map(([airport]) => airport)).size).toBe(5);
  for (const [airport, month, reports] of californian) {
    expect(Number(reports), `${airport} in ${month}`).toBe(counted.get(`${airport},${month}`) ?? 0);
  }
});

// The programs are plain modules, so the tests import them without the sandbox; `cuebook test` runs them in it.
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  count,
  folder,
  input,
  pointsOf,
  records,
  reportsFile,
  type Series,
  sum,
  type Table,
} from './reports.testing.ts';

interface Program<Output> {
  examples: { name: string; input: object; output: unknown }[];
  default: (input: object) => Output;
}

async function load<Output>(name: string): Promise<Program<Output>> {
  return (await import(new URL(`${name}.computation.ts`, folder).href)) as Program<Output>;
}

describe('the records', () => {
  test('are at least 500 and fit a run input', () => {
    expect(records).toHaveLength(890);
    expect(Buffer.byteLength(reportsFile)).toBeLessThan(262_144);
  });

  test('stand one a line, with an id of their own, in order of their days', () => {
    expect(reportsFile.trimEnd().split('\n')).toHaveLength(890 + 2);
    expect(new Set(records.map(({ id }) => id)).size).toBe(890);
    expect(records.map(({ date }) => date)).toEqual(records.map(({ date }) => date).toSorted());
  });

  test('have the totals that DATA.md names', () => {
    const damages = ['None', 'Minor', 'Medium', 'Substantial'].map((level) => count(({ damage }) => damage === level));
    expect(damages).toEqual([749, 84, 22, 35]);
    expect(count(({ cost_usd }) => cost_usd === undefined)).toBe(862);
    expect(count(({ speed_kt }) => speed_kt === undefined)).toBe(313);
    expect([records[0]?.date, records.at(-1)?.date]).toEqual(['1990-04-27', '2002-07-23']);
  });
});

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.computation.ts'))
  .map((file) => file.replace('.computation.ts', ''));

describe.each(names)('the examples of %s', (name) => {
  test('have the outputs that the program gives', async () => {
    const program = await load(name);
    expect(program.examples.length).toBeGreaterThan(0);
    for (const example of program.examples) {
      expect({ ...example, output: program.default(example.input) }).toEqual(example);
    }
  });
});

describe('triage-score', () => {
  test('puts every report into one of four priorities, and the reasons add up', async () => {
    const program = await load<{ score: number; priority: string; reasons: { points: number }[] }>('triage-score');
    const results = records.map((report) => program.default(report));
    for (const { score, reasons } of results) {
      expect(score).toBe(sum(reasons.map(({ points }) => points)));
      expect(score).toBeLessThanOrEqual(100);
    }
    const numbers = ['P1', 'P2', 'P3', 'P4'].map(
      (wanted) => results.filter((result) => result.priority === wanted).length,
    );
    expect(numbers).toEqual([28, 78, 395, 389]);
  });

  test('ranks the same report higher when it tells of more damage', async () => {
    const program = await load<{ score: number }>('triage-score');
    const scores = ['None', 'Minor', 'Medium', 'Substantial'].map(
      (damage) => program.default({ phase: 'Approach', size: 'Medium', damage }).score,
    );
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(new Set(scores).size).toBe(4);
  });
});

async function due(fields: object): Promise<string> {
  return (await load<{ due_at: string }>('response-due')).default(fields).due_at;
}

describe('response-due', () => {
  test('counts from the opening when a report comes before it, and to the very close', async () => {
    // given a Wednesday, and an office that is open for 4 hours
    const office = { priority: 'P2', opens_hour: 8, closes_hour: 12 };
    expect(await due({ ...office, received_at: '2002-07-24T03:00:00Z' })).toBe('2002-07-24T12:00:00.000Z');
    expect(await due({ ...office, received_at: '2002-07-24T08:01:00Z' })).toBe('2002-07-25T08:01:00.000Z');
  });

  test('takes 40 of the 45 open hours of a week, over a weekend where it must', async () => {
    expect(await due({ priority: 'P4', received_at: '2002-07-22T08:00:00Z' })).toBe('2002-07-26T12:00:00.000Z');
    expect(await due({ priority: 'P4', received_at: '2002-07-23T08:00:00Z' })).toBe('2002-07-29T12:00:00.000Z');
  });

  test('refuses an office that closes before it opens', async () => {
    await expect(
      due({ priority: 'P3', received_at: '2002-07-24T03:00:00Z', opens_hour: 17, closes_hour: 8 }),
    ).rejects.toThrow('must close later');
  });
});

describe('report-summary', () => {
  test('has a row an airport, whose reports, damages and costs add up to those of all', async () => {
    const { rows } = (await load<Table>('report-summary')).default(input);
    expect(rows.map(({ group, reports, damaged }) => [group, reports, damaged])).toEqual([
      ['SACRAMENTO INTL', 352, 74],
      ['LOS ANGELES INTL', 166, 20],
      ['SAN FRANCISCO INTL ARPT', 146, 16],
      ['MINETA SAN JOSE INTL', 120, 10],
      ['METRO OAKLAND INTL', 106, 21],
    ]);
    for (const { group, reports, damaged, cost_usd } of rows) {
      const own = records.filter(({ airport }) => airport === group);
      expect(reports).toBe(own.length);
      expect(damaged).toBe(own.filter(({ damage }) => damage !== 'None').length);
      expect(cost_usd).toBe(sum(own.map((report) => report.cost_usd)));
    }
    expect(sum(rows.map(({ cost_usd }) => Number(cost_usd)))).toBe(4_861_510);
  });

  test('folds what has no row of its own into a last one', async () => {
    const { rows } = (await load<Table>('report-summary')).default({ ...input, by: 'species', top: 3 });
    expect(rows).toHaveLength(4);
    expect(rows[3]).toMatchObject({ group: '(19 others)', reports: 890 - 373 - 292 - 56 });
  });

  test('tells the days between reports by counting them', async () => {
    const { rows } = (await load<Table>('report-summary')).default({ ...input, by: 'size' });
    const days = records.filter(({ size }) => size === 'Large').map(({ date }) => Date.parse(date) / 86_400_000);
    const gaps = days.slice(1).map((day, index) => day - (days[index] ?? 0));
    const large = rows.find(({ group }) => group === 'Large');
    const median = Number(large?.median_gap_days);
    const p90 = Number(large?.p90_gap_days);
    const atMost = (limit: number) => gaps.filter((gap) => gap <= limit).length / gaps.length;
    expect([atMost(median) >= 0.5, atMost(median - 1) < 0.5]).toEqual([true, true]);
    expect([atMost(p90) >= 0.9, atMost(p90 - 1) < 0.9]).toEqual([true, true]);
  });
});

describe('monthly-volume', () => {
  test('counts every report once, in 148 months without a hole', async () => {
    const series = (await load<Series>('monthly-volume')).default(input);
    const reports = pointsOf(series, 'Reports');
    expect(reports).toHaveLength(148);
    expect([reports[0]?.at, reports.at(-1)?.at]).toEqual(['1990-04', '2002-07']);
    const recounted = reports.map(({ at }) => ({ at, value: count(({ date }) => date.startsWith(at)) }));
    expect(reports).toEqual(recounted);
    expect(sum(reports.map(({ value }) => value))).toBe(890);
    expect(sum(pointsOf(series, 'With damage').map(({ value }) => value))).toBe(141);
  });

  test('marks the months that lie outside what was to be expected, and no others', async () => {
    const series = (await load<Series>('monthly-volume')).default(input);
    const unusual = pointsOf(series, 'Unusual').filter(({ value }) => value !== null);
    expect(unusual).toEqual([
      { at: '1996-04', value: 0 },
      { at: '1998-06', value: 0 },
      { at: '2001-07', value: 18 },
    ]);
    const expected = pointsOf(series, 'Expected');
    const outside = pointsOf(series, 'Reports').filter(({ value }, index) => {
      const { low = 0, high = 0 } = expected[index] ?? {};
      return value !== null && (value < low || value > high);
    });
    expect(outside).toEqual(unusual);
  });

  test('finds one month that is put ten times as high', async () => {
    const extra = records.filter(({ date }) => date.startsWith('1997-03'));
    const swollen = { records: [...records, ...Array.from({ length: 9 }, () => extra).flat()] };
    const unusual = pointsOf((await load<Series>('monthly-volume')).default(swollen), 'Unusual');
    expect(unusual.find(({ at }) => at === '1997-03')?.value).toBe(10 * extra.length);
  });

  test('counts one airport over the months of all', async () => {
    const series = (await load<Series>('monthly-volume')).default({ ...input, airport: 'METRO OAKLAND INTL' });
    expect(pointsOf(series, 'Reports')).toHaveLength(148);
    expect(sum(pointsOf(series, 'Reports').map(({ value }) => value))).toBe(106);
  });
});

describe('possible-duplicates', () => {
  test('finds ten pairs, of which five agree in all that both give', async () => {
    const { rows } = (await load<Table>('possible-duplicates')).default(input);
    expect(rows).toHaveLength(10);
    expect(rows.filter(({ similarity }) => similarity === 100)).toHaveLength(5);
    const byId = new Map(records.map((report) => [report.id, report]));
    for (const { first, second, airport, days_apart } of rows) {
      const [one, other] = [byId.get(String(first)), byId.get(String(second))];
      expect([one?.airport, other?.airport]).toEqual([airport, airport]);
      expect((Date.parse(other?.date ?? '') - Date.parse(one?.date ?? '')) / 86_400_000).toBe(days_apart);
    }
  });

  test('finds a report that was put in twice', async () => {
    const [report] = records;
    const twice = { records: [...records, { ...report, id: 'AGAIN' }], days: 0, similarity: 100 };
    const { rows } = (await load<Table>('possible-duplicates')).default(twice);
    expect(rows.filter(({ first }) => first === 'AGAIN').map(({ second }) => second)).toEqual(['WS-00036']);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createExpressions } from '../../../server/lib/jq/index.ts';
import { createSchemaChecker } from '../../../server/lib/schemas/index.ts';
import { createTestSources } from '../../../server/lib/yaml/sources.testing.ts';
import { createTextWork } from '../../../server/lib/text-work/index.ts';
import { createTemplates } from '../../../server/lib/templates/index.ts';
import { createInteractionKind } from '../../../server/kinds/interaction/index.ts';
import type { CloudEvent } from '../../../server/kinds/durable.ts';
import { ANY_TOOLS } from '../../../server/kinds/no-tools.ts';
import { simulate } from '../../../server/kinds/simulate.ts';
import { createTestRuns } from '../../../server/kinds/workflow/testing.ts';

// The programs are plain modules, so that they can be tried here without the sandbox; `cuebook test` runs them in it.

interface Report {
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

interface Program<Output> {
  examples: { name: string; input: object; output: unknown }[];
  default: (input: object) => Output;
}

interface Table {
  columns: { key: string; title: string }[];
  rows: Record<string, string | number | null>[];
}

interface Series {
  unit: string;
  lines: { name: string; points: { at: string; value: number | null; low?: number; high?: number }[] }[];
}

const folder = new URL('./', import.meta.url);
const reportsFile = readFileSync(new URL('data/reports.json', folder), 'utf8');
const input = JSON.parse(reportsFile) as { records: Report[] };
const { records } = input;

async function load<Output>(name: string): Promise<Program<Output>> {
  return (await import(new URL(`${name}.computation.ts`, folder).href)) as Program<Output>;
}

function count(keep: (report: Report) => boolean): number {
  return records.filter(keep).length;
}

function pointsOf(series: Series, name: string) {
  const line = series.lines.find((candidate) => candidate.name === name);
  if (line === undefined) throw new Error(`There is no line ${name}.`);
  return line.points;
}

function sum(values: (number | null | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
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
    // given a Wednesday, and a office that is open for 4 hours
    const office = { priority: 'P2', opens_hour: 8, closes_hour: 12 };
    expect(await due({ ...office, received_at: '2002-07-24T03:00:00Z' })).toBe('2002-07-24T12:00:00.000Z');
    expect(await due({ ...office, received_at: '2002-07-24T08:01:00Z' })).toBe('2002-07-25T08:01:00.000Z');
  });

  test('takes 40 of the 45 open hours of a week, over a weekend where it must', async () => {
    expect(await due({ priority: 'P4', received_at: '2002-07-22T08:00:00Z' })).toBe('2002-07-26T12:00:00.000Z');
    expect(await due({ priority: 'P4', received_at: '2002-07-23T08:00:00Z' })).toBe('2002-07-29T12:00:00.000Z');
  });

  test('refuses a office that closes before it opens', async () => {
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
    expect(rows.filter(({ likeness }) => likeness === 100)).toHaveLength(5);
    const byId = new Map(records.map((report) => [report.id, report]));
    for (const { first, second, airport, days_apart } of rows) {
      const [one, other] = [byId.get(String(first)), byId.get(String(second))];
      expect([one?.airport, other?.airport]).toEqual([airport, airport]);
      expect((Date.parse(other?.date ?? '') - Date.parse(one?.date ?? '')) / 86_400_000).toBe(days_apart);
    }
  });

  test('finds a report that was put in twice', async () => {
    const [report] = records;
    const twice = { records: [...records, { ...report, id: 'AGAIN' }], days: 0, likeness: 100 };
    const { rows } = (await load<Table>('possible-duplicates')).default(twice);
    expect(rows.filter(({ first }) => first === 'AGAIN').map(({ second }) => second)).toEqual(['WS-00036']);
  });
});

describe('the interactions', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.interaction.yaml'));
  const expressions = createExpressions();
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  afterAll(() => Promise.all([expressions.close(), schemas.close(), textWork.close()]));
  const kind = createInteractionKind({
    sources: createTestSources(),
    tools: ANY_TOOLS,
    expressions,
    schemas,
    templates: createTemplates(textWork),
    requestUrl: () => '',
  });

  test.each(files)('%s is saved without a warning and its examples can be asked', async (file) => {
    const source = readFileSync(new URL(file, folder), 'utf8');
    const surroundings = { org: 'local', playbook: 'wildlife-strikes', definitionExists: () => true };
    const checked = await kind.check(source, surroundings);
    expect(checked).toMatchObject({ ok: true, document: { warnings: [] } });
    if (!checked.ok) return;
    expect(checked.document.examples.length).toBeGreaterThan(0);
    for (const example of checked.document.examples) expect(await kind.tryExample?.(source, example, 0)).toEqual([]);
  });
});

interface Recall<Output> {
  initial: object;
  evolve: (state: object, event: object) => object;
  answer: (state: object, input: object) => Output;
}

interface Told {
  type: string;
  time: string;
  data: object;
}

/** The events of all reports: each comes in at noon, is due four hours later, and is answered or not. */
function office(answeredAfter: (report: Report, place: number) => number | undefined): Told[] {
  const told = records.flatMap((report, place): Told[] => {
    const noon = Date.parse(`${report.date}T12:00:00Z`);
    const at = (hours: number) => new Date(noon + hours * 3_600_000).toISOString();
    const answered = answeredAfter(report, place);
    return [
      { type: 'report.received', time: at(0), data: report },
      { type: 'report.ranked', time: at(0), data: { report: report.id, priority: 'P2', due_at: at(4) } },
      ...(answered === undefined
        ? []
        : [{ type: 'report.answered', time: at(answered), data: { report: report.id, by: 'Ada' } }]),
    ];
  });
  return told.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
}

async function recall<Output>(name: string, events: readonly Told[], input: object, now: string): Promise<Output> {
  const program = (await import(new URL(`${name}.recall.ts`, folder).href)) as Recall<Output>;
  let state = structuredClone(program.initial);
  for (const [index, { time, ...event }] of events.entries()) {
    const id = String(index);
    state = program.evolve(state, { kind: 'event', id, at: time, by: 'developer', event: { id, time, ...event } });
  }
  vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
  try {
    return program.answer(state, input);
  } finally {
    vi.useRealTimers();
  }
}

describe('open-reports', () => {
  const every = (which: number) => office((_report, place) => (place % which === 0 ? undefined : 2));

  test('lists the reports that nobody answered, the most urgent first', async () => {
    const { rows } = await recall<Table>('open-reports', every(10), {}, '2002-08-01T00:00:00Z');
    const open = records.filter((_report, place) => place % 10 === 0);
    expect(rows.map(({ report }) => report)).toEqual(open.map(({ id }) => id));
    expect(rows[0]).toMatchObject({ airport: open[0]?.airport, priority: 'P2', reminders: 0 });
    expect(rows.every(({ hours_left }) => Number(hours_left) < 0)).toBe(true);
  });

  test('keeps an airport, and what is late', async () => {
    const ask = (input: object, now: string) => recall<Table>('open-reports', every(1), input, now);
    const { rows } = await ask({ airport: 'METRO OAKLAND INTL', top: 1000 }, '2002-08-01T00:00:00Z');
    expect(rows).toHaveLength(count(({ airport }) => airport === 'METRO OAKLAND INTL'));
    const last = records.at(-1)?.date;
    const late = await ask({ overdue: true, top: 1000 }, `${last}T13:00:00Z`);
    expect(late.rows).toHaveLength(count(({ date }) => date !== last));
  });

  test('takes a report that is told twice, or answered before it came, as it is', async () => {
    const [first = { type: '', time: '', data: {} }] = office(() => undefined);
    const answered = { ...first, type: 'report.answered', data: { report: records[0]?.id } };
    const ask = (events: Told[]) => recall<Table>('open-reports', events, {}, '2002-08-01T00:00:00Z');
    expect((await ask([answered, first, first])).rows).toHaveLength(1);
    expect((await ask([first, answered, answered])).rows).toHaveLength(0);
    expect((await ask([{ ...first, data: { id: 'constructor' } }])).rows).toHaveLength(1);
  });
});

describe('daily-answers', () => {
  test('counts what came in and what was answered in time and late, on the days that it keeps', async () => {
    const answers = office((_report, place) => (place % 3 === 0 ? 2 : place % 3 === 1 ? 30 : undefined));
    const series = await recall<Series>('daily-answers', answers, { days: 366 }, '2002-07-23T23:00:00Z');
    const days = pointsOf(series, 'Received').map(({ at }) => at);
    expect([days.length, days.at(-1)]).toEqual([366, '2002-07-23']);
    const counted = (keep: (report: Report, place: number) => boolean) =>
      days.map((at) => ({
        at,
        value: records.filter((report, place) => report.date === at && keep(report, place)).length,
      }));
    expect(pointsOf(series, 'Received')).toEqual(counted(() => true));
    expect(pointsOf(series, 'Answered in time')).toEqual(counted((_report, place) => place % 3 === 0));
    const nextDay = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
    const late = days.map((at) => ({
      at,
      value: records.filter(({ date }, place) => place % 3 === 1 && nextDay(date) === at).length,
    }));
    expect(pointsOf(series, 'Answered late')).toEqual(late);
    const evenings = days.map((at) => ({
      at,
      value: records.filter(({ date }, place) => date <= at && (place % 3 === 2 || (place % 3 === 1 && date === at)))
        .length,
    }));
    expect(pointsOf(series, 'Open in the evening')).toEqual(evenings);
  });
});

describe('the workflows', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.workflow.yaml'));
  const runs = createTestRuns();
  afterAll(() => runs.close());

  test.each(files)(
    '%s is saved without a warning and gives what its examples say',
    async (file) => {
      const source = readFileSync(new URL(file, folder), 'utf8');
      const surroundings = { org: 'local', playbook: 'wildlife-strikes', definitionExists: () => true };
      const checked = await runs.kind.check(source, surroundings);
      expect(checked).toMatchObject({ ok: true, document: { warnings: [] } });
      if (!checked.ok) return;
      expect(checked.document.examples.length).toBeGreaterThan(0);
      for (const { input, output, events, calls } of checked.document.examples) {
        const now = Date.UTC(2026, 2, 2);
        const given = { source, input, now, events: (events ?? []) as CloudEvent[], calls: calls ?? {} };
        expect(await simulate(runs.kind, given)).toMatchObject({ ending: { status: 'succeeded', output } });
      }
    },
    60_000,
  );
});

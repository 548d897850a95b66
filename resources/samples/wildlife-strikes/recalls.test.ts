// The programs are plain modules, so the tests import them without the sandbox; `cuebook test` runs them in it.
import { describe, expect, test, vi } from 'vitest';
import { count, folder, pointsOf, records, type Report, type Series, type Table } from './reports.testing.ts';

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

  test('accepts a report that arrives twice or is answered before it arrives', async () => {
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

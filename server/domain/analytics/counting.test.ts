// Analytics of arbitrary runs, against the contract's counting rules applied to a plain list of them.
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../runtime/open-stores.ts';
import { createFakeClock } from '../../lib/clock.ts';
import type { EventLog, NewEvent } from '../../kernel/log/index.ts';
import { createPlaybooks } from '../playbooks/index.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { createAnalytics } from './analytics.ts';

const DAY = 24 * 60 * 60 * 1000;
const TODAY = Date.UTC(2026, 4, 10, 12);
const ORG = 'local';
const folder = temporaryFolder();
const settings = readSettings({ DATA_DIR: folder.path });
const clock = createFakeClock(TODAY);
let log: EventLog;
const open = (): EventLog => openLog(settings, clock, (sentence) => expect.fail(sentence));
beforeAll(() => {
  log = open();
});
afterAll(async () => {
  await log.close();
  folder.remove();
});

type Status = 'succeeded' | 'failed' | 'rejected';

/** One attempt, and whether a later one follows on some day. */
interface Attempt {
  days: number;
  duration: number;
  tokens: number;
  status: Status | 'started';
}
interface GivenRun {
  type: 'reasoning' | 'workflow';
  name: 'one' | 'two';
  attempts: Attempt[];
  /** In which commit its attempts are recorded, and whether a refused work records them before. */
  commit: number;
  isRefusedFirst: boolean;
}

const attempts: fc.Arbitrary<Attempt> = fc.record({
  days: fc.nat(5),
  duration: fc.oneof(fc.nat(40), fc.nat(5000), fc.nat(10 * DAY)),
  tokens: fc.nat(10),
  status: fc.constantFrom('succeeded', 'failed', 'rejected', 'started'),
});
const runs: fc.Arbitrary<GivenRun[]> = fc.array(
  fc.record({
    type: fc.constantFrom('reasoning', 'workflow'),
    name: fc.constantFrom('one', 'two'),
    attempts: fc.array(attempts, { minLength: 1, maxLength: 3 }),
    commit: fc.nat(3),
    isRefusedFirst: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

/** When an attempt starts: `days` before today for the first, and never before the one before it. */
function startsOf({ attempts: all }: GivenRun): number[] {
  let earliest = 0;
  return all.map(({ days, duration }) => {
    const start = Math.max(earliest, TODAY - days * DAY);
    earliest = start + duration;
    return start;
  });
}

class Refusal extends Error {}

async function record(playbook: string, given: readonly GivenRun[]): Promise<void> {
  for (const commit of [0, 1, 2, 3]) {
    const works = given.filter((run) => run.commit === commit);
    await Promise.all(
      works.map(async (run) => {
        const runId = crypto.randomUUID();
        if (run.isRefusedFirst) await recordOne(playbook, run, runId, true).catch(passRefusal);
        await recordOne(playbook, run, runId, false);
      }),
    );
  }
}

function passRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

function recordOne(playbook: string, run: GivenRun, runId: string, isRefused: boolean): Promise<void> {
  const metadata: NewEvent['metadata'] = {
    by: 'developer',
    run_id: runId,
    correlation_id: runId,
    definition: { type: run.type, name: run.name, version: 1 },
  };
  const starts = startsOf(run);
  return log.write({ org: 'local', playbook }, async (tx) => {
    for (const [index, { duration, tokens, status }] of run.attempts.entries()) {
      const at = starts[index] ?? 0;
      const attempt = index + 1;
      const append = (when: number, type: string, data: NewEvent['data']) =>
        log.append(tx, { org: ORG, playbook, stream: `run-${runId}`, at: when, events: [{ type, data, metadata }] });
      await append(at, 'run_started', { attempt, input_sha256: '' });
      if (status === 'started') continue;
      const used = { input: tokens, output: 2 * tokens, cached: 0 };
      const rejection =
        status === 'rejected' ? { rejection: { reason: 'cancelled', kind: 'requested', detail: '' } } : {};
      await append(at + duration, `run_${status}`, { attempt, tokens: used, ...rejection });
    }
    if (isRefused) throw new Refusal();
  });
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const nearestRank = (sorted: readonly number[], percent: number): number | null =>
  sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null;

function summaryOf(counted: readonly GivenRun[]) {
  const last = counted.map(({ attempts: all }) => all.at(-1));
  const count = (status: Status): number => last.filter((attempt) => attempt?.status === status).length;
  const durations = last.flatMap((attempt) =>
    attempt === undefined || attempt.status === 'rejected' ? [] : [attempt.duration],
  );
  const sorted = durations.toSorted((a, b) => a - b);
  const tokens = counted
    .flatMap(({ attempts: all }) => all)
    .reduce((sum, attempt) => sum + (attempt.status === 'started' ? 0 : attempt.tokens), 0);
  return {
    runs: { total: last.length, succeeded: count('succeeded'), failed: count('failed'), rejected: count('rejected') },
    tokens: { input: tokens, output: 2 * tokens, cached: 0 },
    duration_ms: { p50: nearestRank(sorted, 50), p95: nearestRank(sorted, 95) },
  };
}

/** What the contract has counted of the runs. */
function expected(given: readonly GivenRun[], days: number, type: string | undefined) {
  const window = Array.from({ length: days }, (_, index) => dayOf(TODAY - (days - 1 - index) * DAY));
  const counted = given.filter(
    (run) =>
      run.attempts.at(-1)?.status !== 'started' &&
      (type === undefined || run.type === type) &&
      window.includes(dayOf(startsOf(run)[0] ?? 0)),
  );
  const functions = Map.groupBy(counted, ({ type: of, name }) => `${of}/${name}`);
  return {
    days,
    ...summaryOf(counted),
    by_day: window.map((day) => ({ day, ...summaryOf(counted.filter((run) => dayOf(startsOf(run)[0] ?? 0) === day)) })),
    by_function: [...functions]
      .map(([key, all]) => ({ type: key.split('/')[0], name: key.split('/')[1], runs: all.length }))
      .toSorted((a, b) => b.runs - a.runs || `${a.type}/${a.name}`.localeCompare(`${b.type}/${b.name}`)),
  };
}

const COUNTS = ['run_days', 'run_endings'];

function look<T>(work: (database: Database.Database) => T): T {
  const database = new Database(path.join(folder.path, 'cuebook.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const dump = (): unknown[] =>
  COUNTS.map((table) =>
    look((database) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4, 5, 6, 7, 8`).all()),
  );

let playbooks = 0;

const totalOf = (outcomes: Readonly<Record<string, number>>): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);

test('given any runs, then analytics are what the counting rules give, in each window and of each type', async () => {
  const made = createPlaybooks(log, async () => {});
  const analytics = createAnalytics(log, clock);
  const property = fc.asyncProperty(runs, async (given) => {
    playbooks += 1;
    const playbook = `count-${playbooks}`;
    await made.create({ org: ORG, playbook }, { name: 'Count', description: '' }, 'developer');
    await record(playbook, given);
    for (const [days, type] of [
      [6, undefined],
      [3, undefined],
      [90, 'reasoning'],
      [1, 'workflow'],
    ] as const) {
      const { outcomes, by_day, ...whole } = await analytics.summarize({ org: ORG, playbook }, days, type);
      const ofDays = by_day.map(({ outcomes: ofDay, ...day }) => {
        expect(totalOf(ofDay)).toBe(day.runs.total);
        return day;
      });
      expect({ ...whole, by_day: ofDays }).toEqual(expected(given, days, type));
      expect(totalOf(outcomes)).toBe(whole.runs.total);
    }
  });
  await fc.assert(property, { numRuns: 40 });
}, 60_000);

test('given counts that were folded as runs ended, then folding the log again gives the same', async () => {
  const folded = dump();
  expect(folded.flat().length).toBeGreaterThan(0);
  await log.write('every playbook', (tx) => tx.run('DELETE FROM run_days'));
  await log.rebuild();
  expect(dump()).toEqual(folded);
});

test('given a database from before there were counts, then opening it counts its runs', async () => {
  const folded = dump();
  await log.close();
  look((database) => {
    for (const table of COUNTS) database.exec(`DROP TABLE ${table}`);
    database.exec('DROP INDEX runs_by_long_duration; CREATE INDEX runs_by_day ON runs (org, playbook, started_day)');
    database.exec(`DELETE FROM schema_versions WHERE id IN ('runs/4', 'runs/10')`);
  });
  log = open();
  expect(dump()).toEqual(folded);
});

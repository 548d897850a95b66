import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentMigrations } from '../../../kernel/contents/index.ts';
import { logMigrations, placeholders } from '../../../kernel/log/index.ts';
import { openTemporaryStore, type TemporaryStore } from '../../../kernel/log/testing.ts';
import { runMigrations } from '../history/migrations.ts';
import { findRuns, type RunFilter, type SearchBounds } from './find-runs.ts';

const PLACE = { org: 'acme', playbook: 'desk' };
const FIRST = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const RUNS = 1000;
const BOUNDS: SearchBounds = { lookedAt: 100, searched: 30, characters: 10_000 };

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const timeOf = (number: number): string => new Date(FIRST + number * HOUR).toISOString();
const COLUMNS =
  'org, playbook, run_id, type, name, definition_version, status, attempt, input_sha256, started_at, started_day, started_position, started_by, called_by, top_run_id, attempt_started_at, attempt_event_id, tokens_input, tokens_output, tokens_cached';

let temporary: TemporaryStore;
/** One run an hour; every tenth is of a key, and run 7 called each multiple of 250. */
beforeAll(async () => {
  temporary = openTemporaryStore([...logMigrations, ...contentMigrations, ...runMigrations]);
  await temporary.store.write(PLACE, async (tx) => {
    for (let number = 1; number <= RUNS; number += 1) {
      const called = number % 250 === 0;
      const caller = JSON.stringify({ run_id: idOf(7), reference: '/do/0', run: 'workflow/w' });
      const definition = ['acme', 'desk', idOf(number), 'computation', 'add', 1];
      const started = ['succeeded', 1, '', timeOf(number), '', number * 3, number % 10 === 0 ? 'key:ci' : 'developer'];
      const calledBy = called ? [caller, idOf(7)] : [null, idOf(number)];
      const row = [...definition, ...started, ...calledBy, timeOf(number), `start-${number}`, 0, 0, 0];
      await tx.run(`INSERT INTO runs (${COLUMNS}) VALUES ${placeholders(1, row.length)}`, row);
      await tx.run(
        `INSERT INTO events (org, playbook, id, stream, position, read_position, type, at, data, kept, metadata)
         VALUES ('acme', 'desk', $1, $2, 1, $3, 'run_started', $4, $5, '{}', '{}')`,
        [`start-${number}`, `run-${number}`, number, timeOf(number), JSON.stringify({ input: `Order "${number}"` })],
      );
    }
  });
});
afterAll(() => temporary.remove());

async function find(filter: RunFilter, before?: number, limit = 10) {
  const found = await temporary.store.read((tx) => findRuns(tx, PLACE, filter, before, limit, BOUNDS));
  return { ...found, numbers: found.rows.map(({ started_position: position }) => Number(position) / 3) };
}

/** Every page, and how many there were. */
async function findAll(filter: RunFilter): Promise<{ numbers: number[]; pages: number }> {
  const numbers: number[] = [];
  for (let before: number | undefined, pages = 1; ; pages += 1) {
    const page = await find(filter, before);
    numbers.push(...page.numbers);
    if (page.last === undefined) return { numbers, pages };
    before = page.last.position;
  }
}

const multiplesOf = (factor: number): number[] =>
  Array.from({ length: RUNS / factor }, (_, index) => RUNS - index * factor);

test('given a range of time, then the page begins there however many runs are newer, and ends with the range', async () => {
  const { numbers, last } = await find({ since: timeOf(20), until: timeOf(24) });
  expect(numbers).toEqual([23, 22, 21, 20]);
  expect(last).toBeUndefined();
});

test('given a clock that was set back, then runs that started within the range are found', async () => {
  await temporary.store.write(PLACE, async (tx) => {
    await tx.run(`UPDATE runs SET started_at = $1 WHERE run_id = $2`, [timeOf(499.2), idOf(501)]);
  });
  expect((await findAll({ since: timeOf(499), until: timeOf(500) })).numbers).toEqual([501, 499]);
});

test('given a caller, then a page stops after a bounded number of runs, says where, and the next one continues', async () => {
  const first = await find({ startedBy: 'key:ci' }, undefined, 20);
  expect(first).toMatchObject({ isBounded: true, last: { position: 901 * 3, startedAt: timeOf(901) } });
  expect(first.numbers).toEqual([1000, 990, 980, 970, 960, 950, 940, 930, 920, 910]);
  expect((await findAll({ startedBy: 'key:ci' })).numbers).toEqual(multiplesOf(10));
});

test('given called runs alone, or only those at the top, then each run is in one of the two lists', async () => {
  expect((await findAll({ topLevel: false })).numbers).toEqual(multiplesOf(250));
  expect((await findAll({ topLevel: true })).numbers).toHaveLength(RUNS - 4);
});

test('given a calling run, then its runs are found at once, and those of a run that called none are none', async () => {
  const found = await find({ calledBy: idOf(7) });
  expect(found).toMatchObject({ numbers: [1000, 750, 500, 250], isBounded: false });
  expect(await find({ calledBy: idOf(8) })).toMatchObject({ rows: [], isBounded: false });
  expect(await find({ calledBy: 'absent' })).toMatchObject({ rows: [], isBounded: false });
});

test('given a text, then its quotes and its case match, and every page looks at a bounded number of runs', async () => {
  expect(await find({ search: 'ORDER "999"' })).toMatchObject({ numbers: [999], isBounded: true });
  const { numbers, pages } = await findAll({ search: 'order "12"' });
  expect(numbers).toEqual([12]);
  expect(pages).toBeGreaterThan(RUNS / BOUNDS.searched);
});

test('given large texts, then a page stops once it has read so many characters', async () => {
  await temporary.store.write(PLACE, async (tx) => {
    await tx.run(`UPDATE events SET data = $1 WHERE id = 'start-990'`, [JSON.stringify({ input: 'x'.repeat(20_000) })]);
  });
  expect(await find({ search: 'nowhere' })).toMatchObject({ rows: [], isBounded: true, last: { position: 990 * 3 } });
});

test('given the end of an id, then its run is found', async () => {
  expect((await find({ search: idOf(998).slice(-6) })).numbers).toEqual([998]);
});

test('given a search with a caller and a range of time, then each must match', async () => {
  const filter = { startedBy: 'key:ci', search: 'order', since: timeOf(95), until: timeOf(125) };
  expect((await findAll(filter)).numbers).toEqual([120, 110, 100]);
});

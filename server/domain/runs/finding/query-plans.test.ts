// How SQLite finds runs. A plan that reads or sorts all runs of a playbook would show only in its time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentMigrations } from '../../../kernel/contents/index.ts';
import { logMigrations, type ReadTransaction } from '../../../kernel/log/index.ts';
import { openTemporaryStore, type TemporaryStore } from '../../../kernel/log/testing.ts';
import { runMigrations } from '../history/migrations.ts';
import { selectFirstStart, selectRuns, selectStartDown } from './select-runs.ts';

const PLACE = { org: 'acme', playbook: 'desk' };
const SPAN = { from: 10, before: 10_000 };
const CALLER = { runId: '00000000-0000-4000-8000-000000000007', topRunId: '00000000-0000-4000-8000-000000000001' };

let temporary: TemporaryStore;
beforeAll(() => {
  temporary = openTemporaryStore([...logMigrations, ...contentMigrations, ...runMigrations]);
});
afterAll(() => temporary.remove());

/** Explains the statement instead of executing it. */
async function planOf(ask: (tx: ReadTransaction) => Promise<unknown>): Promise<string> {
  let plan = '';
  await temporary.store.read(async (tx) => {
    const explain: ReadTransaction['all'] = async (sql, parameters) => {
      const rows = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
      plan = rows.map(({ detail }) => detail).join('; ');
      return [];
    };
    await ask({ ...tx, all: explain, get: async (sql, parameters) => void (await explain(sql, parameters)) });
  });
  return plan;
}

test.each([
  ['runs_by_start', {}],
  ['runs_by_definition', { type: 'workflow', name: 'w' }],
  ['runs_by_trigger_event', { event: 'e' }],
  ['runs_by_origin', { origin: CALLER.runId }],
  ['runs_by_caller', { caller: CALLER }],
])('a page of the whole list uses %s for %o', async (index, filter) => {
  const plan = await planOf((tx) => selectRuns(tx, PLACE, filter, { from: 0, before: 10_000 }, 10));
  expect(plan).toMatch(new RegExp(`USING INDEX ${index} `));
});

test.each([
  { startedBy: 'key:ci', topLevel: true },
  { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
  { type: 'workflow', name: 'w', startedBy: 'key:ci' },
])('a page of a span reads nothing outside of it for %o, and sorts nothing', async (filter) => {
  const plan = await planOf((tx) => selectRuns(tx, PLACE, filter, SPAN, 10));
  expect(plan).toMatch(/started_position>\? AND started_position<\?/);
  expect(plan).not.toContain('TEMP B-TREE');
});

test.each([
  ['the end of a bounded search', (tx: ReadTransaction) => selectStartDown(tx, PLACE, SPAN, 10)],
  ['the oldest run of a span', (tx: ReadTransaction) => selectFirstStart(tx, PLACE, SPAN)],
])('%s is found by its start', async (_, ask) => {
  expect(await planOf(ask)).toMatch(/USING INDEX runs_by_start .*started_position/);
});

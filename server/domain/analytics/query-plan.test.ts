// How SQLite finds durations. A plan that reads all runs of a day would show only in its time.
import { expect, test } from 'vitest';
import { logMigrations, type ReadTransaction } from '../../kernel/log/index.ts';
import { openTemporaryStore } from '../../kernel/log/testing.ts';
import { boundsOf, LONGEST_COUNTED_EXACTLY, runMigrations } from '../runs/index.ts';
import { selectDurations } from './sql.ts';

test('durations in a range are found in their index', async () => {
  const temporary = openTemporaryStore([...logMigrations, ...runMigrations]);
  const plans: string[] = [];
  await temporary.store.read(async (tx) => {
    const explain: ReadTransaction['all'] = async (sql, parameters) => {
      const rows = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
      plans.push(rows.map(({ detail }) => detail).join('; '));
      return [];
    };
    for (const type of [undefined, 'workflow']) {
      const range = { days: ['2026-01-01', '2026-01-02'], type, from: 640, to: 671 };
      await selectDurations({ ...tx, all: explain }, { org: 'acme', playbook: 'desk' }, range);
    }
  });
  await temporary.remove();
  const found = 'USING INDEX runs_by_long_duration (org=? AND playbook=? AND started_day=? AND duration_ms>';
  expect(plans).toEqual([expect.stringContaining(found), expect.stringContaining(found)]);
});

test('the index has the durations of every range of more than one', () => {
  const ranges = Array.from({ length: 100 }, (_, range) => boundsOf(range));
  expect(ranges.filter(({ from, to }) => from === to).at(-1)?.to).toBe(LONGEST_COUNTED_EXACTLY);
  expect(ranges.every(({ from, to }) => from === to || from > LONGEST_COUNTED_EXACTLY)).toBe(true);
});

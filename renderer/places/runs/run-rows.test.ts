import { expect, test } from 'vitest';
import type { RunListEntry } from '../../../shared/api/index.ts';
import { type CalledRuns, runIdOfKey, type RunRow, runRows } from './run-rows.ts';

const run = (id: string): RunListEntry => ({
  run_id: id,
  type: 'workflow',
  name: id,
  definition_version: 1,
  status: 'started',
  attempt: 1,
  started_at: '2026-03-02T09:00:00.000Z',
  attempt_started_at: '2026-03-02T09:00:00.000Z',
  started_by: 'developer',
});

const called = (ids: readonly string[], given: Partial<CalledRuns> = {}): CalledRuns => ({
  runs: ids.map(run),
  hasMore: false,
  isFetching: false,
  error: null,
  showMore() {},
  ...given,
});

const shown = (rows: readonly RunRow[]): string[] => rows.map(({ key, depth }) => `${' '.repeat(depth)}${key}`);

test('called runs are listed below the run that is open, and their called runs below them', () => {
  const all = new Map([
    ['a', called(['b', 'c'])],
    ['b', called(['d'])],
  ]);
  expect(shown(runRows([run('a'), run('b')], new Set(), all))).toEqual(['a', 'b']);
  expect(shown(runRows([run('a'), run('b')], new Set(['a', 'a/b']), all))).toEqual([
    'a',
    ' a/b',
    '  a/b/d',
    ' a/c',
    'b',
  ]);
});

test('a last row stands for what is not listed: not read yet, further pages, an error, or nothing at all', () => {
  const rest = (one: CalledRuns | undefined): string[] =>
    shown(runRows([run('a')], new Set(['a']), new Map(one === undefined ? [] : [['a', one]])));
  expect(rest(undefined)).toEqual(['a', ' a/rest']);
  expect(rest(called(['b'], { hasMore: true }))).toEqual(['a', ' a/b', ' a/rest']);
  expect(rest(called(['b'], { error: new Error('gone') }))).toEqual(['a', ' a/b', ' a/rest']);
  expect(rest(called([]))).toEqual(['a', ' a/rest']);
  expect(rest(called(['b']))).toEqual(['a', ' a/b']);
});

test('the key of a row names its run', () => {
  expect(['a', 'a/b'].map(runIdOfKey)).toEqual(['a', 'b']);
});

// What a crash or a fault of the store leaves of a commit that it cuts off at any statement. The commit is the largest of
// its kind: a function's start and ending, the move of the workflow that called it, an event, a timer and the next call.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Task } from '../../../kernel/tasks/index.ts';
import { createFaults, watchingStores } from '../../../test/durability/faulty-store.testing.ts';
import { breachesOf, dump } from '../../../test/durability/record.testing.ts';
import {
  ADD_ONE,
  commitAll,
  EMIT,
  inputsOf,
  look,
  statusesOf,
  topOf,
  useSteppedCases,
} from '../../../test/durability/stepped-cases.testing.ts';

const { clock, given, copy, start, started } = useSteppedCases();

const STEPS = [ADD_ONE, EMIT, { wait: 'PT0S' }, ADD_ONE];
const INPUTS = ['started', 'called_run_ended', 'timer_due', 'called_run_ended'];

/** What a process that is killed now leaves: nothing of what only its memory holds. */
function leftNow(file: string): string {
  const left = copy(file);
  copyFileSync(`${file}-wal`, `${left}-wal`);
  return left;
}

/** A commit whose write to the log was cut off after so many bytes. */
function tornAt(bytes: number, [before, after]: readonly [string, string]): string {
  const torn = copy(before);
  const logs = [readFileSync(`${after}-wal`).subarray(0, bytes), readFileSync(`${before}-wal`).subarray(bytes)];
  writeFileSync(`${torn}-wal`, Buffer.concat(logs));
  return torn;
}

function wholeOf(file: string): Record<string, unknown[]> {
  const tables = look<{ name: string }>(file, `SELECT name FROM sqlite_master WHERE type = 'table'`);
  return dump(
    file,
    tables.map(({ name }) => name),
  );
}

/** A page and a half of the log, so that cuts are between pages and within them. */
const CUT = (4096 + 24) * 1.5;

test('given a process that is killed at any statement of the commit, or while it writes the commit, then the next one finds all of it or nothing', async () => {
  const file = await given(STEPS);
  const atStatements: string[] = [];
  let isCommitting = false;
  const openStore = watchingStores(() => {
    if (isCommitting) atStatements.push(leftNow(file));
  });
  const service = await started(file, { openStore });
  const before = leftNow(file);
  isCommitting = true;
  await service.commit(0, true);
  isCommitting = false;
  const after = leftNow(file);
  await service.kill();
  expect(atStatements.length).toBeGreaterThan(12);

  const [nothing, all] = [wholeOf(before), wholeOf(after)];
  expect(all['runs']?.length).toBe((nothing['runs']?.length ?? 0) + 1);
  // Most of them have the same bytes: SQLite writes pages early only where its cache is full.
  const logs = new Map(atStatements.map((left) => [readFileSync(`${left}-wal`).toString('latin1'), left]));
  for (const left of logs.values()) expect(wholeOf(left)).toEqual(nothing);
  const [old, written] = [readFileSync(`${before}-wal`), readFileSync(`${after}-wal`)];
  const same = written.findIndex((byte, place) => byte !== old[place]);
  const { length } = written;
  const cuts = Array.from({ length: Math.floor((length - same) / CUT) }, (_, index) => same + index * CUT);
  const torn = cuts.map((bytes) => wholeOf(tornAt(bytes, [before, after])));
  const isWhole = torn.map((one) => one['runs']?.length === all['runs']?.length);
  for (const [index, one] of torn.entries()) expect(one).toEqual(isWhole[index] === true ? all : nothing);
  expect(new Set(isWhole)).toContain(false);

  for (const left of [before, atStatements.at(-1) ?? '', tornAt(length - CUT, [before, after]), after]) {
    const next = start(left);
    void next.begin();
    await commitAll(next);
    expect(await topOf(next)).toMatchObject({ status: 'succeeded', output: { n: 3 } });
    expect(statusesOf(left)).toEqual(['main succeeded', 'add-one succeeded', 'add-one succeeded']);
    expect(inputsOf(left)).toEqual(INPUTS);
    expect(breachesOf(left)).toEqual([]);
  }
});

/** More of them than a commit has statements. */
const TURNS = 25;

/** Far more than the longest wait between two tries, in milliseconds. */
const RETRIED = 600_000;

test.each([
  ['a disk that is full', new Database.SqliteError('database or disk is full', 'SQLITE_FULL')],
  ['a database that is locked', new Database.SqliteError('database is locked', 'SQLITE_BUSY')],
  ['an error', new Error('A fault of the test.')],
])('given %s at every statement of the commit, then the run ends as if nothing had happened', async (_, fault) => {
  const file = await given([{ for: { in: `[range(${TURNS})]` }, do: [{ call: ADD_ONE }, { tell: EMIT }] }]);
  const { openStore, failNext, hasFailed } = createFaults(fault);
  let statement = 0;
  // The first commit meets the fault at its first statement, the next one at its second, and so on. A commit that failed is
  // not one commit the next time: the workflow's state is read again first.
  const onTask = ({ kind, tries }: Task): void => {
    if (kind === 'run-start' && tries === 0 && (statement === 0 || hasFailed() === true)) failNext((statement += 1));
  };
  const service = await started(file, { openStore, onTask, onError: () => {} });
  while ((await topOf(service)).status === 'started') if ((await commitAll(service)) === 0) clock.advance(RETRIED);
  expect(hasFailed()).toBe(false);
  expect(statement).toBeGreaterThan(12);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded', output: { n: TURNS + 1 } });
  expect(statusesOf(file)).toEqual(['main succeeded', ...Array.from({ length: TURNS }, () => 'add-one succeeded')]);
  expect(look(file, `SELECT 1 FROM events WHERE stream = 'events'`)).toHaveLength(TURNS);
  expect(breachesOf(file)).toEqual([]);
});

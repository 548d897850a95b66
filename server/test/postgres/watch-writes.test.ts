// Skipped without a PostgreSQL: `npm run test:postgres` starts one.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, POSTGRES_FOR_TESTS } from '../../kernel/log/postgres/testing.ts';
import { randomHex } from '../../lib/random.ts';
import { asProcess, findLateWrites, watchWrites } from './watch-writes.ts';

const BY_CLAIM = '/* claimed_by = $5 AND claim = $6 */';

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('a watched schema', () => {
  let schema: string;
  const url = POSTGRES_FOR_TESTS ?? '';
  const as = (process: string, statements: string) =>
    ask(`SET search_path = ${schema}; ${statements}`, asProcess(url, process));
  const lease = (seconds: number): string => `now() + interval '${seconds} seconds'`;

  beforeEach(async () => {
    schema = `test_${randomHex(8)}`;
    await ask(
      `CREATE SCHEMA ${schema}; SET search_path = ${schema};
       CREATE TABLE holders (holder TEXT PRIMARY KEY, expires_at TIMESTAMPTZ NOT NULL);
       CREATE TABLE tasks (kind TEXT, key TEXT, claimed_by TEXT);
       CREATE TABLE run_leases (run_id TEXT, attempt BIGINT, holder TEXT);
       CREATE TABLE events (stream TEXT, type TEXT, data TEXT);`,
    );
    await watchWrites(url, schema);
    await as('one', `INSERT INTO holders VALUES ('a', ${lease(60)})`);
    await as('other', `INSERT INTO holders VALUES ('b', ${lease(60)})`);
    await as('one', `INSERT INTO tasks VALUES ('note', 'k', 'a'); INSERT INTO run_leases VALUES ('r', 1, 'a')`);
  });
  afterEach(() => ask(`DROP SCHEMA ${schema} CASCADE; DROP SCHEMA ${schema}_watched CASCADE`));

  const expire = () => as('one', `UPDATE holders SET expires_at = now() - interval '1 second' WHERE holder = 'a'`);
  const record = (type: string, data: object) =>
    `INSERT INTO events VALUES ('run-r', '${type}', '${JSON.stringify({ attempt: 1, ...data })}')`;

  test('has nothing late of a process with a lease, nor of one that took over, nor of another holder', async () => {
    await as('one', `${BY_CLAIM} DELETE FROM tasks`);
    await as('one', record('tool_call_started', {}));
    await expire();
    await as('other', record('run_failed', { detail: 'interrupted' }));
    await as('one', `INSERT INTO holders VALUES ('c', ${lease(60)})`);
    await as('one', `INSERT INTO tasks VALUES ('note', 'next', 'c')`);
    expect(await findLateWrites(url, schema)).toMatchObject({
      given: 3,
      byClaim: 1,
      ofAttempts: 2,
      renamed: 1,
      late: [],
    });
  });

  test.each([
    [
      'a write of a process without a lease',
      'one',
      `INSERT INTO events VALUES ('s', 't', '{}')`,
      'Commits of processes',
    ],
    ['a row for an expired holder', 'other', `INSERT INTO run_leases VALUES ('s', 1, 'a')`, 'Rows that were given'],
    ['a claim of an expired holder', 'other', `${BY_CLAIM} DELETE FROM tasks`, 'Tasks that were finished'],
  ])('shows %s', async (_what, process, statement, sentence) => {
    await expire();
    await as(process, statement);
    const { late } = await findLateWrites(url, schema);
    expect(late).toEqual([expect.stringContaining(sentence)]);
  });

  test('shows an ending of an attempt that the process began under its expired lease', async () => {
    await expire();
    await as('one', `INSERT INTO holders VALUES ('c', ${lease(60)})`);
    await as('one', record('run_succeeded', {}));
    const { late } = await findLateWrites(url, schema);
    expect(late).toEqual([expect.stringContaining('Events of attempts')]);
  });

  test('shows a commit that came after the end of its lease, though its rows were written before', async () => {
    await as(
      'one',
      `UPDATE holders SET expires_at = clock_timestamp() + interval '200 milliseconds' WHERE holder = 'a'`,
    );
    await as('one', `BEGIN; INSERT INTO events VALUES ('s', 't', '{}'); SELECT pg_sleep(0.4); COMMIT`);
    const { late } = await findLateWrites(url, schema);
    expect(late).toEqual([expect.stringContaining('Commits of processes')]);
  });
});

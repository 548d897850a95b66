import type { Socket } from 'node:net';
import type { PoolClient } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { begin, post, query, send, withConnection } from './connections.ts';
import { openPool } from './pool.ts';
import { POSTGRES_FOR_TESTS, schemaOfItsOwn } from './testing.ts';

// Without a database there is nothing to test: `npm run test:postgres` starts one.
describe.runIf(POSTGRES_FOR_TESTS !== undefined)('a connection', () => {
  const withClient = async (work: (client: PoolClient) => Promise<void>): Promise<void> => {
    const pool = openPool(schemaOfItsOwn([]), 1);
    try {
      await withConnection(pool, work);
    } finally {
      await pool.end();
    }
  };

  test('is kept for five minutes without use', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pool = openPool(schemaOfItsOwn([]), 1);
    const backend = (): Promise<unknown> =>
      withConnection(pool, async (client) => (await query(client, 'SELECT pg_backend_pid() AS pid')).rows[0]);
    try {
      const first = await backend();
      await vi.advanceTimersByTimeAsync(299_000);
      expect(await backend()).toEqual(first);
      await vi.advanceTimersByTimeAsync(301_000);
      expect(await backend()).not.toEqual(first);
    } finally {
      vi.useRealTimers();
      await pool.end();
    }
  });

  test('gets the result of each statement of a group', () =>
    withClient(async (client) => {
      const carryOut = async (): Promise<unknown[]> => {
        const [, ...results] = await Promise.all([
          begin(client, 'BEGIN'),
          post(client, 'CREATE TEMPORARY TABLE IF NOT EXISTS kept (n BIGINT, text TEXT)'),
          post(client, 'INSERT INTO kept VALUES ($1, $2), ($1, $3)', [7, 'a\0b', null]),
          query(client, 'SELECT n, text FROM kept ORDER BY text'),
          post(client, 'DELETE FROM kept WHERE text IS NULL'),
          query(client, 'DELETE FROM kept RETURNING text'),
          query(client, 'SELECT n FROM kept'),
          query(client, 'COMMIT'),
        ]);
        return results.map(({ command, rowCount, rows }) => [command, rowCount, rows]);
      };
      const expected = [
        ['CREATE', null, []],
        ['INSERT', 2, []],
        [
          'SELECT',
          2,
          [
            { n: 7, text: 'a\0b' },
            { n: 7, text: null },
          ],
        ],
        ['DELETE', 1, []],
        ['DELETE', 1, [{ text: 'a\0b' }]],
        ['SELECT', 0, []],
        ['COMMIT', null, []],
      ];
      // The first time, each of them is prepared, and in no group.
      expect(await carryOut()).toEqual(expected);
      expect(await carryOut()).toEqual(expected);
    }));

  test('gives the first error to every statement of a group, and carries out the next group', () =>
    withClient(async (client) => {
      const divide = (by: number): Promise<unknown> => query(client, 'SELECT 1 / $1::int AS n', [by]);
      await Promise.all([divide(1), query(client, 'COMMIT')]);
      await begin(client, 'BEGIN');
      const results = await Promise.allSettled([divide(1), divide(0), query(client, 'COMMIT')]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(results.map((result) => (result.status === 'rejected' ? String(result.reason) : ''))).toEqual(
        results.map(() => 'error: division by zero'),
      );
      send(client, 'ROLLBACK');
      await expect(divide(1)).resolves.toMatchObject({ rows: [{ n: 1 }] });
      await expect(query(client, 'COMMIT')).resolves.toMatchObject({ command: 'COMMIT' });
    }));

  test('sends in one write what is sent before the process waits for something', () =>
    withClient(async (client) => {
      const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream;
      const writes = [vi.spyOn(socket, '_write'), vi.spyOn(socket, '_writev')];
      const countWrites = (): number => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      const echo = (text: string): Promise<unknown> => query(client, 'SELECT $1 AS text', [text]);
      const begun = begin(client, 'BEGIN');
      const first = query(client, 'SELECT 1 AS n');
      await Promise.resolve();
      const second = query(client, 'SELECT 2 AS n');
      await begun;
      expect((await Promise.all([first, second])).map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
      expect(countWrites()).toBe(1);
      send(client, 'COMMIT');
      await echo('prepared from now on');
      expect(countWrites()).toBe(2);
      const large = Array.from({ length: 4 }, () => echo('x'.repeat(10_000)));
      // The first two go out when there is a third.
      await Promise.resolve();
      expect(countWrites()).toBe(3);
      await Promise.all(large);
      expect(countWrites()).toBe(4);
    }));
});

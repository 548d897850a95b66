import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { openPool, query, send, withConnection } from './connections.ts';
import { POSTGRES_FOR_TESTS, schemaOfItsOwn } from './testing.ts';

// Without a database there is nothing to test: `npm run test:postgres` starts one.
describe.runIf(POSTGRES_FOR_TESTS !== undefined)('a connection', () => {
  test('sends in one write what is sent before the process waits for something', async () => {
    const pool = openPool(schemaOfItsOwn([]), 1);
    try {
      await withConnection(pool, async (client) => {
        const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream;
        const writes = [vi.spyOn(socket, '_write'), vi.spyOn(socket, '_writev')];
        const countWrites = (): number => writes.reduce((sum, { mock }) => sum + mock.calls.length, 0);
        send(client, 'BEGIN');
        const first = query(client, 'SELECT 1 AS n');
        await Promise.resolve();
        const second = query(client, 'SELECT 2 AS n');
        expect((await Promise.all([first, second])).map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
        expect(countWrites()).toBe(1);
        send(client, 'COMMIT');
        await query(client, 'SELECT 1 AS n');
        expect(countWrites()).toBe(2);
        const large = Array.from({ length: 4 }, () => query(client, 'SELECT $1 AS text', ['x'.repeat(10_000)]));
        // The first two go out when there is a third.
        await Promise.resolve();
        expect(countWrites()).toBe(3);
        await Promise.all(large);
        expect(countWrites()).toBe(4);
      });
    } finally {
      await pool.end();
    }
  });
});

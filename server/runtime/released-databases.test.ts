// Databases of released versions on SQLite: this version upgrades and uses each of them. postgres-released.test.ts does the same
// on PostgreSQL.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer, temporaryFolder } from '../test/index.ts';
import { clockAfter, unpack, useUpgraded, VERSIONS } from '../test/released/released.testing.ts';

const folder = { path: '', remove: () => {} };
beforeEach(() => Object.assign(folder, temporaryFolder()));
afterEach(() => folder.remove());

describe.each(VERSIONS)('the database of version %s', (version) => {
  test('is upgraded with its runs, its views and its open requests', async () => {
    const clock = clockAfter(unpack(version, folder.path));
    const server = await startServer({ dataDir: folder.path, clock });
    try {
      expect(await useUpgraded(server)).toBe('succeeded');
    } finally {
      await server.close();
    }
  });

  test('is refused if a newer version has used it', async () => {
    const database = new Database(unpack(version, folder.path));
    database.prepare('INSERT INTO schema_versions (id, applied_at) VALUES (?, ?)').run('runs/9999', '2030-01-01');
    database.close();
    await expect(startServer({ dataDir: folder.path })).rejects.toThrow(
      /was written by a newer Cuebook \(it contains runs\/9999\)\. Start that version/,
    );
  });
});

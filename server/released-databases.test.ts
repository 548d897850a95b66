// Databases of released versions, kept by scripts/keep-released-database.ts: this version upgrades and uses each of them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, createAdjustableClock, systemClock } from './lib/clock.ts';
import { startServer, temporaryFolder } from './test/index.ts';

const KEPT = path.join(import.meta.dirname, 'test/released');
const VERSIONS = readdirSync(KEPT).map((file) => path.basename(file, '.db.gz'));
const AT = '/v1/orgs/local/playbooks/wildlife-strikes';
const ENDED = `${AT}/runs/01900000-0000-7000-8000-000000000001`;
const WAITING = `${AT}/runs/01900000-0000-7000-8000-000000000002`;

const folder = { path: '', remove: () => {} };
beforeEach(() => Object.assign(folder, temporaryFolder()));
afterEach(() => folder.remove());

function unpack(version: string): string {
  const file = path.join(folder.path, 'cuebook.db');
  writeFileSync(file, gunzipSync(readFileSync(path.join(KEPT, `${version}.db.gz`))));
  return file;
}

/** A clock that continues a minute after the database was made: its requests expire after a day. */
function clockAfter(file: string): Clock {
  const database = new Database(file, { readonly: true });
  const { at } = database.prepare<[], { at: string }>('SELECT max(applied_at) AS at FROM schema_versions').get() ?? {};
  database.close();
  if (at === undefined) throw new Error(`${file} has no schema.`);
  const clock = createAdjustableClock(systemClock);
  clock.adjust(Date.parse(at) + 60_000 - systemClock.now());
  return clock;
}

describe.each(VERSIONS)('the database of version %s', (version) => {
  test('is upgraded with its runs, its views and its open requests', async () => {
    const clock = clockAfter(unpack(version));
    const server = await startServer({ dataDir: folder.path, clock });
    try {
      expect((await server.get(ENDED)).body).toMatchObject({ status: 'succeeded', output: { priority: 'P1' } });
      const view = await server.post(`${AT}/definitions/recall/open-reports/run`, { input: {} });
      expect(JSON.stringify(view.body)).toContain('WS-2');
      // The run continues where the older version left it.
      const asking = async (): Promise<{ run_id: string } | undefined> =>
        (await server.get(`${AT}/interactions`)).body.interactions.find((one: { message: string }) =>
          one.message.includes('WS-1'),
        );
      await expect.poll(asking).toBeDefined();
      const answer = { approved: true, note: 'Look at the left engine.' };
      expect(await server.post(`${AT}/runs/${(await asking())?.run_id}/answer`, { answer })).toMatchObject({
        status: 200,
      });
      await expect
        .poll(async () => (await server.get(WAITING)).body)
        .toMatchObject({ status: 'succeeded', output: { inspect: true, note: answer.note } });
    } finally {
      await server.close();
    }
  });

  test('is refused if a newer version has used it', async () => {
    const database = new Database(unpack(version));
    database.prepare('INSERT INTO schema_versions (id, applied_at) VALUES (?, ?)').run('runs/9999', '2030-01-01');
    database.close();
    await expect(startServer({ dataDir: folder.path })).rejects.toThrow(
      /was written by a newer Cuebook \(it contains runs\/9999\)\. Start that version/,
    );
  });
});

// Databases of released versions, kept by scripts/keep-released-database.ts, and what must be true of them after an upgrade.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { type Clock, createFollowingClock, systemClock } from '../../lib/clock.ts';
import type { TestServer } from '../start-server.ts';

export const VERSIONS = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.db.gz'))
  .map((file) => path.basename(file, '.db.gz'));

const AT = '/v1/orgs/local/playbooks/wildlife-strikes';
const ENDED = `${AT}/runs/01900000-0000-7000-8000-000000000001`;
const WAITING = `${AT}/runs/01900000-0000-7000-8000-000000000002`;

/** @returns the path of the database, in the folder */
export function unpack(version: string, folder: string): string {
  const file = path.join(folder, 'cuebook.db');
  writeFileSync(file, gunzipSync(readFileSync(path.join(import.meta.dirname, `${version}.db.gz`))));
  return file;
}

/** A clock that continues a minute after the database was made: its requests expire after a day. */
export function clockAfter(file: string): Clock {
  const database = new Database(file, { readonly: true });
  const { at } = database.prepare<[], { at: string }>('SELECT max(applied_at) AS at FROM schema_versions').get() ?? {};
  database.close();
  if (at === undefined) throw new Error(`${file} has no schema.`);
  const clock = createFollowingClock(systemClock);
  clock.follow(Date.parse(at) + 60_000);
  return clock;
}

/**
 * Holds that the runs, views and open requests of the older version are there, and answers the run that it left.
 * @returns the status of this run
 */
export async function useUpgraded(server: TestServer): Promise<string> {
  expect((await server.get(ENDED)).body).toMatchObject({ status: 'succeeded', output: { priority: 'P1' } });
  const view = await server.post(`${AT}/definitions/recall/open-reports/run`, { input: {} });
  expect(JSON.stringify(view.body)).toContain('WS-2');
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
  return (await server.get(WAITING)).body.status;
}

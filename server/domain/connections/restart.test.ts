// Connections after a restart and after a rebuild of the read tables.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { systemClock } from '../../lib/clock.ts';
import { startServer, storedRows, temporaryFolder } from '../../test/index.ts';
import { DESK, ORG, SECRET } from './connections.testing.ts';
import { CANARY, serveApi, api } from './serving.testing.ts';

describe('after a start', () => {
  /** The same data directory, served again and again. */
  function givenFolder() {
    const folder = temporaryFolder();
    return {
      path: folder.path,
      remove: folder.remove,
      start: (environment: Record<string, string> = {}) => startServer({ dataDir: folder.path, environment }),
    };
  }

  async function givenConnected(
    folder: ReturnType<typeof givenFolder>,
    document: string,
  ): Promise<{ broken: string; other: string }> {
    const server = await folder.start();
    await server.post(`${ORG}/playbooks`, { playbook: 'desk', name: 'Desk' });
    const ids: string[] = [];
    for (const name of ['broken', 'other']) {
      const { id, connect } = (await server.post(`${ORG}/connections`, { ...api(document, SECRET), name })).body;
      const token = new URL(connect.url).searchParams.get('token');
      await server.post(`${ORG}/connections/${id}/credential`, { token, value: CANARY });
      ids.push(id);
    }
    await server.close();
    return { broken: ids[0] ?? '', other: ids[1] ?? '' };
  }

  const because = (body: JsonObject): unknown => [body['outcome'], body['because']];

  test('a credential is read again, and one that cannot be read breaks its connection and nothing else', async () => {
    const { document, seen } = await serveApi();
    const folder = givenFolder();
    const ids = await givenConnected(folder, document);
    await storedRows(folder.path, `UPDATE sealed_values SET sealed = 'AAAA' || substr(sealed, 5) WHERE owner = $1`, [
      `connection/${ids.broken}`,
    ]);

    const server = await folder.start();
    try {
      const call = async (name: string) =>
        because((await server.post(`${DESK}/tool-servers/${name}/tools/echo/execute`, {})).body);
      expect(await call('other')).toEqual(['result', undefined]);
      expect(seen.at(-1)?.headers['x-api-key']).toBe(CANARY);
      expect((await server.get(`${ORG}/connections/${ids.broken}`)).body.status).toBe('connected');
      expect(await call('broken')).toEqual([undefined, 'connection_broken']);
      expect(await call('broken')).toEqual([undefined, 'connection_broken']);
      expect((await server.get(`${ORG}/connections/${ids.broken}`)).body).toMatchObject({
        status: 'broken',
        broken: expect.stringContaining('secret store'),
      });
      expect((await server.get(`${ORG}/connections/${ids.other}`)).body).toMatchObject({
        status: 'connected',
        broken: null,
      });
      expect((await server.get(`${DESK}/tool-servers/search`)).body.servers).toMatchObject([
        { because: 'connection_broken' },
        { tool_count: 1 },
      ]);
      const again = await server.post(`${ORG}/connections`, { ...api(document, SECRET), name: 'broken' });
      expect(again.status).toBe(409);
      expect((await server.send('DELETE', `${ORG}/connections/${ids.broken}`)).body.status).toBe('removed');
    } finally {
      await server.close();
      folder.remove();
    }
  });

  test('without the data key connections are refused for now, and nothing is recorded', async () => {
    const { document } = await serveApi();
    const folder = givenFolder();
    const ids = await givenConnected(folder, document);
    const file = path.join(folder.path, 'secrets.key');
    const key = readFileSync(file, 'utf8');
    rmSync(file);
    const without = await folder.start();
    const refused = await without.post(`${DESK}/tool-servers/other/tools/echo/execute`, {});
    expect(refused.body).toMatchObject({ kind: 'tool_not_offered', because: 'connection_not_allowed' });
    expect(refused.body.detail).toContain('secrets.key');
    const { id, connect } = (await without.post(`${ORG}/connections`, { ...api(document, SECRET), name: 'third' }))
      .body;
    const token = new URL(connect.url).searchParams.get('token');
    expect((await without.post(`${ORG}/connections/${id}/credential`, { token, value: CANARY })).status).toBe(503);
    expect((await without.get(`${ORG}/connections/${ids.other}`)).body.status).toBe('connected');
    expect(existsSync(file)).toBe(false);
    await without.close();
    // The same key, now given by the environment.
    const withKey = await folder.start({ SECRETS_KEY: key.trim() });
    expect((await withKey.post(`${DESK}/tool-servers/other/tools/echo/execute`, {})).body.outcome).toBe('result');
    await withKey.close();
    folder.remove();
  });
});

test('a rebuild of the read tables gives the same connections', async () => {
  const { document } = await serveApi();
  const folder = temporaryFolder();
  const server = await startServer({ dataDir: folder.path });
  try {
    const add = async (name: string) => (await server.post(`${ORG}/connections`, { ...api(document), name })).body;
    const [one] = [await add('one'), await add('two')];
    await server.post(`${ORG}/connections/${one.id}/approve`, {
      token: new URL(one.connect.url).searchParams.get('token'),
    });
    await server.send('DELETE', `${ORG}/connections/${(await add('three')).id}`);
    await server.close();
    const { openLog } = await import('../../runtime/open-stores.ts');
    const database = { kind: 'sqlite', file: path.join(folder.path, 'cuebook.db') } as const;
    const log = openLog({ dataDir: folder.path, database }, systemClock, (sentence) => expect.fail(sentence));
    const read = (): Promise<unknown[]> =>
      log.read(async (tx) => [
        await tx.all('SELECT * FROM connections ORDER BY org, id'),
        await tx.all('SELECT * FROM connection_counts ORDER BY org'),
      ]);
    const before = await read();
    expect(before[1]).toEqual([{ org: 'local', present: 2 }]);
    await log.rebuild();
    const after = await read();
    await log.close();
    expect(after).toEqual(before);
  } finally {
    await server.close();
    folder.remove();
  }
});

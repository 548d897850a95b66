import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/index-native.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArchive, writeArchive } from '../../lib/playbook-files/index.ts';
import { startServer, type TestServer } from '../../test/index.ts';

let server: TestServer;
const ORG = '/v1/orgs/local/playbooks';
const ONE = { type: 'computation' as const, name: 'one', source: 'export default () => 1;' };
const CHANGED = { ...ONE, source: 'export default () => 2;' };
const TWO = { type: 'computation' as const, name: 'two', source: 'export default () => 3;' };
const WRONG = { ...TWO, source: 'export default 5;' };

const archiveOf = (definitions: (typeof ONE)[], playbook = 'desk'): Promise<Uint8Array> =>
  writeArchive({ playbook, name: 'Desk', description: 'Of tests.' }, definitions);
const send = (
  path: string,
  body: Uint8Array,
  headers: Record<string, string> = { 'content-type': 'application/zip' },
) => server.send('POST', `${ORG}${path}`, { headers, body });
const plan = (playbook: string, body: Uint8Array) => send(`/${playbook}/imports`, body);
const sourcesOf = async (playbook: string): Promise<unknown> =>
  (await server.get(`${ORG}/${playbook}/export`)).body.definitions;

async function imported(playbook: string, archive: Uint8Array) {
  const { body } = await plan(playbook, archive);
  return send(`/${playbook}/imports/${String(body.plan)}`, archive);
}

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('importing an archive', () => {
  test('is planned without a change, then makes the playbook', async () => {
    const archive = await archiveOf([ONE, TWO]);
    const planned = await plan('made', archive);
    expect(planned).toMatchObject({
      status: 200,
      body: {
        playbook: 'create',
        archived: 'desk',
        ignored: [],
        definitions: [
          { name: 'one', change: 'create' },
          { name: 'two', change: 'create' },
        ],
      },
    });
    expect((await server.get(`${ORG}/made`)).status).toBe(404);
    expect(await send(`/made/imports/${String(planned.body.plan)}`, archive)).toMatchObject({
      status: 201,
      body: planned.body,
    });
    expect(await sourcesOf('made')).toMatchObject([ONE, TWO]);
    expect((await server.get(`${ORG}/made`)).body).toMatchObject({ name: 'Desk', description: 'Of tests.' });
  });

  test('saves new versions of what differs, and keeps what the archive lacks', async () => {
    await imported('kept', await archiveOf([ONE, TWO], 'kept'));
    expect(await imported('kept', await archiveOf([CHANGED], 'kept'))).toMatchObject({
      status: 200,
      body: {
        playbook: 'unchanged',
        definitions: [
          { name: 'one', change: 'update', version: 1 },
          { name: 'two', change: 'missing' },
        ],
      },
    });
    expect((await server.get(`${ORG}/kept/definitions/computation/one`)).body).toMatchObject({
      version: 2,
      source: CHANGED.source,
    });
    expect(await sourcesOf('kept')).toMatchObject([CHANGED, TWO]);
  });

  test('is refused if the playbook has changed since the plan, or with another archive', async () => {
    const archive = await archiveOf([CHANGED], 'raced');
    await imported('raced', await archiveOf([ONE], 'raced'));
    const { body } = await plan('raced', archive);
    const other = await archiveOf([{ ...ONE, source: 'export default () => 9;' }], 'raced');
    expect(await send(`/raced/imports/${String(body.plan)}`, other)).toMatchObject({ status: 409 });
    await imported('raced', await archiveOf([TWO, { ...ONE, source: 'export default () => 8;' }], 'raced'));
    expect(await send(`/raced/imports/${String(body.plan)}`, archive)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('nothing was imported. Plan the import again.') },
    });
    expect(await sourcesOf('raced')).toMatchObject([{ source: 'export default () => 8;' }, TWO]);
  });

  test('saves all or nothing, and names the file of a document that cannot be saved', async () => {
    const archive = await archiveOf([ONE, WRONG]);
    const planned = await plan('wrong', archive);
    expect(planned).toMatchObject({ status: 422, body: { errors: [{ pointer: '/two.computation.ts' }] } });
    expect((await server.get(`${ORG}/wrong`)).status).toBe(404);
  });

  test('refuses what is no archive, is sent as something else, or names a wrong place', async () => {
    const archive = await archiveOf([ONE]);
    expect(await plan('bad', archive.slice(0, 60))).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '', detail: 'The file is not a complete zip archive.' }] },
    });
    expect((await send('/bad/imports', archive, { 'content-type': 'text/csv' })).status).toBe(415);
    expect((await plan('Bad_Name', archive)).status).toBe(422);
    expect((await send('/bad/imports/yes', archive)).status).toBe(404);
    expect((await plan('bad', new Uint8Array(8 * 1024 * 1024 + 1))).status).toBe(413);
  });

  test('refuses a small archive whose manifest asks for much work', async () => {
    const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
    await writer.add('playbook.yaml', new TextReader(`{${'{},'.repeat(10_919)}`));
    const archive = await writer.close();
    expect(archive.length).toBeLessThan(400);
    expect(await plan('flood', archive)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '', detail: expect.stringContaining('playbook.yaml cannot be read') }] },
    });
  });

  test('refuses a name that was retired, and a retired playbook', async () => {
    const archive = await archiveOf([ONE], 'gone');
    await imported('gone', archive);
    await server.post(`${ORG}/gone/definitions/computation/one/retire`, {});
    const { body } = await plan('gone', archive);
    expect(body.definitions).toMatchObject([{ change: 'retired' }]);
    expect(await send(`/gone/imports/${String(body.plan)}`, archive)).toMatchObject({
      status: 409,
      body: { kind: 'retired' },
    });
    await server.post(`${ORG}/gone/retire`, {});
    expect((await plan('gone', archive)).status).toBe(409);
  });
});

describe('exporting an archive', () => {
  test('holds what an import brought, and imports as unchanged', async () => {
    await imported('round', await archiveOf([ONE, TWO], 'round'));
    const response = await fetch(`${server.address}${ORG}/round/archive`);
    expect(response.headers.get('content-type')).toBe('application/zip');
    const archive = new Uint8Array(await response.arrayBuffer());
    expect(await readArchive(archive)).toEqual({
      playbook: 'round',
      name: 'Desk',
      description: 'Of tests.',
      definitions: [ONE, TWO],
      ignored: [],
    });
    expect((await plan('round', archive)).body).toMatchObject({
      playbook: 'unchanged',
      definitions: [{ change: 'unchanged' }, { change: 'unchanged' }],
    });
    expect((await fetch(`${server.address}${ORG}/none/archive`)).status).toBe(404);
  });
});

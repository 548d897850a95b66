import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';

let server: TestServer;
const ORG = '/v1/orgs/local/playbooks';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const entry = (name: string, source: string, more: object = { source }) => ({
  type: 'computation',
  name,
  sha256: sha256(source),
  ...more,
});
const apply = (playbook: string, body: object) => server.post(`${ORG}/${playbook}/apply`, { name: 'Desk', ...body });
const ONE = 'export default () => 1;';
const TWO = 'export default () => 2;';

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('applying a folder', () => {
  test('makes the playbook and everything in it, and then changes nothing', async () => {
    const dry = await apply('made', { definitions: [entry('one', ONE, {})], dry_run: true });
    expect(dry.body).toEqual({
      playbook: 'create',
      definitions: [{ type: 'computation', name: 'one', change: 'create' }],
      plan: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await server.get(`${ORG}/made`)).status).toBe(404);
    await apply('made', { definitions: [entry('one', ONE)] });
    expect((await apply('made', { definitions: [entry('one', ONE, {})] })).body.definitions).toMatchObject([
      { change: 'unchanged' },
    ]);
    expect((await server.get(`${ORG}/made/export`)).body).toMatchObject({
      name: 'Desk',
      definitions: [{ name: 'one', source: ONE, sha256: sha256(ONE) }],
    });
  });

  test('takes sources without digests, so that an agent can send files', async () => {
    const files = (...sources: string[]) =>
      sources.map((source, n) => ({ type: 'computation', name: `file-${n + 1}`, source }));
    const made = await apply('files', { definitions: files(ONE, TWO) });
    expect(made.body.definitions).toMatchObject([{ change: 'create' }, { change: 'create' }]);
    const again = { definitions: [...files(ONE, ONE), entry('file-3', ONE)] };
    const changes = [{ change: 'unchanged' }, { change: 'update', version: 1 }, { change: 'create' }];
    const { plan, definitions } = (await apply('files', { ...again, dry_run: true })).body;
    expect(definitions).toMatchObject(changes);
    expect((await apply('files', { ...again, plan })).body.definitions).toMatchObject(changes);
    const mixed = [...files(ONE), entry('file-2', ONE, {}), { type: 'computation', name: 'neither' }];
    expect((await apply('files', { definitions: mixed })).body.errors).toMatchObject([
      { pointer: '/definitions/2/source', detail: expect.stringContaining('send its source') },
    ]);
  });

  test('saves all or nothing: one wrong document refuses the rest', async () => {
    await apply('whole', { definitions: [entry('one', ONE)] });
    const refused = await apply('whole', {
      definitions: [entry('one', TWO), entry('wrong', 'export default 5;'), entry('lacks', TWO, {})],
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/definitions/1/source' }, { pointer: '/definitions/2/source' }] },
    });
    expect((await server.get(`${ORG}/whole/export`)).body.definitions).toMatchObject([{ name: 'one', source: ONE }]);
  });

  test('retires what the folder lacks only with `prune`, and never restores a retired name', async () => {
    await apply('pruned', { definitions: [entry('one', ONE), entry('two', TWO)] });
    expect((await apply('pruned', { definitions: [entry('one', ONE, {})] })).body.definitions).toContainEqual({
      type: 'computation',
      name: 'two',
      change: 'missing',
      version: 1,
    });
    await apply('pruned', { definitions: [entry('one', ONE, {})], prune: true });
    expect((await server.get(`${ORG}/pruned/definitions/computation/two`)).body.status).toBe('retired');
    expect(await apply('pruned', { definitions: [entry('two', TWO)] })).toMatchObject({
      status: 409,
      body: { kind: 'retired' },
    });
  });

  test('returns the warnings of what it saves, and the version that a change begins from', async () => {
    const warned = 'export default (): number => { const text: string = 5; return text.length; };';
    await apply('warned', { definitions: [entry('one', ONE)] });
    for (const dry_run of [true, false]) {
      const { body } = await apply('warned', { definitions: [entry('one', ONE, {}), entry('two', warned)], dry_run });
      expect(body.definitions).toMatchObject([
        { name: 'one', change: 'unchanged', version: 1 },
        { name: 'two', change: 'create', warnings: [{ pointer: '/source', line: 1, detail: expect.any(String) }] },
      ]);
    }
  });

  test('refuses in a dry run what saving would refuse, and asks for no source there', async () => {
    const broken = { definitions: [entry('one', ONE, {}), entry('broken', 'export default (')], dry_run: true };
    expect(await apply('dry', broken)).toMatchObject({
      status: 422,
      body: {
        errors: [{ pointer: '/definitions/1/source', detail: expect.stringMatching(/^computation\/broken: Line/) }],
      },
    });
  });

  test('refuses a playbook that cannot be, at its name', async () => {
    expect(await apply('Ap', { definitions: [] })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/playbook', detail: expect.stringContaining('3 to 48 lowercase letters') }] },
    });
  });

  test("refuses a name given twice and a digest that is not the source's", async () => {
    const twice = await apply('twice', { definitions: [entry('one', ONE), entry('one', ONE)] });
    expect(twice.body.errors).toMatchObject([{ pointer: '/definitions/1' }]);
    const wrong = await apply('twice', { definitions: [entry('one', ONE, { source: TWO })] });
    expect(wrong.body.errors).toMatchObject([{ pointer: '/definitions/0/sha256' }]);
  });
});

describe('a playbook that changes while a folder is applied', () => {
  const others = entry('of-others', TWO);

  test('keeps what changed after the plan that is applied', async () => {
    const folder = { definitions: [entry('one', ONE)], prune: true };
    await apply('planned', folder);
    const { plan } = (await apply('planned', { ...folder, dry_run: true })).body;
    await server.post(`${ORG}/planned/definitions/computation`, { name: others.name, source: TWO });
    expect(await apply('planned', { ...folder, plan })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('has changed since the dry run') },
    });
    expect((await server.get(`${ORG}/planned/definitions/computation/of-others`)).body.status).toBe('active');
    const now = (await apply('planned', { ...folder, dry_run: true })).body;
    expect(now.definitions).toContainEqual({ type: 'computation', name: 'of-others', change: 'retire', version: 1 });
    expect((await apply('planned', { ...folder, plan: now.plan })).status).toBe(200);
  });
});

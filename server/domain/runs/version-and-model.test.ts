import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveLoopback, startServer, type LoopbackServer, type TestServer } from '../../test/index.ts';
import { answerJson, bodyOf, chatAnswer } from '../models/models.testing.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const asked: string[] = [];
let provider: LoopbackServer;
let server: TestServer;

beforeAll(async () => {
  provider = await serveLoopback((request, response) => void answerModel(request, response));
  server = await startServer({
    environment: {
      MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: provider.address }]),
      ALLOWED_MODELS: JSON.stringify(['local/small', 'local/large']),
    },
  });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await save('computation', 'number', 'export default () => 1;', 'export default () => 2;');
  await save('workflow', 'flow', flow(1), flow(2));
  await save('recall', 'count', view(1), view(2));
  await save('reasoning', 'say', '---\nmodel: local/small\n---\nHello.\n');
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

async function answerModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model } = await bodyOf(request);
  asked.push(String(model));
  answerJson(response, 200, chatAnswer({ content: `From ${String(model)}.` }));
}

const flow = (value: number): string =>
  `document: { dsl: '1.0.3', namespace: desk, name: flow, version: '1.0.0' }\ndo:\n  - one: { set: { value: ${value} } }\n`;
const view = (value: number): string =>
  `export const reads = [{ events: {} }];\nexport const initial = {};\nexport const evolve = (state) => state;\nexport const answer = () => ${value};\n`;
const run = (of: string, fields: object) => server.post(`${AT}/definitions/${of}/run`, fields);

async function save(type: string, name: string, first: string, ...later: readonly string[]): Promise<void> {
  expect((await server.post(`${AT}/definitions/${type}`, { name, source: first })).status).toBe(201);
  for (const source of later) {
    // oxlint-disable-next-line no-await-in-loop -- versions are saved one after the other
    expect((await server.put(`${AT}/definitions/${type}/${name}`, { source })).status).toBe(200);
  }
}

describe('a run of a given version', () => {
  test.each([
    ['computation/number', 1, 2],
    ['workflow/flow', { value: 1 }, { value: 2 }],
  ])('uses that version of %s, and without one the current version', async (of, first, current) => {
    const run_id = crypto.randomUUID();
    const pinned = await run(of, { version: 1, run_id });
    expect(pinned).toMatchObject({ status: 200, body: { definition_version: 1, output: first } });
    expect((await run(of, {})).body).toMatchObject({ definition_version: 2, output: current });
    expect((await run(of, { version: 2 })).body).toMatchObject({ definition_version: 2, output: current });
    // The same request again, with or without the version, is the same run; another version is another request.
    expect((await run(of, { version: 1, run_id })).body).toEqual(pinned.body);
    expect((await run(of, { run_id })).body).toEqual(pinned.body);
    expect(await run(of, { version: 2, run_id })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('another definition, version, model or input') },
    });
  });

  test('needs a version that exists, of a definition that is active', async () => {
    expect(await run('computation/number', { version: 3 })).toMatchObject({
      status: 404,
      body: { detail: 'The playbook desk has no definition computation/number in a version 3.' },
    });
    await save('computation', 'gone', 'export default () => 1;', 'export default () => 2;');
    await server.post(`${AT}/definitions/computation/gone/retire`, {});
    expect(await run('computation/gone', { version: 1 })).toMatchObject({ status: 409, body: { kind: 'retired' } });
  });

  test('of a recall function can only be of the current one', async () => {
    expect(await run('recall/count', { version: 1 })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/version', detail: expect.stringContaining('only the current version') }] },
    });
    expect((await run('recall/count', { version: 2 })).body).toMatchObject({ output: 2 });
  });
});

describe('a run with a given model', () => {
  test('calls that one, says so, and belongs to it', async () => {
    const run_id = crypto.randomUUID();
    const { body } = await run('reasoning/say', { model: 'local/large', run_id });
    expect(body).toMatchObject({ status: 'succeeded', model: 'local/large', output: { text: 'From large.' } });
    const { body: shown } = await server.get(`${AT}/runs/${run_id}`);
    expect(shown).toMatchObject({ model: 'local/large', record: { model: { requested: 'local/large' } } });
    expect((await run('reasoning/say', { model: 'local/large', run_id })).body).toEqual(body);
    for (const other of [{}, { model: 'local/small' }]) {
      // oxlint-disable-next-line no-await-in-loop -- both meet the same run
      expect((await run('reasoning/say', { ...other, run_id })).status).toBe(409);
    }
    expect(asked.filter((model) => model === 'large')).toHaveLength(1);
    const own = await run('reasoning/say', {});
    expect(own.body).toMatchObject({ output: { text: 'From small.' } });
    expect(own.body).not.toHaveProperty('model');
  });

  test('is refused where the operator does not allow the model', async () => {
    expect(await run('reasoning/say', { model: 'local/other' })).toMatchObject({
      status: 503,
      body: { kind: 'model_not_offered' },
    });
    expect(asked).not.toContain('other');
  });

  test('needs a function that calls one, and the reference of a model', async () => {
    expect(await run('computation/number', { model: 'local/large' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/model', detail: expect.stringContaining('calls no model itself') }] },
    });
    expect(await run('reasoning/say', { model: 'large' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/model' }] },
    });
  });
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveLoopback, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';
import { answerJson, chatAnswer } from '../models/models.testing.ts';

const AT = '/v1/orgs/local/playbooks/desk';

const folder = temporaryFolder();
let provider: Awaited<ReturnType<typeof serveLoopback>>;
let server: TestServer;
beforeAll(async () => {
  provider = await serveLoopback((request, response) => {
    request.resume();
    answerJson(response, 200, chatAnswer({ content: 'well' }));
  });
  const file = path.join(folder.path, 'cuebook.yaml');
  const config = {
    model_gateways: [{ name: 'local', base_url: provider.address }],
    model_aliases: { 'team/fast': 'local/priced' },
    model_prices: { 'local/priced': { input: 100_000, output: 200_000, cached: 0 } },
  };
  writeFileSync(file, JSON.stringify(config));
  server = await startServer({ environment: { CONFIG_FILE: file } });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  for (const [name, model] of [
    ['fast', 'team/fast'],
    ['free', 'local/free'],
  ]) {
    await server.post(`${AT}/definitions/reasoning`, { name, source: `---\nmodel: ${model}\n---\nHello.\n` });
  }
});
afterAll(async () => {
  await server.close();
  await provider.close();
  folder.remove();
});

test('tokens and costs are counted by day, definition and model', async () => {
  for (const name of ['fast', 'fast', 'free']) await server.post(`${AT}/definitions/reasoning/${name}/run`, {});
  // A run without a model is not counted.
  await server.post(`${AT}/definitions/computation`, { name: 'one', source: 'export default () => 1;\n' });
  await server.post(`${AT}/definitions/computation/one/run`, {});
  const { status, body } = await server.get(`${AT}/model-usage?days=2`);
  expect(status).toBe(200);
  // 10 tokens in, 4 of them cached, and 5 out: 6 * 0.1 + 5 * 0.2 for each run.
  const fast = { runs: 2, tokens: { input: 20, output: 10, cached: 8 }, cost: expect.closeTo(3.2), unpriced_runs: 0 };
  const free = { runs: 1, tokens: { input: 10, output: 5, cached: 4 }, unpriced_runs: 1 };
  const total = { runs: 3, tokens: { input: 30, output: 15, cached: 12 }, cost: expect.closeTo(3.2), unpriced_runs: 1 };
  expect(body).toMatchObject({ days: 2, complete: true, total });
  expect(body.by_definition).toEqual([
    { definition: 'reasoning/fast', usage: fast },
    { definition: 'reasoning/free', usage: free },
  ]);
  expect(body.by_model).toEqual([
    { model: 'local/priced', usage: fast },
    { model: 'local/free', usage: free },
  ]);
  expect(body.by_day).toHaveLength(2);
  expect(body.by_day.reduce((sum: number, { usage }: { usage: { runs: number } }) => sum + usage.runs, 0)).toBe(3);
});

test('an unknown playbook is not found', async () => {
  expect((await server.get('/v1/orgs/local/playbooks/nowhere/model-usage')).status).toBe(404);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../server/test/index.ts';
import { BEGINNINGS, beginningOf } from './beginnings.ts';

let server: TestServer;
beforeAll(async () => {
  // A reasoning function is warned of where its provider has no key.
  server = await startServer({ environment: { OPENAI_API_KEY: 'a-key-of-no-use' } });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
});
afterAll(() => server.close());

test.each(Object.entries(BEGINNINGS))(
  'what a new %s begins with is valid and gives no warning',
  async (type, source) => {
    const { body } = await server.post(`/v1/orgs/local/playbooks/desk/definitions/${type}/check`, { source });
    expect(body).toMatchObject({ valid: true, issues: [], warnings: [] });
  },
);

test.each([
  { models: [], begins: 'openai/gpt-5-mini' },
  { models: ['ollama/llama3.2', 'openai/gpt-5-mini'], begins: 'openai/gpt-5-mini' },
  { models: ['ollama/llama3.2', 'ollama/qwen3'], begins: 'ollama/llama3.2' },
])('with the models $models, a new reasoning function begins with $begins', ({ models, begins }) => {
  expect(beginningOf('reasoning', models)).toContain(`\nmodel: ${begins}\n`);
});

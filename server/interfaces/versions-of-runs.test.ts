// Runs and reruns of a version other than the current one, over each interface.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { answerJson, bodyOf, chatAnswer } from '../domain/models/models.testing.ts';
import {
  type LoopbackServer,
  SERVER_PROGRAM,
  serveLoopback,
  startServer,
  temporaryFolder,
  type TestServer,
} from '../test/index.ts';
import { type McpTestClient, newClient } from './mcp/mcp.testing.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const flow = (last: string): string => `document: { dsl: '1.0.3', namespace: desk, name: flow, version: '1.0.0' }
do:
  - first: { set: { n: 1 } }
  - last: { set: { n: '\${ .n }', last: ${last} } }
`;
const folder = temporaryFolder();

let provider: LoopbackServer;
let server: TestServer;
let client: McpTestClient;
let runId: string;
beforeAll(async () => {
  provider = await serveLoopback((request, response) => void answerModel(request, response));
  const gateways = JSON.stringify([{ name: 'local', base_url: provider.address }]);
  server = await startServer({
    environment: { MODEL_GATEWAYS: gateways, ALLOWED_MODELS: JSON.stringify(['local/small', 'local/large']) },
  });
  client = await newClient(server);
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(`${AT}/definitions/workflow`, { name: 'flow', source: flow('old') });
  runId = (await server.post(`${AT}/definitions/workflow/flow/run`, {})).body.run_id;
  await server.put(`${AT}/definitions/workflow/flow`, { source: flow('new') });
  await server.post(`${AT}/definitions/reasoning`, { name: 'say', source: '---\nmodel: local/small\n---\nHello.\n' });
});
afterAll(async () => {
  await client.close();
  await server.close();
  await provider.close();
  folder.remove();
});

async function answerModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model } = await bodyOf(request);
  answerJson(response, 200, chatAnswer({ content: `From ${String(model)}.` }));
}

async function cuebook(...words: string[]): Promise<string> {
  const args = [SERVER_PROGRAM, ...words, '--server', server.address];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

/** Each starts a rerun from the last step, and returns the new run. */
const RERUNS: Readonly<Record<string, (version: number) => Promise<JsonObject>>> = {
  HTTP: async (version) => (await server.post(`${AT}/runs/${runId}/rerun`, { step: 'last', version })).body,
  MCP: async (version) =>
    (await client.call('rerun', { playbook: 'desk', run_id: runId, step: 'last', version })).structured,
  CLI: async (version) =>
    JSON.parse(await cuebook('rerun', 'desk', runId, '--from', 'last', '--version', String(version), '--json')),
};

describe('a rerun with another version', () => {
  test.each(Object.entries(RERUNS))(
    'uses the steps of that version over %s, and names the version of its origin',
    async (_, rerun) => {
      const [older, newer] = [await rerun(1), await rerun(2)];
      const run = async ({ run_id }: JsonObject) => (await server.get(`${AT}/runs/${String(run_id)}`)).body;
      expect(await run(older)).toMatchObject({ definition_version: 1, output: { n: 1, last: 'old' } });
      expect(await run(newer)).toMatchObject({
        definition_version: 2,
        output: { n: 1, last: 'new' },
        origin: { run_id: runId, definition_version: 1 },
      });
    },
    60_000,
  );

  test('is refused if there is no such version', async () => {
    const fields = { playbook: 'desk', run_id: runId, step: 'last', version: 3 };
    const words = expect.stringContaining('workflow/flow in a version 3');
    const http = await server.post(`${AT}/runs/${runId}/rerun`, { step: 'last', version: 3 });
    expect(http).toMatchObject({ status: 404, body: { detail: words } });
    const mcp = await client.call('rerun', fields);
    expect([mcp.isError, mcp.content[0]?.text]).toEqual([true, words]);
    await expect(RERUNS['CLI']?.(3)).rejects.toMatchObject({ stderr: words });
  }, 60_000);
});

describe('cuebook run', () => {
  test('runs the given version', async () => {
    expect(JSON.parse(await cuebook('run', 'desk', 'workflow/flow', '--version', '1'))).toEqual({ n: 1, last: 'old' });
    expect(JSON.parse(await cuebook('run', 'desk', 'workflow/flow'))).toEqual({ n: 1, last: 'new' });
  }, 60_000);

  test('asks the given model', async () => {
    const output = await cuebook('run', 'desk', 'reasoning/say', '--model', 'local/large');
    expect(JSON.parse(output)).toEqual({ text: 'From large.' });
  }, 60_000);

  test.each([
    [['workflow/flow', '--version', 'new'], '--version is "new"; give a number, such as 3.'],
    [['--draft', 'FILE', '--version', '1'], '--version is for saved definitions; leave it or --draft out.'],
    [['--draft', 'FILE', '--model', 'a/b'], '--model is for saved definitions; leave it or --draft out.'],
  ])('refuses %j', async (words, message) => {
    const file = path.join(folder.path, 'one.computation.ts');
    writeFileSync(file, 'export default () => 1;\n');
    const refused = cuebook('run', 'desk', ...words.map((word) => (word === 'FILE' ? file : word)));
    await expect(refused).rejects.toMatchObject({ code: 2, stderr: `${message}\n` });
  });
});

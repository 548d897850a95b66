import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serveLoopback, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const API = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'order',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['item'], properties: { item: { type: 'string' } } },
            },
          },
        },
        responses: { 200: { description: 'Ordered.' } },
      },
    },
  },
};

const folder = temporaryFolder();
let ordered = 0;
/** Called with an order that is not answered, if it is set. */
let holds: (() => void) | undefined;
let api: Awaited<ReturnType<typeof serveLoopback>>;
let server: TestServer;
beforeAll(async () => {
  api = await serveLoopback((_incoming, outgoing) => {
    ordered += 1;
    if (holds !== undefined) return holds();
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ order: ordered }));
  });
  const document = path.join(folder.path, 'api.json');
  writeFileSync(document, JSON.stringify({ ...API, servers: [{ url: api.address }] }));
  const configuration = path.join(folder.path, 'cuebook.yaml');
  writeFileSync(
    configuration,
    JSON.stringify({ tool_servers: { shop: { type: 'openapi', document, base_url: api.address } } }),
  );
  server = await startServer({ environment: { CONFIG_FILE: configuration } });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(async () => {
  await server.close();
  await api.close();
  folder.remove();
});
beforeEach(() => {
  ordered = 0;
  holds = undefined;
});

const INTERACTION = 'call: { tool: shop/order, arguments: { body: { item: "${ .item }" } } }\n';
const WORKFLOW = `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }
do: [ { buy: { call: tool, with: { tool: shop/order, arguments: { body: { item: "\${ .item }" } } } } } ]
`;
const run = (type: string, fields: object) => server.post(`${AT}/definitions/${type}/run-draft`, fields);
const eventCount = async (): Promise<number> => (await server.get(`${AT}/events?limit=100`)).body.events.length;

test.each([
  ['interaction', INTERACTION, '/ask'],
  ['workflow', WORKFLOW, '/do/0/buy'],
])('a tool of a draft %s is checked and not called; its result is asked for', async (type, source, call) => {
  expect((await run(type, { source, input: { item: 7 } })).body).toMatchObject({
    status: 'waiting',
    questions: [{ call, asks_for: 'result', detail: expect.stringContaining('do not match its schema') }],
  });
  const asked = (await run(type, { source, input: { item: 'ink' } })).body;
  expect(asked.questions).toMatchObject([{ detail: expect.stringContaining('match its schema') }]);
  const results = [{ call, output: { order: 5 } }];
  expect((await run(type, { source, input: { item: 'ink' }, ...asked.continuation, results })).body).toMatchObject({
    status: 'succeeded',
    output: { order: 5 },
  });
  expect(ordered).toBe(0);
});

test.each([
  ['interaction', INTERACTION],
  ['workflow', WORKFLOW],
])('with `call_tools` a draft %s calls it once, and records nothing', async (type, source) => {
  const before = await eventCount();
  expect((await run(type, { source, input: { item: 'ink' }, call_tools: true })).body).toMatchObject({
    status: 'succeeded',
    output: { order: 1 },
    calls: [{ called: 'shop/order', how: 'called', status: 'succeeded' }],
  });
  expect(ordered).toBe(1);
  expect(await eventCount()).toBe(before);
});

test('a tool that was called is not called again when the draft continues', async () => {
  const ask = 'ask: { to: editor, message: "Well?", answer: { type: boolean } }\n';
  await server.post(`${AT}/definitions/interaction`, { name: 'well', source: ask });
  const source = WORKFLOW.replace(' } ]\n', ' }, { ask: { call: interaction/well } } ]\n');
  const asked = (await run('workflow', { source, input: { item: 'ink' }, call_tools: true })).body;
  expect(asked).toMatchObject({ status: 'waiting', questions: [{ message: 'Well?' }] });
  const results = [...asked.continuation.results, { call: '/do/1/ask', output: true }];
  const rest = { source, input: { item: 'ink' }, call_tools: true };
  expect((await run('workflow', { ...rest, ...asked.continuation, results })).body).toMatchObject({
    status: 'succeeded',
    output: true,
  });
  expect(ordered).toBe(1);
});

test('a stop ends a draft that waits for a tool, with a refusal', async () => {
  const held = Promise.withResolvers<void>();
  holds = held.resolve;
  const ended = run('workflow', { source: WORKFLOW, input: { item: 'ink' }, call_tools: true });
  await held.promise;
  await server.close();
  expect(await ended).toMatchObject({ status: 503, body: { detail: expect.stringContaining('the service stops') } });
});

// Tool servers over HTTP, and in workflows: a real server, real MCP servers and a real API.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeClock } from '../lib/clock.ts';
import { CANARY_KEY, startServer, temporaryFolder, type TestServer } from '../test/index.ts';
import { programOf } from '../domain/tools/tools.testing.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const KEY = CANARY_KEY;

const folder = temporaryFolder();
let shop: Server;
let server: TestServer;
/** What the shop was sent, as `METHOD PATH BODY`. */
const sent: string[] = [];

beforeAll(async () => {
  shop = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.url === '/openapi.json') return response.end(JSON.stringify(SHOP));
    sent.push(`${request.method} ${request.url} ${body}`);
    const status = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 200);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ status, leaked: request.headers.authorization, body: body === '' ? null : JSON.parse(body) }),
    );
  });
  await new Promise<void>((resolve) => void shop.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const file = path.join(folder.path, 'config.json');
  const open = {
    type: 'openapi',
    document: `${address}/openapi.json`,
    headers: { Authorization: 'Bearer ${SHOP_KEY}' },
  };
  const config = {
    tool_servers: {
      everything: programOf('server-everything'),
      shop: { ...open, allowed: ['get_*', 'order'] },
      silent: { ...open, record_content: false },
      broken: { type: 'stdio', command: '/nowhere/to-be-found' },
    },
    workflow_secrets: [{ variable: 'CARD' }],
  };
  writeFileSync(file, JSON.stringify(config));
  server = await startServer({ environment: { CONFIG_FILE: file, SHOP_KEY: KEY, CARD: 'card-number-4711' } });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(async () => {
  await server.close();
  shop.close();
  folder.remove();
});

const tool = (name: string, verb = ''): string =>
  `${AT}/tool-servers/${name.split('/')[0]}/tools/${name.split('/')[1]}${verb}`;
const order = (sku: string): object => ({ arguments: { body: { sku } } });

test('a call by itself has a stream of its own: listed as events of the playbook, and no run', async () => {
  const called = await server.post(tool('shop/order', '/execute'), order('a-1'));
  expect(called).toMatchObject({
    status: 200,
    body: {
      server: 'shop',
      tool: 'order',
      outcome: 'result',
      answer: { status: 200, leaked: 'Bearer ***', body: { sku: 'a-1' } },
    },
  });
  const { call_id: id } = called.body;
  const { events } = (await server.get(`${AT}/events?order=asc&limit=100`)).body;
  const own = events.filter(({ metadata }: { metadata: { stream: string } }) => metadata.stream === `call-${id}`);
  expect(own).toMatchObject([
    {
      type: 'tool_call_started',
      data: { call_id: id, arguments: { body: { sku: 'a-1' } }, arguments_sha256: expect.any(String) },
      metadata: { position: 1, by: 'developer', correlation_id: null, causation_id: null },
    },
    { type: 'tool_call_answered', metadata: { position: 2, causation_id: own[0].id } },
  ]);
  expect(own[0].data).not.toHaveProperty('read_only');
  expect(own[0].metadata).not.toHaveProperty('run_id');
  expect((await server.get(`${AT}/runs`)).body.runs).toEqual([]);
});

test('history shows arguments past 2 KiB as their size, and get_event in full', async () => {
  const sku = 'x'.repeat(3000);
  await server.post(tool('shop/order', '/execute'), order(sku));
  const [answered, started] = (await server.get(`${AT}/events?limit=2`)).body.events;
  expect(started.data).toMatchObject({ arguments_bytes: 3019 });
  expect(started.data).not.toHaveProperty('arguments');
  expect(answered.data).toMatchObject({ answer_bytes: expect.any(Number), result_bytes: expect.any(Number) });
  const full = await server.get(`${AT}/events/${started.id}`);
  expect(full.body.data.arguments).toEqual({ body: { sku } });
  expect(full.text).not.toContain(KEY);
});

test('where the operator has no content kept, events hold sizes alone', async () => {
  const called = await server.post(tool('silent/order', '/execute'), order('unseen-sku'));
  expect(called.body.answer.body).toEqual({ sku: 'unseen-sku' });
  const { events } = (await server.get(`${AT}/events?limit=2`)).body;
  expect(JSON.stringify(events)).not.toMatch(/unseen-sku|sha256/);
  expect(events[1].data).toMatchObject({ arguments_bytes: 29 });
  await server.post(tool('silent/get_status', '/execute'), { arguments: { code: 503 } });
  const [failed] = (await server.get(`${AT}/events?limit=1`)).body.events;
  expect(failed.data).toMatchObject({ because: 'server_failure' });
  expect(failed.data).not.toHaveProperty('detail');
});

test.each([
  ['validate with a query string', 'shop/order', '/validate?x=1', { arguments: {} }, 400, { type: /bad_request$/ }],
  ['dry_run with a query string', 'shop/order', '/dry-run?x=1', {}, 400, { type: /bad_request$/ }],
  ['validate without arguments', 'shop/order', '/validate', {}, 422, { type: /invalid_input$/ }],
  ['arguments that are no object', 'shop/order', '/execute', { arguments: [] }, 422, { type: /invalid_input$/ }],
  ['a field that is not known', 'shop/order', '/execute', { args: {} }, 422, { type: /invalid_input$/ }],
  [
    'a tool that the operator does not allow',
    'shop/cancel',
    '/execute',
    {},
    503,
    { type: /unavailable$/, kind: /^tool_not_offered$/, because: /^tool_not_allowed$/ },
  ],
  [
    'a server that cannot be started',
    'broken/any',
    '/execute',
    {},
    503,
    { kind: /^tool_server_failed$/, because: /^unreachable$/ },
  ],
] as const)('%s is refused', async (_name, named, verb, body, status, problem) => {
  const refused = await server.post(tool(named, verb), body);
  expect(refused.status).toBe(status);
  for (const [member, words] of Object.entries(problem)) expect(refused.body[member]).toMatch(words);
});

test('Retry-After is sent where asking again may help, and never with tool_not_offered', async () => {
  expect((await server.post(tool('broken/any', '/execute'), {})).headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await server.post(tool('shop/cancel', '/execute'), {})).headers.get('retry-after')).toBeNull();
});

test('a retired playbook serves the reads and refuses execute', async () => {
  const at = '/v1/orgs/local/playbooks/old-desk';
  await server.post('/v1/orgs/local/playbooks', { playbook: 'old-desk', name: 'Old' });
  await server.post(`${at}/retire`);
  const order = `${at}/tool-servers/shop/tools/order`;
  expect((await server.get(`${at}/tool-servers/search?server=shop`)).body.servers).toHaveLength(1);
  expect((await server.get(order)).body).toMatchObject({ server: 'shop', tool: 'order' });
  expect((await server.post(`${order}/dry-run`, {})).body).toMatchObject({ would_run: false, playbook_retired: true });
  expect(await server.post(`${order}/execute`, {})).toMatchObject({ status: 409, body: { kind: 'retired' } });
});

describe('in workflows', { timeout: 60_000 }, () => {
  const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";

  async function carryOut(name: string, steps: string) {
    const saved = await server.post(`${AT}/definitions/workflow`, { name, source: HEAD + steps });
    expect(saved.status, saved.text).toBe(201);
    const { run_id: id } = (await server.post(`${AT}/definitions/workflow/${name}/run`, {})).body;
    await expect
      .poll(async () => (await server.get(`${AT}/runs/${id}`)).body.status, { timeout: 45_000 })
      .not.toBe('started');
    const { events } = (await server.get(`${AT}/runs/${id}/history?limit=100`)).body;
    const calls = events.filter(({ type }: { type: string }) => type.startsWith('tool_call'));
    return { saved: saved.body, run: (await server.get(`${AT}/runs/${id}`)).body, calls, text: JSON.stringify(events) };
  }

  const call = (named: string, args = '{}'): string => `{ call: tool, with: { tool: ${named}, arguments: ${args} } }`;

  test('given a call of an MCP tool, then its output is passed on, and history shows call and answer', async () => {
    const { saved, run, calls } = await carryOut(
      'sum-up',
      `do: [ { add: ${call('everything/get-sum', '{ a: 2, b: 3 }')} } ]`,
    );
    expect(saved.warnings).toEqual([]);
    expect(run).toMatchObject({ status: 'succeeded', output: { text: expect.stringContaining('5') } });
    expect(calls).toMatchObject([
      {
        type: 'tool_call_started',
        data: { attempt: 1, step: '/do/0/add', server: 'everything', tool: 'get-sum', arguments: { a: 2, b: 3 } },
        metadata: { run_id: run.run_id },
      },
      { type: 'tool_call_answered', metadata: { causation_id: calls[0].id } },
    ]);
  });

  test('given JSON of an API, then it is the output; secrets of workflow and server stand in no history', async () => {
    const { run, calls, text } = await carryOut(
      'order-one',
      `use: { secrets: [CARD] }\ndo: [ { buy: ${call('shop/order', "{ body: { sku: b-1, card: '${ $secrets.CARD }' } }")} } ]`,
    );
    expect(sent.at(-1)).toContain('card-number-4711');
    expect(run.output).toEqual({ status: 200, leaked: 'Bearer ***', body: { sku: 'b-1', card: '***' } });
    expect(calls[0].data.arguments).toEqual({ body: { sku: 'b-1', card: '***' } });
    expect(text).not.toMatch(/card-number-4711|key-of-the-shop/);
  });

  test.each([
    [404, 'runtime', 500, 'tool_error', 'tool_call_answered'],
    [503, 'communication', 503, 'server_failure', 'tool_call_failed'],
  ])(
    'given an answer of %d, then a %s error is raised that holds the outcome',
    async (code, type, status, outcome, event) => {
      const attempt = `{ try: [ { ask: ${call('shop/get_status', `{ code: ${code} }`)} } ], catch: { errors: { with: { type: ${type} } }, as: e, do: [ { tell: { set: { told: '\${ $e }' } } } ] } }`;
      const { run, calls } = await carryOut(`code-${code}`, `do: [ { attempt: ${attempt} } ]`);
      expect(run.output.told).toMatchObject({ status, outcome, detail: expect.any(String) });
      expect(calls.map((one: { type: string }) => one.type)).toEqual(['tool_call_started', event]);
      expect(calls[0].data).toMatchObject({ read_only: true });
    },
  );

  test.each([
    ['a-tool-not-allowed', 'shop/cancel', 'conflict', 'tool_not_allowed'],
    ['a-server-not-there', 'nobody/order', 'conflict', 'tool_server_not_configured'],
    ['a-tool-not-listed', 'everything/none', 'conflict', 'tool_not_listed'],
    ['a-broken-server', 'broken/any', 'unavailable', 'unreachable'],
  ])('given %s, then nothing is called and the error holds why', async (name, named, reason, because) => {
    // What a server has is known at save where it was asked before.
    await server.get(`${AT}/tool-servers/search?server=everything`);
    const { saved, run, calls } = await carryOut(name, `do: [ { ask: ${call(named)} } ]`);
    expect(saved.warnings.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      because === 'unreachable' ? [] : ['/source/do/0/ask/with/tool'],
    );
    expect(run).toMatchObject({ status: 'rejected', reason, record: { error: { rejection: { because } } } });
    expect(calls).toEqual([]);
  });

  test('given the standard call of an MCP server by its command, then the tool server of that command is asked', async () => {
    const { command, args } = programOf('server-everything') as { command: string; args: string[] };
    const mcp = (method: string, parameters: string): string =>
      `{ call: mcp, with: { method: ${method}, parameters: ${parameters}, timeout: PT10S, transport: { stdio: { command: '${command}', arguments: ${JSON.stringify(args)} } } } }`;
    const listed = await carryOut('mcp-list', `do: [ { ask: ${mcp('tools/list', '{}')} } ]`);
    expect(listed.saved.warnings).toEqual([]);
    expect(listed.run.output.tools).toContainEqual(
      expect.objectContaining({ name: 'echo', inputSchema: expect.objectContaining({ type: 'object' }) }),
    );
    expect(listed.calls).toEqual([]);
    const called = await carryOut(
      'mcp-call',
      `do: [ { ask: ${mcp('tools/call', '{ name: echo, arguments: { message: hi } }')} } ]`,
    );
    expect(called.run.output).toEqual({ content: [{ type: 'text', text: 'Echo: hi' }] });
    expect(called.calls).toMatchObject([
      { data: { server: 'everything', tool: 'echo' } },
      { type: 'tool_call_answered' },
    ]);
  });

  test('given an address that no tool server has, then it is a warning at save and unworkable in the run', async () => {
    const steps = `do: [ { ask: { call: mcp, with: { method: tools/list, transport: { http: { endpoint: 'https://mcp.example.com' } } } } } ]`;
    const { saved, run } = await carryOut('mcp-nowhere', steps);
    expect(saved.warnings).toMatchObject([{ pointer: '/source/do/0/ask/with/transport/http' }]);
    expect(run).toMatchObject({ reason: 'conflict', kind: 'unworkable' });
  });
});

test('given a server that is busy with others, then a step waits for its turn, and is called once', async () => {
  const clock = createFakeClock();
  const file = path.join(folder.path, 'busy.json');
  const program = fileURLToPath(new URL('../domain/tools/hostile.testing.ts', import.meta.url));
  const busy = { type: 'stdio', command: process.execPath, args: [program, 'never answers'] };
  writeFileSync(file, JSON.stringify({ tool_servers: { busy } }));
  const own = await startServer({ clock, environment: { CONFIG_FILE: file } });
  await own.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source =
    "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\ndo: [ { ask: { call: tool, with: { tool: busy/act } } } ]";
  await own.post(`${AT}/definitions/workflow`, { name: 'ask-busy', source });
  const calls = async (): Promise<{ type: string; data: { because?: string } }[]> =>
    (await own.get(`${AT}/events?limit=100&order=asc`)).body.events.filter(({ type }: { type: string }) =>
      type.startsWith('tool_call'),
    );
  for (let n = 0; n < 5; n += 1) await own.post(`${AT}/definitions/workflow/ask-busy/run`, {});
  await expect.poll(calls, { timeout: 15_000 }).toHaveLength(4);
  while ((await own.get(`${AT}/runs?status=started`)).body.runs.length > 0) clock.advance(1000);
  const all = await calls();
  expect(all.filter(({ type }) => type === 'tool_call_started')).toHaveLength(5);
  expect(all.flatMap(({ data }) => data.because ?? [])).toEqual(Array.from({ length: 5 }, () => 'timed_out'));
  await own.close();
});

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'order',
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { sku: { type: 'string' } } } } },
        },
        responses: {},
      },
      delete: { operationId: 'cancel', responses: {} },
    },
    '/status/{code}': {
      get: {
        operationId: 'get_status',
        parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {},
      },
    },
  },
};

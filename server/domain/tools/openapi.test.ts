import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createScrubber } from '../../lib/scrub/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { serveApi } from './api.testing.ts';
import { givenTools } from './tools.testing.ts';
import { TOKEN, environment, DOCUMENT, billing, GET, done, json } from './openapi.testing.ts';

test('given a document, its operations are tools with schemas that stand on their own', async () => {
  const api = await serveApi(DOCUMENT, json);
  const { ask } = await givenTools(billing(api), { environment });
  expect(await ask('search', {})).toMatchObject({
    servers: [{ name: 'billing', type: 'openapi', tool_count: 3 }],
    tools: [
      { tool: 'get_invoice', summary: 'Reads an invoice.', read_only: true },
      { tool: 'create_invoice', read_only: false },
      { tool: 'delete_invoices', summary: 'DELETE /invoices', read_only: false },
    ],
  });
  expect(await ask('introspect', GET)).toMatchObject({
    // What the entry gives itself is not asked for.
    input_schema: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        fields: { type: 'array', items: { type: 'string' }, description: 'Which.' },
      },
      required: ['id'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  });
  const create = { server: 'billing', tool: 'create_invoice' };
  expect((await ask('introspect', create))['input_schema']).toEqual({
    type: 'object',
    properties: { body: { $ref: '#/$defs/Invoice' } },
    required: ['body'],
    additionalProperties: false,
    $defs: {
      Invoice: {
        type: 'object',
        required: ['amount'],
        properties: {
          amount: { type: 'number', exclusiveMinimum: 0 },
          note: { type: ['string', 'null'] },
          parts: { type: 'array', items: { $ref: '#/$defs/Invoice' } },
        },
      },
    },
  });
  const args = { body: { amount: 1, note: null, parts: [{ amount: 0 }] } };
  expect(await ask('validate', create, { arguments: args })).toMatchObject({
    valid: false,
    issues: [{ path: '/body/parts/0/amount' }],
  });
  // The document is the list: it is read once, and nothing else is asked.
  expect(api.seen.map(({ url }) => url)).toEqual([`/openapi.json?key=${TOKEN}`]);
});

test('a call goes to the base URL with what the entry sends, and its result is scrubbed', async () => {
  const api = await serveApi(DOCUMENT, json);
  const { ask, events } = await givenTools(billing(api), { environment });
  const answer = { id: 7, echoed: '***', packed: expect.stringContaining('***') };
  const executed = await ask('execute', GET, { arguments: { id: 7, fields: ['a b', 'c'] } });
  expect(executed).toMatchObject({ outcome: 'result', answer, server_request_id: 'req-9' });
  expect(api.seen[1]).toMatchObject({
    url: `/v1/invoices/7?fields=a%20b&fields=c&key=${TOKEN}`,
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  await ask('execute', { server: 'billing', tool: 'create_invoice' }, { arguments: { body: { note: TOKEN } } });
  expect(api.seen[2]?.body).toBe(JSON.stringify({ note: TOKEN }));
  expect(JSON.stringify([executed, await events()])).not.toContain(TOKEN);
  expect((await events())[2]?.data).toMatchObject({ arguments: { body: { note: '***' } } });
});

test.each([
  [204, '', 'text/plain', 'result', '[HTTP 204]'],
  [200, 'plain', 'text/plain', 'result', 'plain'],
  [200, '\u0000\u0001', 'image/png', 'result', '[image/png, 2 bytes]'],
  [200, '{broken', 'application/json', 'server_failure', 'is not valid JSON'],
  [200, '['.repeat(5000) + ']'.repeat(5000), 'application/json', 'server_failure', 'is not valid JSON'],
  [404, '{"error":"no such"}', 'application/json', 'tool_error', '[HTTP 404]\n{"error":"no such"}'],
  [401, 'secret words', 'text/plain', 'server_failure', 'HTTP 401'],
  [429, '', 'text/plain', 'server_failure', 'HTTP 429'],
  [302, '', 'text/plain', 'server_failure', 'redirect'],
  [503, 'down for now', 'text/plain', 'server_failure', 'The server said: down for now'],
])('HTTP %d with %j of %s is a %s', async (status, body, type, outcome, text) => {
  const api = await serveApi(DOCUMENT, (_request, response) => {
    response.writeHead(status, { 'content-type': type, location: 'https://elsewhere.example/' }).end(body);
  });
  const { ask } = await givenTools(billing(api), { environment });
  expect(await ask('execute', GET, { arguments: { id: 1 } })).toMatchObject({
    outcome,
    text: expect.stringContaining(text),
  });
  expect(api.seen).toHaveLength(2);
});

test('a refusal for a missing scope says which scopes are demanded', async () => {
  const api = await serveApi(DOCUMENT, (_request, response) => {
    response.writeHead(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="orders:read"' }).end();
  });
  const { ask } = await givenTools(billing(api), { environment });
  expect(await ask('execute', GET, { arguments: { id: 1 } })).toMatchObject({
    outcome: 'tool_error',
    text: expect.stringMatching(/lacks a permission \(HTTP 403\): it demands `orders:read`/),
  });
});

test('arguments that no request can be made of are refused, and nothing is sent', async () => {
  const api = await serveApi(DOCUMENT, json);
  const { ask, events } = await givenTools(billing(api), { environment });
  for (const args of [{}, { id: 1, key: 'mine' }, { id: '..' }]) {
    expect(await ask('execute', GET, { arguments: args })).toMatchObject({
      outcome: 'tool_error',
      text: expect.stringContaining('Nothing was sent'),
      result_bytes: null,
    });
  }
  expect(api.seen).toHaveLength(1);
  expect((await events()).filter(({ data }) => data['because'] === 'arguments_refused')).toHaveLength(3);
});

test.each([
  ['v1', '/v1/invoices/1'],
  ['v1/', '/v1/invoices/1'],
  ['', '/invoices/1'],
])('base_url with the path %j takes the place of every server that the document names', async (base, path_) => {
  const elsewhere = [{ url: 'https://elsewhere.example/api' }];
  const { paths } = DOCUMENT;
  const [at, item] = Object.entries(paths).find(([name]) => name.includes('{id}')) ?? [];
  const own = { ...item, servers: elsewhere };
  const document = { ...DOCUMENT, servers: elsewhere, paths: { ...paths, [String(at)]: own } };
  const api = await serveApi(document, json);
  const { ask } = await givenTools(billing(api, { base_url: new URL(base, api.url).href }), { environment });
  expect(await ask('execute', GET, { arguments: { id: 1 } })).toMatchObject({ outcome: 'result' });
  expect(new URL(api.seen.at(-1)?.url ?? '', api.url).pathname).toBe(path_);
});

test('arguments of one name in two places are two: each is described, and goes to its own place', async () => {
  const places = ['path', 'query'].map((location) => ({
    name: 'id',
    in: location,
    required: true,
    schema: { type: 'string' },
  }));
  const body = { name: 'body', in: 'query', description: 'Which parts.', schema: { type: 'string' } };
  const operation = {
    operationId: 'put',
    parameters: [...places, body],
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {},
  };
  const api = await serveApi({ ...DOCUMENT, paths: { '/things/{id}': { put: operation } } }, json);
  const { ask } = await givenTools(billing(api), { environment });
  const put = { server: 'billing', tool: 'put' };
  expect((await ask('introspect', put))['input_schema']).toMatchObject({
    properties: {
      id: { type: 'string' },
      query_id: { description: 'The query parameter `id`.' },
      body: { type: 'object' },
      query_body: { description: 'The query parameter `body`. Which parts.' },
    },
    required: ['id', 'query_id'],
  });
  const given = { id: 'a', query_id: 'b', body: { c: 1 }, query_body: 'd' };
  expect(await ask('execute', put, { arguments: given })).toMatchObject({ outcome: 'result' });
  const { pathname, searchParams } = new URL(api.seen.at(-1)?.url ?? '', api.url);
  expect([pathname, searchParams.get('id'), searchParams.get('body')]).toEqual(['/v1/things/a', 'b', 'd']);
  expect(api.seen.at(-1)?.body).toBe('{"c":1}');
});

test('what the entry sends goes to no origin that only the document names', async () => {
  const elsewhere = await serveApi(DOCUMENT, done);
  const document = { ...DOCUMENT, servers: [{ url: elsewhere.url.href }] } as unknown as JsonObject;
  const api = await serveApi(document, json);
  const { base_url: _unused, ...entry } = billing(api).billing as JsonObject;
  const { ask } = await givenTools({ billing: entry }, { environment });
  expect(await ask('execute', GET, { arguments: { id: 1 } })).toMatchObject({
    outcome: 'server_failure',
    text: expect.stringContaining('base_url'),
  });
  const { headers: _headers, query_params: _query, ...bare } = entry;
  const without = await givenTools({ billing: bare });
  expect(await without.ask('execute', GET, { arguments: { id: 1, key: 'mine' } })).toMatchObject({ outcome: 'result' });
  expect(elsewhere.seen).toHaveLength(1);
  expect(elsewhere.seen[0]?.headers.authorization).toBeUndefined();
});

test.each([
  ['localhost', 'server_failure', 0],
  ['127.0.0.1', 'result', 1],
])('a document from elsewhere that names a server at %s: %s', async (host, outcome, requests) => {
  const inside = await serveApi(DOCUMENT, done);
  const there = new URL(inside.url);
  there.hostname = host;
  const api = await serveApi({ ...DOCUMENT, servers: [{ url: there.href }] }, json);
  const { ask } = await givenTools({ billing: { type: 'openapi', document: new URL('openapi.json', api.url).href } });
  expect(await ask('execute', GET, { arguments: { id: 1, key: 'mine' } })).toMatchObject({ outcome });
  expect(inside.seen).toHaveLength(requests);
});

test.each([
  ['no document', 'nonsense', 'failing'],
  ['a document that refers to others', JSON.stringify({ ...DOCUMENT, x: { $ref: 'https://e.example/x' } }), 'failing'],
])('%s is a server that fails', async (_name, text, because) => {
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'openapi.json');
  writeFileSync(file, text);
  const { refusal } = await givenTools({ billing: { type: 'openapi', document: file } });
  expect(await refusal('introspect', GET)).toMatchObject({ kind: 'tool_server_failed', because });
  folder.remove();
  expect(await refusal('introspect', GET)).toMatchObject({ because: 'unreachable' });
});

test.each([
  [200, 64 * 1024],
  [503, 1000],
])('what the caller takes out of an answer %d is taken out before the answer is cut', async (status, cut) => {
  const secret = 'a-secret-of-the-workflow';
  // What stands around it is as long as needed to have it lie across the cut.
  const text = `${'x'.repeat(cut - 8)}${secret} and more`;
  const api = await serveApi(DOCUMENT, (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
  });
  const { tools } = await givenTools(billing(api), { environment });
  const playbookKey = { org: 'local', playbook: 'desk' };
  const called = await tools.call(
    playbookKey,
    'billing',
    'get_invoice',
    { id: 7 },
    {
      scrubber: createScrubber([secret]),
      beforeSending: async () => undefined,
    },
  );
  expect(called?.text).toContain('xxxxxxxx***');
  expect(JSON.stringify(called)).not.toContain('a-secret');
});

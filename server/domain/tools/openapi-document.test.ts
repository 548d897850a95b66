import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { temporaryFolder } from '../../test/index.ts';
import { entryOf, serveApi } from './api.testing.ts';
import { toolsOf } from './openapi/document-tools.ts';
import { givenTools } from './tools.testing.ts';
import { environment, DOCUMENT, billing, GET, done, json } from './openapi.testing.ts';

test('a document of another origin than the base URL is read without what the entry sends', async () => {
  const place = await serveApi(DOCUMENT, json);
  const api = await serveApi(DOCUMENT, json);
  const { ask } = await givenTools(billing(place, { base_url: api.url.href }), { environment });
  expect(await ask('execute', GET, { arguments: { id: 1 } })).toMatchObject({ outcome: 'result' });
  expect(place.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/openapi.json', undefined]]);
});

test('a document may be a file beside the configuration; a changed one counts', async () => {
  const api = await serveApi(DOCUMENT, json);
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'billing.json');
  const { paths } = DOCUMENT;
  writeFileSync(file, JSON.stringify(DOCUMENT));
  const { ask, refusal } = await givenTools(billing(api, { document: file }), { environment });
  expect(await ask('execute', GET, { arguments: { id: 1 } })).toMatchObject({ outcome: 'result' });
  writeFileSync(file, JSON.stringify({ ...DOCUMENT, paths: { '/invoices': paths['/invoices'] } }));
  expect(await refusal('introspect', GET)).toMatchObject({ because: 'tool_not_listed' });
  folder.remove();
});

/** So many operations, each over the same component, which is made of so many. */
function largeDocument(operations: number, members: number): JsonObject {
  const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Whole' } } } };
  const paths = Array.from({ length: operations }, (_, number) => [
    `/things/${number}`,
    { post: { operationId: `act_${number}`, parameters: [{ name: 'depth', in: 'query' }], requestBody: body } },
  ]);
  const properties = Array.from({ length: members }, (_, number) => [`member_${number}`, { type: 'string' }]);
  const whole = { type: 'object', properties: Object.fromEntries(properties) };
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: { Whole: whole } },
  };
}

test('given many operations over one large component, it is converted when it is asked for, and once', async () => {
  const root = largeDocument(2000, 5000);
  let reads = 0;
  const { schemas } = root['components'] as { schemas: { Whole: { properties: JsonObject } } };
  const count = (): string => {
    reads += 1;
    return 'string';
  };
  schemas.Whole.properties['member_7'] = Object.defineProperty({}, 'type', { enumerable: true, get: count });
  const tools = toolsOf({ version: '3.1', root, url: undefined }, () => false);
  expect(tools.size).toBe(2000);
  const { listed } = tools.get('act_7') ?? {};
  expect(listed?.argumentNames()).toEqual(['depth', 'body']);
  expect(reads).toBe(0);
  for (const tool of [...tools.values()].slice(0, 500)) {
    const { $defs } = tool.listed.inputSchema() as { $defs: { Whole: { properties: object } } };
    expect(Object.keys($defs.Whole.properties)).toHaveLength(5000);
  }
  expect(reads).toBe(1);
});

test('given a large document, it is searched by names of arguments, and each of its tools is described', async () => {
  const api = await serveApi(largeDocument(1500, 4000), json);
  const { ask } = await givenTools({ large: entryOf(api) });
  expect(await ask('search', { server: 'large', terms: 'depth act_11' })).toMatchObject({
    servers: [{ tool_count: 1500 }],
    tools: expect.arrayContaining([expect.objectContaining({ tool: 'act_11' })]),
  });
  expect(await ask('validate', { server: 'large', tool: 'act_9' }, { arguments: { body: { member_1: 1 } } })).toEqual({
    valid: null,
    issues: [{ path: '', message: expect.stringContaining('at most 1000 schemas') }],
  });
});

test('what is too large of a schema is left out, and says so; it takes anything', async () => {
  const api = await serveApi(largeDocument(1, 30_000), json);
  const { ask } = await givenTools({ large: entryOf(api) });
  expect(await ask('introspect', { server: 'large', tool: 'act_0' })).toMatchObject({
    input_schema: { $defs: { Whole: { description: expect.stringContaining('describes too much') } } },
  });
});

test('given more operations than a server may have, then it is failing, and says how many it may', async () => {
  const api = await serveApi(largeDocument(2001, 1), json);
  const { ask } = await givenTools({ large: entryOf(api) });
  expect(await ask('search', {})).toMatchObject({
    servers: [{ because: 'failing', unavailable: expect.stringContaining('more than 2000 operations') }],
  });
});

test('given a document whose schemas nest without end, then its server is failing and the others are found', async () => {
  const parameter = `{"name":"x","in":"query","schema":{"type":"object","default":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}}`;
  const text = `{"openapi":"3.1.0","info":{"title":"Deep","version":"1"},"paths":{"/a":{"get":{"operationId":"get_a","parameters":[${parameter}],"responses":{}}}}}`;
  const folder = temporaryFolder();
  const file = path.join(folder.path, 'deep.json');
  writeFileSync(file, text);
  const { ask } = await givenTools({ deep: { type: 'openapi', document: file } }, { environment });
  expect(await ask('search', {})).toMatchObject({
    tools: [],
    servers: [{ because: 'failing', unavailable: expect.stringContaining('more than 200 levels') }],
  });
  folder.remove();
});

test('calls that begin at once read the document together', async () => {
  const api = await serveApi(DOCUMENT, done);
  const { ask } = await givenTools({ billing: entryOf(api) });
  const calls = [1, 2, 3, 4].map((id) => ask('execute', GET, { arguments: { id, key: 'k' } }));
  for (const executed of await Promise.all(calls)) expect(executed).toMatchObject({ outcome: 'result' });
  expect(api.seen.filter(({ url }) => url === '/openapi.json')).toHaveLength(1);
});

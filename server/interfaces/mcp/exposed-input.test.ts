// Exposed definitions whose input schemas model providers refuse as tools.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { newClient } from './mcp.testing.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const text = { type: 'string' };
const UNION = {
  type: 'object',
  anyOf: [
    { properties: { id: text }, required: ['id'] },
    { properties: { 'the name': text }, required: ['the name'] },
  ],
};
const NAMES = {
  type: 'object',
  required: ['filter[x]'],
  properties: { 'filter[x]': text, $top: { type: 'integer' }, größe: { type: 'object', properties: { 'a/b': text } } },
};
const ECHO = 'export default function (input) { return input; }';
const computation = (input: JsonObject, expose = true): string =>
  `export const expose = ${expose};\nexport const input = ${JSON.stringify(input)};\n${ECHO}\n`;
const WORKFLOW = `
document: { dsl: 1.0.3, namespace: desk, name: pick, version: 1.0.0, metadata: { expose: true } }
input: { schema: { document: ${JSON.stringify(UNION)} } }
do:
  - done: { set: { ok: true } }
`;
const REASONING = `---\nmodel: local/m\nexpose: true\ninput: ${JSON.stringify(NAMES)}\n---\nFind it.\n`;
const INTERACTION = JSON.stringify({
  description: 'Asks.',
  expose: true,
  input: UNION,
  ask: { to: 'a person', message: 'Well?', answer: { type: 'object', properties: { ok: { type: 'boolean' } } } },
});

let server: TestServer;
const warnings = new Map<string, readonly { pointer: string; detail: string }[]>();

beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const save = async (type: string, name: string, source: string): Promise<void> => {
    const saved = await server.post(`${AT}/definitions/${type}`, { name, source });
    if (saved.status !== 201) throw new Error(`It was not saved: ${saved.text}`);
    warnings.set(name, saved.body.warnings ?? []);
  };
  await save('computation', 'union', computation(UNION));
  await save('computation', 'names', computation(NAMES));
  await save('computation', 'list', computation({ type: 'array', items: text }));
  await save(
    'computation',
    'plain',
    computation({ type: 'object', properties: { a: { anyOf: [text, { type: 'null' }] } } }),
  );
  await save('computation', 'hidden', computation(UNION, false));
  await save('workflow', 'pick', WORKFLOW);
  await save('reasoning', 'find', REASONING);
  await save('interaction', 'ask-it', INTERACTION);
});
afterAll(() => server.close());

const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

test('each is a tool that clients and their models take', async () => {
  const client = await newClient(server, '/orgs/local/playbooks/desk/mcp');
  const tools = (await client.tools()).filter(({ name }) =>
    /^(?:computation|workflow|reasoning|interaction)_/.test(name),
  );
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'computation_list',
    'computation_names',
    'computation_plain',
    'computation_union',
    'interaction_ask-it',
    'reasoning_find',
    'workflow_pick',
  ]);
  for (const { name, inputSchema } of tools) {
    expect(inputSchema['type'], name).toBe('object');
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'enum', 'not'])
      expect(inputSchema, name).not.toHaveProperty(keyword);
    expect(
      Object.keys(inputSchema['properties'] as JsonObject).every((property) => PROPERTY.test(property)),
      name,
    ).toBe(true);
  }
});

test('its arguments reach the definition under its own names, in both forms', async () => {
  const client = await newClient(server, '/orgs/local/playbooks/desk/mcp');
  const output = async (name: string, args: JsonObject) => (await client.call(name, args)).structured.output;
  expect(await output('computation_union', { input: { the_name: 'Ada' } })).toEqual({ 'the name': 'Ada' });
  expect(await output('computation_union', { 'the name': 'Ada' })).toEqual({ 'the name': 'Ada' });
  const own = { 'filter[x]': 'a', $top: 1, größe: { 'a/b': 'c' } };
  expect(await output('computation_names', { filter_x_: 'a', _top: 1, gro_e: { a_b: 'c' } })).toEqual(own);
  expect(await output('computation_names', own)).toEqual(own);
  expect(await output('workflow_pick', { input: { id: '1' } })).toEqual({ ok: true });
  expect(await output('computation_list', { input: ['a'] })).toEqual(['a']);
});

test('an error points into the arguments as the tool has them', async () => {
  const client = await newClient(server, '/orgs/local/playbooks/desk/mcp');
  const pointers = async (name: string, args: JsonObject): Promise<string[]> =>
    (await client.call(name, args)).structured.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(await pointers('computation_names', { filter_x_: 1, gro_e: { a_b: 2 } })).toEqual([
    '/filter_x_',
    '/gro_e/a_b',
  ]);
  expect(await pointers('computation_union', { input: { id: 1 } })).toEqual([expect.stringMatching(/^\/input/)]);
  expect(await pointers('computation_union', { input: { id: '1' }, more: 1 })).toEqual(['/more']);
});

test('saving warns of what differs, at the input', () => {
  const details = (name: string): string[] => (warnings.get(name) ?? []).map(({ detail }) => detail);
  expect(details('union').join()).toMatch(
    /takes its input as the argument `input`, because many models refuse tools with `anyOf` at the top; it names the properties `the name` `the_name`/,
  );
  expect(details('names').join()).toMatch(
    /names the properties `filter\[x\]` `filter_x_`, `\$top` `_top`, `größe` `gro_e` and 1 more/,
  );
  expect(details('list').join()).toMatch(/because many models refuse tools with an input that is no object\.$/);
  for (const name of ['plain', 'hidden'])
    expect(details(name).filter((detail) => detail.includes('MCP tool'))).toEqual([]);
  expect(warnings.get('pick')).toContainEqual(
    expect.objectContaining({ pointer: '/source/input/schema/document', detail: expect.stringContaining('MCP tool') }),
  );
  expect(warnings.get('find')).toContainEqual(
    expect.objectContaining({ pointer: '/source/input', detail: expect.stringContaining('`filter[x]`') }),
  );
  expect(details('ask-it').join()).toContain('`anyOf` at the top');
});

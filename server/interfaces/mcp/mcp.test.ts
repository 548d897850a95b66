import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { createFakeClock } from '../../lib/clock.ts';
import { settle } from '../../kernel/log/testing.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { aiClient, makeShop, type McpTestClient, newClient, oldClient } from './mcp.testing.ts';

const SHOP = '/orgs/local/playbooks/shop/mcp';
const LISTS = '/orgs/local/playbooks/lists/mcp';
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeShop(server);
});
afterAll(() => server.close());

const CLIENTS: readonly (readonly [string, (at?: string) => Promise<McpTestClient>])[] = [
  ['revision 2026-07-28', (at) => newClient(server, at)],
  ['revision 2025-11-25', (at) => oldClient(server, at)],
];

describe.each(CLIENTS)('a client of %s', (name, connect) => {
  let client: McpTestClient;
  beforeAll(async () => {
    client = await connect(SHOP);
  });
  afterAll(() => client.close());

  test('lists tools, runs a definition, and reads the run', async () => {
    expect((await client.tools()).map((tool) => tool.name)).toContain('run_definition');
    const run = await client.call('run_definition', { type: 'computation', name: 'add-tax', input: { price: 10 } });
    expect(run.structured).toMatchObject({ status: 'succeeded', output: { total: 11.9 } });
    expect(run.content.map(({ text }) => text)).toContain(JSON.stringify(run.structured));
    const read = await client.call('get_run', { run_id: run.structured.run_id });
    expect(read.structured).toMatchObject({ output: { total: 11.9 }, definition_version: 1 });
  });

  test('gets a refusal as a result that says what to do', async () => {
    const refused = await client.call('run_definition', { type: 'computation', name: 'add-tax', input: { price: -1 } });
    expect(refused.isError).toBe(true);
    const [sentence = '', problem = ''] = refused.content.map(({ text }) => text);
    const words = '`price` must be at least 0.';
    expect(sentence).toContain(`${words} The run was rejected: invalid input. Correct the input values`);
    // The message has the texts of the errors, the document their pointers. Its type is the reason.
    expect(JSON.parse(problem)).toEqual({
      status: 422,
      reason: 'invalid_input',
      errors: [{ pointer: '/input/price' }],
      run_id: expect.any(String),
    });
    const whole = expect.objectContaining({
      status: 422,
      errors: [{ pointer: '/input/price', detail: words }],
      advice: expect.stringMatching(/get_definition/),
    });
    expect(refused.structured).toEqual(name.endsWith('2026-07-28') ? whole : undefined);
  });

  test('gets the message of a program that fails first, and the outcome of the run in one word', async () => {
    const source = `export default () => {\n  throw new Error("No prices today.");\n};`;
    await server.post('/v1/orgs/local/playbooks/shop/definitions/computation', { name: 'throws', source });
    const failed = await client.call('run_definition', { type: 'computation', name: 'throws' });
    expect(failed.content[0]?.text).toMatch(
      /^Error: No prices today \(line 2, column \d+\)\. The run was rejected: program error\. /,
    );
    const waits = await client.call('run_definition', { type: 'workflow', name: 'wait' });
    expect(waits.content.at(-1)?.text).toMatch(/^The run is waiting for an event\. Read its result with get_run/);
    await client.call('cancel_run', { run_id: waits.structured.run_id });
  });

  test('calls a definition that is exposed by its own name and arguments', async () => {
    const tool = (await client.tools()).find((one) => one.name === 'computation_add-tax');
    expect(tool?.inputSchema['properties']).toEqual({ price: { type: 'number', minimum: 0 } });
    expect(tool?.outputSchema?.['properties']).toMatchObject({ output: { properties: { total: { type: 'number' } } } });
    const ran = await client.call('computation_add-tax', { price: 100 });
    expect(ran.structured).toEqual({ run_id: expect.any(String), status: 'succeeded', output: { total: 119 } });
    const refused = await client.call('computation_add-tax', { price: 'ten' });
    expect(JSON.parse(refused.content[1]?.text ?? '').errors).toMatchObject([{ pointer: '/price' }]);
  });

  test('reads the guides', async () => {
    expect(await client.read('guide://computation')).toMatch(/^# Computation/);
    await expect(client.read('guide://nothing')).rejects.toThrow(/guide:\/\/computation/);
  });

  test('gets a large value as its size and a link, and reads it there', async () => {
    const ran = await client.call('computation_large', { input: 100_000 });
    expect(ran.structured).toMatchObject({ status: 'succeeded', output_bytes: 100_002 });
    const link = ran.content.find(({ type }) => type === 'resource_link');
    expect(link).toMatchObject({ name: 'output', uri: ran.structured.output_resource });
    expect(await client.read(String(link?.uri))).toBe('x'.repeat(100_000));
    const part = await client.call('read_resource', { uri: String(link?.uri), offset: 90_000 });
    expect(part).toMatchObject({ content: [{ text: 'x'.repeat(10_000) }], structured: undefined });
    const first = await client.call('read_resource', { uri: String(link?.uri) });
    expect(first.content.map(({ text = '' }) => text)).toEqual([
      'x'.repeat(24 * 1024),
      'Characters 0 to 24576 of 100000; call read_resource again with offset 24576 for the next ones.',
    ]);
  });

  test('gets an event with a large value as its size and a link, and reads it there', async () => {
    const ran = await client.call('computation_large', { input: 120_000 });
    const { structured: listed } = await client.call('list_playbook_events', {
      run_id: ran.structured.run_id,
      type: 'run_succeeded',
    });
    const [{ id }] = listed.events as [{ id: string }];
    const got = await client.call('get_event', { event_id: id });
    const uri = `cuebook://local/playbooks/shop/events/${id}?part=/data/output`;
    expect(got.structured).toMatchObject({ id, data: { output_bytes: 120_002, output_resource: uri } });
    expect(got.content.find(({ type }) => type === 'resource_link')).toMatchObject({ uri, name: 'output' });
    expect(await client.read(uri)).toBe('x'.repeat(120_000));
    const whole = JSON.parse(await client.read(uri.replace('/output', ''))) as JsonObject;
    expect(whole['output']).toBe('x'.repeat(120_000));
    const { body } = await server.get(`/v1/orgs/local/playbooks/shop/events/${id}`);
    expect(body.data).toEqual(whole);
  });

  test('gets the progress of a run while it waits, and its end', async () => {
    const messages: (string | undefined)[] = [];
    const waits = client.call('workflow_wait', { input: {} }, { onprogress: ({ message }) => messages.push(message) });
    await expect.poll(() => messages.length, { timeout: 5000 }).toBeGreaterThan(0);
    const { body } = await server.get('/v1/orgs/local/playbooks/shop/runs?name=wait&status=started');
    await client.call('send_run_event', {
      run_id: body.runs[0].run_id,
      event: { type: 'answered', data: { approved: true } },
    });
    expect((await waits).structured).toMatchObject({ status: 'succeeded', output: { approved: true } });
    expect(messages.every((message) => (message ?? '').length > 0)).toBe(true);
  });
});

test('a client of a third make lists and calls', async () => {
  const client = await aiClient(server, SHOP);
  try {
    const tools = await client.tools();
    const answer = await tools['computation_add-tax']?.execute?.({ price: 10 }, {
      toolCallId: '1',
      messages: [],
    } as never);
    expect(answer).toMatchObject({ structuredContent: { output: { total: 11.9 } } });
  } finally {
    await client.close();
  }
});

describe('endpoints', () => {
  test("a playbook's own takes no playbook and leaves out what is the org's", async () => {
    const [all, own] = [await newClient(server), await newClient(server, SHOP)];
    const [ofOrg, ofShop] = [await all.tools(), await own.tools()];
    expect(ofOrg.map(({ name }) => name)).toContain('create_playbook');
    expect(ofShop.map(({ name }) => name)).not.toContain('create_playbook');
    expect(ofShop.map(({ name }) => name)).not.toContain('retire_playbook');
    for (const { inputSchema } of [...ofOrg, ...ofShop]) expect(inputSchema['properties']).not.toHaveProperty('org');
    for (const { inputSchema } of ofShop) expect(inputSchema['properties']).not.toHaveProperty('playbook');
    expect((await own.call('list_runs', { playbook: 'shop' })).isError).toBe(false);
    expect((await own.call('list_runs', { playbook: 'other' })).content[0]?.text).toMatch(/playbook/);
    await expect(own.call('create_playbook', { playbook: 'x', name: 'x' })).rejects.toThrow(/connect to \/mcp/);
    await expect(own.call('get_runs')).rejects.toThrow(/Did you mean get_run/);
    await expect(own.call('get_playbook')).rejects.toThrow(/over HTTP; connect to \/mcp.* use list_playbooks/);
    await expect(all.call('get_playbook')).rejects.toThrow(/over HTTP; use list_playbooks here/);
    await expect(own.call('workflow_nothing')).rejects.toThrow(/no tool workflow_nothing/);
    await expect(own.call('any\u202e\u001b[1m')).rejects.toThrow(String.raw`no tool any\u202e\u001b[1m`);
  });

  test('the tools=read one keeps what only reads and executes nothing else', async () => {
    const client = await oldClient(server, `${SHOP}?tools=read`);
    for (const { annotations } of await client.tools()) expect(annotations).toMatchObject({ readOnlyHint: true });
    for (const name of ['run_definition', 'computation_add-tax']) {
      expect(await client.call(name, {})).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/tools=read/) }, {}],
      });
    }
    await expect(client.call('list_playbooks')).rejects.toThrow(/works on the whole org/);
  });

  test.each([
    [
      'a run, of the org',
      '/mcp',
      'get_run',
      { playbook: 'shop', run_id: 'x' },
      /Look up the name with list_playbooks or list_runs/,
    ],
    ['a run, of a playbook', SHOP, 'get_run', { run_id: 'x' }, /Look up the name with list_runs/],
    [
      'a definition',
      SHOP,
      'run_definition',
      { type: 'computation', name: 'x' },
      /Look up the name with list_definitions/,
    ],
    [
      'an open request',
      SHOP,
      'answer_interaction',
      { run_id: 'x', answer: 1 },
      /Look up the name with list_runs or list_interactions/,
    ],
    ['a connection', '/mcp', 'remove_connection', { id: 'x' }, /Look up the name with list_connections/],
    ['an event', SHOP, 'get_event', { event_id: 'x' }, /Look up the name with list_playbook_events/],
    ['a playbook', '/mcp', 'search_in_org', { playbook: 'x' }, /Look up the name with list_playbooks/],
  ] as const)('%s that is not there is told with the tools that list such', async (_, path, name, given, words) => {
    expect((await (await newClient(server, path)).call(name, given)).content[0]?.text).toMatch(words);
  });

  test.each(['1e0', 'x', '0', '01'])('an address of the version %s leads nowhere', async (version) => {
    const client = await newClient(server, SHOP);
    const at = 'cuebook://local/playbooks/shop/definitions/computation/add-tax/versions';
    expect(JSON.parse(await client.read(`${at}/1`))).toMatchObject({ version: 1 });
    await expect(client.read(`${at}/${version}`)).rejects.toThrow(/cannot read/);
  });

  test.each([
    ['another query', '/mcp?tools=all', 422],
    ['an unknown playbook', '/orgs/local/playbooks/nothing/mcp', 404],
    ['no org', '/orgs/a.b/mcp', 404],
  ])('%s is a plain problem', async (_, path, status) => {
    const answer = await server.post(path, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  test('a cursor that no list returned is refused', async () => {
    const params = { cursor: 'tools_2' };
    const accept = 'application/json, text/event-stream';
    const { text } = await server.post(SHOP, { jsonrpc: '2.0', id: 1, method: 'tools/list', params }, { accept });
    expect(text).toContain('"code":-32602');
    expect(text).toContain('begin without a cursor');
  });

  test('guards stand before them as before every path', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const origin = await server.post('/mcp', message, { origin: 'https://evil.example' });
    expect([origin.status, origin.body.type]).toEqual([403, 'https://cuebook.dev/problems/origin_not_allowed']);
    expect((await server.post('/mcp', message, { authorization: 'Basic x' })).status).toBe(400);
    const get = await server.get('/mcp');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await server.post('/mcp', message, { 'content-type': 'text/plain' })).status).toBe(415);
    const twice = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":1,"id":2}' };
    expect(await (await fetch(`${server.address}/mcp`, twice)).json()).toMatchObject({ error: { code: -32_700 } });
  });
});

/** The schemas of numbers that stand anywhere in a schema. */
function numbersOf(schema: Json): JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap(numbersOf);
  if (!isJsonObject(schema)) return [];
  const isNumber = [schema['type']].flat().some((type) => type === 'integer' || type === 'number');
  return [...(isNumber ? [schema] : []), ...Object.values(schema).flatMap(numbersOf)];
}

describe('tools', () => {
  test.each(['/mcp', SHOP])('of %s are described whole and within bounds', async (path) => {
    const client = await newClient(server, path);
    for (const tool of await client.tools()) {
      const { name, title = '', description = '', inputSchema, outputSchema, annotations = {} } = tool;
      expect(name).toMatch(name.includes('-') ? /^[a-z0-9_-]{1,64}$/ : /^[a-z_]{1,45}$/);
      // The text of a guide is no structured content.
      const output = name === 'read_resource' ? undefined : 'object';
      expect([title.length > 0, description.length < 1500, outputSchema?.['type']], name).toEqual([true, true, output]);
      const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
      expect(Object.keys(annotations).toSorted()).toEqual(hints.toSorted());
      if (name.startsWith('computation_')) continue;
      for (const { minimum, maximum } of numbersOf(inputSchema)) {
        expect([typeof minimum, typeof maximum], name).toEqual(['number', 'number']);
      }
    }
  });

  /** What tools may cost in a client's context, in tokens of four characters. */
  test.each([
    ['/mcp', 7_100],
    [SHOP, 5_900],
  ])('of %s cost less than %d tokens', async (path, most) => {
    const tools = await (await newClient(server, path)).tools();
    expect(JSON.stringify(tools).length / 4).toBeLessThan(most);
  });

  test('an input that is no object goes under input, and its own references still lead where they did', async () => {
    const client = await newClient(server, LISTS);
    const tool = (await client.tools()).find(({ name }) => name === 'computation_count');
    expect(tool?.inputSchema).toMatchObject({
      type: 'object',
      required: ['input'],
      properties: { input: { $ref: '#/properties/input/$defs/many' } },
    });
    expect((await client.call('computation_count', { input: [1, 2, 3] })).structured.output).toBe(3);
  });

  test('what stands beside an input under `input` is refused at its place, and nothing runs', async () => {
    const client = await newClient(server, SHOP);
    const runs = async (): Promise<number> =>
      (await client.call('list_runs', { name: 'large', limit: 100 })).structured.runs.length;
    const before = await runs();
    const refused = await client.call('computation_large', { city: 'Oslo', input: 1, 'a/b': 2 });
    expect(refused.isError).toBe(true);
    expect(refused.structured.errors).toMatchObject([
      { pointer: '/city', detail: expect.stringContaining('`input`') },
      { pointer: '/a~1b' },
    ]);
    expect(await runs()).toBe(before);
  });

  test('a response that the service cannot accept is returned as a result in its position', async () => {
    const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
    const client = await newClient(server, SHOP);
    const input = JSON.parse(deep);
    const refused = await client.call('run_definition', { type: 'computation', name: 'add-tax', input });
    expect(refused.structured.errors).toEqual([{ pointer: '/input', detail: expect.stringMatching(/^`input` nests/) }]);
    const lists = await newClient(server, LISTS);
    expect((await lists.call('computation_count', { input })).structured.errors).toHaveLength(1);
  });

  test('a playbook is handed over as files: sources without digests', async () => {
    const client = await newClient(server, '/mcp');
    const definitions = [{ type: 'computation', name: 'one', source: 'export default () => 1;' }];
    const files = { playbook: 'as-files', name: 'As files', definitions };
    const planned = await client.call('apply_playbook', { ...files, dry_run: true });
    expect(planned.structured).toMatchObject({ playbook: 'create', definitions: [{ change: 'create' }] });
    const applied = await client.call('apply_playbook', { ...files, plan: planned.structured.plan });
    expect([applied.isError, applied.structured.definitions]).toMatchObject([false, [{ name: 'one' }]]);
    const again = await client.call('apply_playbook', files);
    expect(again.structured.definitions).toMatchObject([{ change: 'unchanged' }]);
  });

  test('a type that neither a record nor a published event has is named as such', async () => {
    const client = await newClient(server, SHOP);
    const reported = async (type: string): Promise<string[]> =>
      (await client.call('list_playbook_events', { type })).content.map(({ text = '' }) => text);
    expect((await reported('order.paid')).at(-1)).toMatch(/^No published event has this type/);
    expect((await reported('run_failed')).join()).not.toMatch(/No published event/);
  });

  test('a page holds twenty entries when none is asked for', async () => {
    const client = await newClient(server, SHOP);
    for (let price = 0; price < 25; price += 1) await client.call('computation_add-tax', { price });
    expect((await client.call('list_runs')).structured.runs).toHaveLength(20);
  });

  test('a waiting run continues when the caller disconnects', async () => {
    const client = await oldClient(server, SHOP);
    const leaving = new AbortController();
    const waits = client.call('workflow_wait', { input: 1 }, { signal: leaving.signal });
    const started = async (): Promise<string[]> => {
      const { body } = await server.get('/v1/orgs/local/playbooks/shop/runs?name=wait&status=started');
      return body.runs.map((run: { run_id: string }) => run.run_id);
    };
    await expect.poll(async () => (await started()).length, { timeout: 5000 }).toBe(1);
    leaving.abort();
    await expect(waits).rejects.toThrow(/abort/i);
    expect(await started()).toHaveLength(1);
  });
});

test('a message is small besides the arguments of a tool, and a list of messages is short', async () => {
  const send = async (body: Json): Promise<number> => {
    const response = await fetch(`${server.address}${SHOP}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  const message = (method: string, params: JsonObject): JsonObject => ({ jsonrpc: '2.0', id: 1, method, params });
  const members = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
  const call = { name: 'computation_add-tax', arguments: { price: 1, ...members(5000) } };
  expect(await send(message('tools/call', call))).toBe(200);
  expect(await send(message('tools/call', { ...call, _meta: members(500) }))).toBe(413);
  expect(await send(message('ping', members(450)))).toBe(200);
  expect(await send(message('ping', { arguments: members(500) }))).toBe(413);
  const pings = Array.from({ length: 11 }, () => message('ping', {}));
  expect([await send(pings.slice(1)), await send(pings)]).toEqual([200, 413]);
});

test('a run that waits is waited for 45 seconds, and then left to get_run', async () => {
  const clock = createFakeClock();
  const slow = await startServer({ clock });
  try {
    await makeShop(slow);
    const client = await newClient(slow, SHOP);
    const messages: (string | undefined)[] = [];
    let isAnswered = false;
    const answering = client
      .call('workflow_wait', { input: {} }, { onprogress: ({ message }) => messages.push(message) })
      .finally(() => {
        isAnswered = true;
      });
    // The waiting call reports the progress of the run: from then on time may pass.
    await expect.poll(() => messages.length, { timeout: 5000 }).toBe(1);
    await settle();
    const { body } = await slow.get('/v1/orgs/local/playbooks/shop/runs?name=wait&status=started');
    const { run_id } = body.runs[0];
    clock.advance(44_999);
    await settle();
    // What was answered before this is here by now.
    await client.call('get_run', { run_id });
    expect(isAnswered).toBe(false);
    clock.advance(1001);
    const { structured, content } = await answering;
    expect(structured).toEqual({ run_id, status: 'started' });
    expect(content.at(-1)?.text).toContain(`get_run and run_id ${run_id}`);
    await client.close();
  } finally {
    await slow.close();
  }
});

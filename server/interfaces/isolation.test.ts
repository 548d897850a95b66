// No caller sees a byte of another org, or of another playbook than its key's. Two places hold a value of their own in
// every field that a client can fill; callers from elsewhere then ask for everything, with every id that they could
// have learned, and no response may hold such a value unless they sent it.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import type { Operation } from '../operations/index.ts';
import { type Answer, startServer, temporaryFolder, type TestServer } from '../test/index.ts';
import { makeKey } from './permissions.testing.ts';

const admin = makeKey('admin', ALL_PERMISSIONS);
const foreign = makeKey('foreign', ALL_PERMISSIONS, { org: 'globex' });
const limited = makeKey('limited', ALL_PERMISSIONS, { playbooks: ['own'] });

/** The places that callers from elsewhere must not see, and the header of their owner. */
const HIDDEN = [
  { org: 'acme', playbook: 'canary-lab', header: admin.header },
  { org: 'globex', playbook: 'canary-fab', header: foreign.header },
] as const;

const OWN = '/v1/orgs/acme/playbooks/own';

const COMPUTATION = `export const description = 'canary-description';
export const expose = true;
export default (input) => ({ canary: 'canary-output' });
`;
const WORKFLOW = `document:
  dsl: '1.0.3'
  namespace: canary-namespace
  name: canary-workflow
  version: '1.0.0'
  summary: canary-summary
do:
  - hear: { listen: { to: { one: { with: { type: canary-type } } } } }
`;
const CSV = 'series,period,canary-column\ncanary-series,2026-01-01,1\ncanary-series,2026-01-02,2\n';
const DIGEST = createHash('sha256').update(CSV).digest('hex');

const folder = temporaryFolder();
let server: TestServer;
/** Values of the hidden places: what was written there, and ids that the service gave. */
const canaries = new Set(['canary-']);
/** What a caller might know of a hidden place. */
let known: Record<string, string[]>;

const upload = (at: string, header: Record<string, string>): Promise<Answer> =>
  server.send('PUT', `${at}/datasets/${DIGEST}`, { headers: { 'content-type': 'text/csv', ...header }, body: CSV });

async function fill({ org, playbook, header }: (typeof HIDDEN)[number]): Promise<void> {
  const at = `/v1/orgs/${org}/playbooks/${playbook}`;
  const text = { name: 'canary-name', description: 'canary-text' };
  const done = async (answer: Promise<Answer>): Promise<JsonObject> => {
    const { status, body, text: words } = await answer;
    expect([words, status]).toEqual([words, status < 300 ? status : 200]);
    return body;
  };
  await done(server.post(`/v1/orgs/${org}/playbooks`, { playbook, ...text }, header));
  await done(server.post(`${at}/definitions/computation`, { name: 'canary-c', source: COMPUTATION }, header));
  await done(server.post(`${at}/definitions/workflow`, { name: 'canary-workflow', source: WORKFLOW }, header));
  const input = { input: { canary: 'canary-input' } };
  const ran = await done(server.post(`${at}/definitions/computation/canary-c/run`, input, header));
  const waits = await done(server.post(`${at}/definitions/workflow/canary-workflow/run`, input, header));
  const event = { source: '/canary-source', type: 'canary-event', subject: 'canary-subject', data: 'canary-data' };
  await done(server.post(`${at}/events`, { event }, header));
  await done(upload(at, header));
  const { events } = await done(server.get(`${at}/events`, header));
  const eventIds = (events as { id: string }[]).map(({ id }) => id);
  const runIds = [String(ran['run_id']), String(waits['run_id'])];
  known['run_id']?.push(...runIds);
  known['event_id']?.push(...eventIds.slice(0, 3));
  for (const id of [...runIds, ...eventIds]) canaries.add(id);
}

beforeAll(async () => {
  known = {
    playbook: ['own', ...HIDDEN.map(({ playbook }) => playbook)],
    name: ['canary-c', 'canary-workflow'],
    type: ['computation', 'workflow'],
    run_id: [],
    event_id: [],
    sha256: [DIGEST],
    server: ['canary-server'],
    tool: ['canary-tool'],
    version: ['1'],
  };
  const hidden = { type: 'mcp', url: 'http://127.0.0.1:9/canary-address' };
  const servers = {
    'canary-server': { ...hidden, orgs: ['acme'], playbooks: ['canary-lab'] },
    'canary-other': { ...hidden, orgs: ['globex'] },
  };
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ tool_servers: servers }));
  const keys = [admin, foreign, limited].map(({ entry }) => entry);
  server = await startServer({
    dataDir: folder.path,
    environment: { API_KEYS: JSON.stringify(keys), RATE_LIMIT: '0' },
  });
  await server.post('/v1/orgs/acme/playbooks', { playbook: 'own', name: 'Own' }, admin.header);
  for (const place of HIDDEN) await fill(place);
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

/** Each playbook with each known value of the other members; no operation combines more than a type and its name. */
function fillings(names: readonly string[]): Record<string, string>[] {
  const others = names.filter((name) => name !== 'playbook');
  const most = Math.max(1, ...others.map((name) => known[name]?.length ?? 1));
  const playbooks = names.includes('playbook') ? (known['playbook'] ?? []) : [''];
  return playbooks.flatMap((playbook) =>
    Array.from({ length: most }, (_, index) => ({
      ...(playbook === '' ? {} : { playbook }),
      ...Object.fromEntries(others.map((name) => [name, known[name]?.[index % known[name].length] ?? 'nothing'])),
    })),
  );
}

/** Operations with a response of one piece, other than the one after which the caller's own playbook serves nothing. */
const askable = (): Operation[] =>
  server.operations.filter(
    ({ name, answers, upload: body }) => answers !== 'event-stream' && body === undefined && name !== 'retire_playbook',
  );

/** Fields of a request that may name something elsewhere. */
function fieldsOf({ name, fields }: Operation): JsonObject {
  const runId = known['run_id']?.[0] ?? '';
  const given: JsonObject = {
    run_id: runId,
    after: known['event_id']?.[0] ?? '',
    function: 'canary-workflow',
    playbook: 'canary-lab',
    server: 'canary-server',
    include_retired: true,
    include_removed: true,
    ...(name === 'create_playbook' ? { name: 'Mine' } : {}),
    ...(name === 'update_playbook' ? { name: 'Mine', description: '' } : {}),
    ...(name === 'answer_interaction' ? { answer: true } : {}),
    ...(name === 'publish_event' || name === 'send_run_event' ? { event: { source: '/a', type: 'a' } } : {}),
    ...(name.endsWith('definition') ? { source: 'export default () => 1;', name: 'mine' } : {}),
  };
  return Object.fromEntries(Object.entries(given).filter(([member]) => Object.hasOwn(fields.properties, member)));
}

function expectNothingOf(asked: string, answer: string, own: readonly string[] = []): void {
  // A response may repeat what its caller sent.
  let rest = answer;
  for (const part of [...own, ...Object.values(known).flat()].filter((one) => asked.includes(one))) {
    rest = rest.replaceAll(part, '');
  }
  const found = [...canaries].filter((canary) => rest.includes(canary));
  expect([asked, found, found.length === 0 ? '' : answer]).toEqual([asked, [], '']);
}

test.each([
  { name: 'a key of the playbook own', header: limited.header },
  { name: 'a key of another org', header: foreign.header },
])('$name sees nothing of other places in any response', async ({ header }) => {
  let asked = 0;
  for (const operation of askable()) {
    const { method, route } = operation;
    const isCommand = method === 'POST' || method === 'PUT';
    const [fields, none] = [fieldsOf(operation), {}];
    for (const values of fillings(Object.keys(operation.path.properties))) {
      const filled = route.replaceAll(/\{(\w+)\}/g, (_, member: string) => values[member] ?? '');
      for (const given of Object.keys(fields).length === 0 ? [none] : [fields, none]) {
        const query = new URLSearchParams(
          Object.entries(given).map(([key, value]): [string, string] => [key, String(value)]),
        );
        const target = `/v1/orgs/acme${filled}${isCommand || query.size === 0 ? '' : `?${String(query)}`}`;
        const response = await fetch(`${server.address}${target}`, {
          method,
          headers: { ...header, ...(isCommand ? { 'content-type': 'application/json' } : {}) },
          ...(isCommand ? { body: JSON.stringify(given) } : {}),
        });
        const text = await response.text();
        expectNothingOf(`${method} ${target} ${JSON.stringify(given)}`, text);
        asked += 1;
      }
    }
  }
  expect(asked).toBeGreaterThan(100);
});

test('a tool and a resource show nothing of other places either', async () => {
  let asked = 0;
  const ask = async (method: string, params: JsonObject, route: string): Promise<void> => {
    const response = await fetch(`${server.address}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...limited.header },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    expectNothingOf(`${route} ${method} ${JSON.stringify(params)}`, await response.text());
    asked += 1;
  };
  const tools = askable().filter(({ mcp, answers }) => mcp && answers === 'json');
  for (const route of ['/orgs/acme/playbooks/canary-lab/mcp', '/orgs/globex/mcp']) await ask('tools/list', {}, route);
  for (const route of ['/mcp', '/orgs/acme/playbooks/own/mcp']) {
    await ask('tools/list', {}, route);
    await ask('resources/templates/list', {}, route);
    await ask('tools/call', { name: 'computation_canary-c', arguments: {} }, route);
    for (const operation of tools) {
      for (const values of fillings(Object.keys(operation.path.properties))) {
        await ask('tools/call', { name: operation.name, arguments: { ...fieldsOf(operation), ...values } }, route);
      }
    }
    for (const { org, playbook } of HIDDEN) {
      for (const below of ['', '/definitions/computation/canary-c', `/runs/${known['run_id']?.[0]}`]) {
        await ask('resources/read', { uri: `cuebook://${org}/playbooks/${playbook}${below}` }, route);
      }
    }
  }
  expect(asked).toBeGreaterThan(100);
});

test('the same dataset is new to each playbook, so that nobody learns what another has', async () => {
  expect(await upload(OWN, limited.header)).toMatchObject({ status: 201 });
  expect(await upload(OWN, limited.header)).toMatchObject({ status: 200 });
});

test('a run id that another playbook uses is like any other', async () => {
  const at = `${OWN}/definitions/computation`;
  await server.post(at, { name: 'ours', source: 'export default () => 1;' }, limited.header);
  const [runId = ''] = known['run_id'] ?? [];
  const run = { input: {}, run_id: runId };
  expect(await server.post(`${at}/ours/run`, run, limited.header)).toMatchObject({ status: 200, body: { output: 1 } });
  const theirs = await server.get(`/v1/orgs/acme/playbooks/canary-lab/runs/${runId}`, admin.header);
  expect(theirs).toMatchObject({ status: 200, body: { name: 'canary-c' } });
});

test('a stream shows only the events of its playbook', async () => {
  const stream = await fetch(`${server.address}${OWN}/events/follow`, { headers: limited.header });
  const after = known['event_id']?.[0] ?? '';
  expect((await server.get(`${OWN}/events/follow?after=${after}`, limited.header)).status).toBeGreaterThanOrEqual(400);
  const publish = (at: string, type: string, header: Record<string, string>) =>
    server.post(`${at}/events`, { event: { source: '/test', type } }, header);
  for (const { org, playbook, header } of HIDDEN) {
    await publish(`/v1/orgs/${org}/playbooks/${playbook}`, 'canary-late', header);
  }
  await publish(OWN, 'the-last', limited.header);
  let shown = '';
  const decoder = new TextDecoder();
  for await (const piece of stream.body ?? []) {
    shown += decoder.decode(piece as Uint8Array, { stream: true });
    if (shown.includes('the-last')) break;
  }
  expectNothingOf('follow_events', shown);
});

test('nothing was changed in the other places', async () => {
  for (const { org, playbook, header } of HIDDEN) {
    const at = `/v1/orgs/${org}/playbooks/${playbook}`;
    expect((await server.get(at, header)).body).toMatchObject({ name: 'canary-name', status: 'active' });
    const { body } = await server.get(`${at}/events?limit=100`, header);
    const by = new Set(
      body.events.map((event: { by?: string; metadata?: { by: string } }) => event.by ?? event.metadata?.by),
    );
    expect([...by]).toEqual([org === 'acme' ? 'key:admin' : 'key:foreign']);
  }
});

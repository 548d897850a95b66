import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import type { RunningServer } from './running-server.ts';
import { searchServers } from './search.ts';
import type { Permission } from '../../../shared/permissions.ts';
import { DEVELOPER } from '../../operations/index.ts';
import { documentOf, entryOf, serveApi, type TestApi } from './api.testing.ts';
import { givenTools } from './tools.testing.ts';

const EMPTY = (_request: unknown, response: { end: () => void }): void => response.end();

/** An API with so many tools that only read, named `NAME_0`, ... */
function serveMany(name: string, count: number): Promise<TestApi> {
  return serveApi(documentOf(Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}_${n}`, {}]))), EMPTY);
}

const toolsOf = (found: JsonObject): string[] =>
  (found['tools'] as { server: string; tool: string }[]).map(({ server, tool }) => `${server}/${tool}`);
const serversOf = (found: JsonObject): JsonObject[] => found['servers'] as JsonObject[];

/** A caller with one permission, over these playbooks alone. */
const limited = (permission: Permission, ...playbooks: string[]) => ({
  caller: {
    ...DEVELOPER,
    id: 'key:limited',
    may: (asked: Permission, _org: string, playbook?: string) =>
      asked === permission && (playbook === undefined || playbooks.includes(playbook)),
  },
});

async function foundWithoutTerms(alpha: number, beta: number) {
  const [b, a] = [await serveMany('b', beta), await serveMany('a', alpha)];
  const { ask, events } = await givenTools({ beta: entryOf(b), alpha: entryOf(a) });
  const found = await ask('search', {});
  expect(serversOf(found).map(({ name, tool_count }) => [name, tool_count])).toEqual([
    ['alpha', alpha],
    ['beta', beta],
  ]);
  expect(found['scopes']).toEqual(['alpha', 'beta']);
  expect(await events()).toEqual([]);
  return toolsOf(found);
}

test('without terms, up to 100 tools are listed in the order of the servers, then in each one its own', async () => {
  const tools = await foundWithoutTerms(40, 60);
  expect(tools).toHaveLength(100);
  // 10 does not come before 2.
  expect([tools[2], tools[10], tools[40]]).toEqual(['alpha/a_2', 'alpha/a_10', 'beta/b_0']);
});

test('without terms, of more than 100 tools only the servers are listed', async () => {
  expect(await foundWithoutTerms(41, 60)).toEqual([]);
});

test('with terms, the best come first, then by tool and server; at most 100', async () => {
  const issues = {
    find_issue: { description: 'Finds one.' },
    list: { parameters: [{ name: 'issue', in: 'query', schema: {} }] },
    close: { description: 'Closes an issue.' },
    other: { description: 'Nothing of it.' },
  };
  const api = await serveApi(documentOf(issues), EMPTY);
  const many = await serveMany('copy', 150);
  const { ask } = await givenTools({ b: entryOf(api), a: entryOf(api), many: entryOf(many) });
  expect(toolsOf(await ask('search', {}, { terms: 'ISSUE' }))).toEqual([
    'a/find_issue',
    'b/find_issue',
    'a/list',
    'b/list',
    'a/close',
    'b/close',
  ]);
  const copies = await ask('search', {}, { terms: 'copy' });
  expect(toolsOf(copies)).toHaveLength(100);
  expect(serversOf(copies).find(({ name }) => name === 'many')).toMatchObject({ tool_count: 150 });
});

test('`only` keeps tools that read, or the others, and counts those it keeps', async () => {
  const api = await serveApi(documentOf({ read: {}, change: { method: 'post' }, drop: { method: 'delete' } }), EMPTY);
  const { ask } = await givenTools({ api: entryOf(api) });
  const kept = async (only: string) => {
    const found = await ask('search', {}, { only });
    return [serversOf(found)[0]?.['tool_count'], toolsOf(found)];
  };
  expect(await kept('read')).toEqual([1, ['api/read']]);
  expect(await kept('write')).toEqual([2, ['api/change', 'api/drop']]);
});

test('`server` keeps one and asks no other; a name that is not set up is refused', async () => {
  const [one, other] = [await serveMany('one', 1), await serveMany('other', 1)];
  const { ask, refusal } = await givenTools({ one: entryOf(one), other: entryOf(other) });
  expect(await ask('search', {}, { server: 'one' })).toMatchObject({ servers: [{ name: 'one' }], scopes: ['one'] });
  expect(other.seen).toEqual([]);
  for (const operation of ['search', 'search_in_org']) {
    expect(await refusal(operation, {}, { server: 'none' })).toMatchObject({
      reason: 'invalid_input',
      issues: [{ pointer: '/server', detail: expect.stringContaining('one, other') }],
    });
  }
});

test.each([
  ['nine words', 'a b c d e f g h i', /9 words/],
  ['a word of 65 characters', 'x'.repeat(65), /64 characters/],
])('%s are refused', async (_name, terms, words) => {
  const { refusal } = await givenTools({});
  expect(await refusal('search', {}, { terms })).toMatchObject({
    issues: [{ pointer: '/terms', detail: expect.stringMatching(words) }],
  });
});

test('eight words of 64 characters with more spaces between them are taken', async () => {
  const { ask } = await givenTools({});
  const terms = Array.from({ length: 8 }, () => 'x'.repeat(64)).join('   ');
  expect(await ask('search', {}, { terms })).toEqual({ servers: [], tools: [], scopes: [] });
});

test('a server that cannot be asked is listed with the reason, and the others are searched', async () => {
  const api = await serveMany('one', 1);
  const { ask } = await givenTools({
    api: entryOf(api),
    gone: { type: 'stdio', command: '/nowhere/to-be-found', env: { KEY: 'value-of-env' } },
  });
  const found = await ask('search', {}, { terms: 'one' });
  expect(found).toMatchObject({
    servers: [{ name: 'api' }, { name: 'gone', because: 'unreachable', unavailable: expect.any(String) }],
    scopes: ['api'],
  });
  expect(serversOf(found)[1]).not.toHaveProperty('tool_count');
  expect(toolsOf(found)).toEqual(['api/one_0']);
  expect(JSON.stringify(found)).not.toMatch(/nowhere|value-of-env/);
});

test('servers of other orgs and playbooks are never shown', async () => {
  const api = await serveMany('one', 1);
  const { ask, refusal } = await givenTools({
    mine: entryOf(api, { playbooks: ['desk'] }),
    theirs: entryOf(api, { playbooks: ['other'] }),
    abroad: entryOf(api, { orgs: ['acme'] }),
  });
  expect(serversOf(await ask('search', {})).map(({ name }) => name)).toEqual(['mine']);
  const inOrg = await ask('search_in_org', {});
  expect(serversOf(inOrg).map(({ name, playbooks }) => [name, playbooks])).toEqual([
    ['mine', ['desk']],
    ['theirs', ['other']],
  ]);
  const desk = await ask('search_in_org', {}, { playbook: 'desk' });
  expect(serversOf(desk).map(({ name, playbooks }) => [name, playbooks])).toEqual([['mine', ['desk']]]);
  expect(await refusal('introspect', { server: 'theirs', tool: 'one_0' })).toMatchObject({
    because: 'tool_server_not_configured',
  });
});

test.each(['org:read', 'playbook:read'] as const)(
  'a key with %s over some playbooks names one of them, and sees only its own',
  async (permission) => {
    const api = await serveMany('one', 1);
    const { ask, refusal } = await givenTools({
      all: entryOf(api),
      some: entryOf(api, { playbooks: ['desk', 'other'] }),
    });
    const own = limited(permission, 'desk');
    expect(await refusal('search_in_org', {}, {}, own)).toMatchObject({
      reason: 'forbidden',
      detail: expect.stringContaining('name one of its playbooks'),
    });
    expect(await refusal('search_in_org', {}, { playbook: 'other' }, own)).toMatchObject({ reason: 'forbidden' });
    expect(api.seen).toEqual([]);
    const found = await ask('search_in_org', {}, { playbook: 'desk' }, own);
    expect(serversOf(found).map(({ name, playbooks }) => [name, playbooks])).toEqual([
      ['all', ['desk']],
      ['some', ['desk']],
    ]);
  },
);

test('a playbook that is not there is not found, and no server is asked', async () => {
  const api = await serveMany('one', 1);
  const { refusal } = await givenTools({ api: entryOf(api) });
  expect(await refusal('search_in_org', {}, { playbook: 'nowhere' })).toMatchObject({ reason: 'not_found' });
  for (const [operation, place] of [
    ['search', {}],
    ['introspect', { server: 'api', tool: 'one_0' }],
    ['dry_run', { server: 'api', tool: 'one_0' }],
    ['execute', { server: 'api', tool: 'one_0' }],
  ] as const) {
    expect(await refusal(operation, { playbook: 'nowhere', ...place })).toMatchObject({ reason: 'not_found' });
  }
  expect(api.seen).toEqual([]);
});

test('while many words are searched, whatever else waits has its turn', async () => {
  const tools = Array.from({ length: 2000 }, (_, index) => ({
    name: `tool_${index}`,
    description: 'It does what it does. '.repeat(90),
    argumentNames: () => [],
    inputSchema: () => ({}),
  }));
  const server = {
    entry: { name: 'many', type: 'mcp', recordContent: true, allowed: ['*'] },
    list: async () => tools,
    leftOut: () => undefined,
  } as unknown as RunningServer;
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  expect((await searchServers([server], { terms: ['does'], only: undefined })).tools).toHaveLength(100);
  expect(hadTurn).toBe(true);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createFakeClock } from '../../lib/clock.ts';
import { newClient, oldClient } from '../../interfaces/mcp/mcp.testing.ts';
import { givenServer, MCP, NONE, ORG, SECRET } from './connections.testing.ts';
import { filesIn } from '../../test/index.ts';

const docs = (credential: JsonObject = NONE, more: JsonObject = {}): JsonObject => ({
  name: 'docs',
  kind: 'mcp',
  entry: MCP,
  credential,
  ...more,
});
const CLIENT = { kind: 'client_credentials', issuer: 'https://login.example.com', client_id: 'cuebook', scope: 'a b' };
const TEN_MINUTES = 600_000;

describe('adding', () => {
  test('answers the connection with a link of ten minutes to the connect page of this server', async () => {
    const clock = createFakeClock();
    const server = await givenServer({ clock });
    const entry = {
      url: 'https://api.example.com/mcp',
      headers: { 'x-team': 'a' },
      allowed: ['search_*'],
      playbooks: ['desk'],
      record_content: false,
      request_id: 'x-request-id',
    };
    const { status, body } = await server.post(`${ORG}/connections`, docs(SECRET, { entry }));
    expect(status).toBe(201);
    const { connect, ...connection } = body;
    expect(connection).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'docs',
      kind: 'mcp',
      entry,
      credential: SECRET,
      status: 'pending',
      added_by: 'developer',
      added_at: new Date(clock.now()).toISOString(),
      connected_at: null,
      connected_by: null,
      credential_ends_with: null,
      broken: null,
    });
    expect(connect.expires_at).toBe(new Date(clock.now() + TEN_MINUTES).toISOString());
    const url = new URL(connect.url);
    expect([url.origin, url.pathname]).toEqual([server.address, '/connect']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      server: server.address,
      org: 'local',
      connection: connection.id,
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect((await server.get(`${ORG}/connections/${connection.id}`)).body).toEqual(connection);
  });

  test("leads to the studio where there is one elsewhere, and passes it this server's origin", async () => {
    const server = await givenServer({ environment: { STUDIO_ORIGIN: 'https://studio.example.com' } });
    const { url } = await server.add(docs());
    expect(new URL(url).origin).toBe('https://studio.example.com');
    expect(new URL(url).searchParams.get('server')).toBe(server.address);
  });

  test('one that an agent asks for over MCP says so, on the page too; nobody can say so of it or unsay it', async () => {
    const server = await givenServer();
    for (const [index, agent] of [await newClient(server), await oldClient(server)].entries()) {
      const added = await agent.call('add_connection', docs(NONE, { name: `docs-${index}` }));
      expect(added.structured).toMatchObject({ added_by: 'developer', asked_by: 'mcp:test-client' });
      const { connect, id } = added.structured as { connect: { url: string }; id: string };
      const page = await fetch(connect.url, { headers: { accept: 'text/html' } });
      expect(await page.text()).toContain('<strong>An agent asks</strong>, mcp:test-client,');
      expect((await server.get(`${ORG}/connections/${id}`)).body.asked_by).toBe('mcp:test-client');
      const response = await agent.call('add_connection', docs(NONE, { name: 'told', asked_by: 'Ada' }));
      expect(response.isError).toBe(true);
      await agent.close();
    }
    const response = await server.post(`${ORG}/connections`, docs(NONE, { asked_by: 'mcp:other' }));
    expect(response.body.errors).toMatchObject([{ pointer: '/asked_by' }]);
    expect((await server.post(`${ORG}/connections`, docs())).body).not.toHaveProperty('asked_by');
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    [
      'header by its name',
      MCP,
      { headers: { Authorization: 'abc' } },
      '{"kind":"secret","name":"Authorization","in":"header"}',
    ],
    [
      'header by its value',
      MCP,
      { headers: { 'x-team': 'Bearer abc' } },
      '{"kind":"secret","name":"x-team","in":"header"}',
    ],
    [
      'parameter',
      { document: 'https://api.example.com/o.json' },
      { query_params: { api_key: 'abc' } },
      '{"kind":"secret","name":"api_key","in":"query"}',
    ],
  ])(
    'a %s that looks like a credential is refused with what to write instead',
    async (_what, address, more, instead) => {
      const server = await givenServer();
      const kind = 'url' in address ? 'mcp' : 'openapi';
      const { body } = await server.post(`${ORG}/connections`, docs(NONE, { kind, entry: { ...address, ...more } }));
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0].detail).toContain(instead);
      expect(JSON.stringify(body)).not.toContain('abc');
    },
  );

  test('a name is taken by a tool server of the configuration and by a connection that is not removed', async () => {
    const server = await givenServer({ config: { tool_servers: { files: { type: 'stdio', command: 'x' } } } });
    expect(await server.post(`${ORG}/connections`, docs(NONE, { name: 'files' }))).toMatchObject({ status: 409 });
    const { id } = await server.add(docs());
    expect(await server.post(`${ORG}/connections`, docs())).toMatchObject({
      status: 409,
      body: { reason: 'conflict' },
    });
    expect((await server.post('/v1/orgs/other/connections', docs())).status).toBe(201);
    await server.send('DELETE', `${ORG}/connections/${id}`);
    expect((await server.post(`${ORG}/connections`, docs())).status).toBe(201);
  });

  test('an org has 50 that are not removed, however many are added at once', async () => {
    const server = await givenServer();
    const answers = await Promise.all(
      Array.from({ length: 55 }, (_, index) =>
        server.post(`${ORG}/connections`, docs(NONE, { name: `docs-${index}` })),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const { body } of refused) expect(body).toMatchObject({ status: 409, kind: 'connections_full' });
    expect((await server.post('/v1/orgs/other/connections', docs())).status).toBe(201);
    const { connections } = (await server.get(`${ORG}/connections`)).body;
    expect(connections).toHaveLength(50);
    await server.send('DELETE', `${ORG}/connections/${connections[0].id}`);
    expect((await server.post(`${ORG}/connections`, docs(NONE, { name: 'another' }))).status).toBe(201);
    expect((await server.post(`${ORG}/connections`, docs(NONE, { name: 'one-more' }))).body).toMatchObject({
      kind: 'connections_full',
    });
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['nobody may add', { people_may_add: false }, docs(), 'people_may_add'],
    [
      'its host',
      { hosts: ['api.example.com'] },
      docs(NONE, { entry: { url: 'https://other.example.com' } }),
      'the host other.example.com',
    ],
    [
      'the host of its base',
      { hosts: ['api.example.com'] },
      {
        name: 'a',
        kind: 'openapi',
        credential: NONE,
        entry: { document: 'https://api.example.com/o.json', base_url: 'https://other.example.com' },
      },
      'hosts',
    ],
    ['the host of its issuer', { hosts: ['127.0.0.1'] }, docs(CLIENT), 'hosts'],
    ['its kind of credential', { credential_kinds: ['none'] }, docs(SECRET), 'credential_kinds'],
    [
      'its variable',
      { variables: ['OTHER'] },
      docs({ kind: 'reference', variable: 'DOCS_KEY', name: 'x', in: 'header' }),
      'variables',
    ],
  ])(
    'what the rules of the operator do not take (%s) is forbidden, with the rule',
    async (_what, connections, connection, rule) => {
      const server = await givenServer({ config: { connections } });
      const answer = await server.post(`${ORG}/connections`, connection);
      expect(answer).toMatchObject({ status: 403, body: { reason: 'forbidden' } });
      expect(answer.body.detail).toContain(rule);
      expect((await server.get(`${ORG}/connections`)).body.connections).toEqual([]);
    },
  );
});

describe('lists', () => {
  test('are newest first, of one org, and without removed ones unless asked for', async () => {
    const server = await givenServer();
    const first = await server.add(docs(NONE, { name: 'first' }));
    await server.add(docs(NONE, { name: 'second' }));
    await server.send('DELETE', `${ORG}/connections/${first.id}`);
    await server.add(docs(NONE, { name: 'third' }));
    const names = async (query: string): Promise<string[]> =>
      (await server.get(`${ORG}/connections${query}`)).body.connections.map(
        ({ name, status }: JsonObject) => `${String(name)} ${String(status)}`,
      );
    expect(await names('')).toEqual(['third pending', 'second pending']);
    expect(await names('?include_removed=true')).toEqual(['third pending', 'second pending', 'first removed']);
    expect((await server.get('/v1/orgs/other/connections')).body).toEqual({ connections: [] });
    expect((await server.get(`/v1/orgs/other/connections/${first.id}`)).status).toBe(404);
    expect((await server.get(`${ORG}/connections/nothing`)).status).toBe(404);
  });
});

describe('the link', () => {
  test('approves once what needs no value', async () => {
    const clock = createFakeClock();
    const server = await givenServer({ clock, config: { connections: { variables: ['DOCS_KEY'] } } });
    for (const credential of [NONE, { kind: 'reference', variable: 'DOCS_KEY', name: 'x-key', in: 'header' }]) {
      const link = await server.add(docs(credential));
      const at = `${ORG}/connections/${link.id}/link/${link.token}`;
      expect((await server.get(at)).body).toMatchObject({ id: link.id, status: 'pending' });
      expect(await server.give(link, { value: 'canary' })).toMatchObject({ status: 409 });
      clock.advance(1000);
      const now = new Date(clock.now()).toISOString();
      expect(await server.approve(link)).toMatchObject({
        status: 200,
        body: { status: 'connected', connected_by: 'developer', connected_at: now, credential_ends_with: null },
      });
      expect((await server.get(at)).status).toBe(404);
      expect((await server.approve(link)).status).toBe(404);
      expect((await server.give(link, { value: 'canary' })).status).toBe(404);
      await server.send('DELETE', `${ORG}/connections/${link.id}`);
    }
  });

  test.each<[string, JsonObject, JsonObject, string | null]>([
    ['a secret', SECRET, { value: 'canary-0123456789' }, '6789'],
    ['a secret of twelve characters', SECRET, { value: '0123456789ab' }, '89ab'],
    ['a secret of eleven', SECRET, { value: '0123456789a' }, null],
    ['the secret of a client', CLIENT, { client_secret: 'canary-of-client' }, 'ient'],
  ])('gives %s once', async (_what, credential, fields, endsWith) => {
    const server = await givenServer();
    const link = await server.add(docs(credential));
    expect(await server.approve(link)).toMatchObject({ status: 409 });
    const given = await server.give(link, fields);
    expect(given).toMatchObject({
      status: 200,
      body: { status: 'connected', credential_ends_with: endsWith, credential },
    });
    expect(given.text).not.toContain('canary');
    expect((await server.give(link, fields)).status).toBe(404);
    const [listed] = (await server.get(`${ORG}/connections`)).body.connections;
    expect(listed).toEqual(given.body);
    const removed = await server.send('DELETE', `${ORG}/connections/${link.id}`);
    expect(removed.body).toMatchObject({ status: 'removed', credential_ends_with: null });
  });

  test.each<[JsonObject, JsonObject, string]>([
    [SECRET, {}, '/value'],
    [SECRET, { client_secret: 'canary' }, '/client_secret'],
    [SECRET, { value: 'canary', algorithm: 'RS256' }, '/algorithm'],
    [SECRET, { value: 'canary\n' }, '/value'],
    [SECRET, { value: ' canary' }, '/value'],
    [SECRET, { value: 'cänary€' }, '/value'],
    [SECRET, { value: '' }, '/value'],
    [SECRET, { value: '7-chars' }, '/value'],
    [SECRET, { value: 'Bearer 7-chars' }, '/value'],
    [CLIENT, { client_secret: '7-chars' }, '/client_secret'],
    [SECRET, { value: 5 }, '/value'],
    [SECRET, { value: 'x'.repeat(16_385) }, '/value'],
    [CLIENT, {}, '/client_secret'],
    [CLIENT, { value: 'canary' }, '/value'],
    [CLIENT, { client_secret: 'canary', algorithm: 'RS256' }, '/algorithm'],
    [CLIENT, { client_secret: 'canary', private_key: 'canary', algorithm: 'RS256' }, '/private_key'],
    [CLIENT, { private_key: 'canary' }, '/algorithm'],
    [CLIENT, { private_key: 'canary', algorithm: 'RS256' }, '/private_key'],
    [CLIENT, { private_key: 'canary', algorithm: 'HS256' }, '/algorithm'],
    [SECRET, { value: 'canary', more: 'canary' }, '/more'],
  ])('of %j does not take %j: %s', async (credential, fields, pointer) => {
    const server = await givenServer();
    const link = await server.add(docs(credential));
    const answer = await server.give(link, fields);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
    expect(answer.text).not.toContain('canary');
    expect((await server.get(`${ORG}/connections/${link.id}/link/${link.token}`)).body.status).toBe('pending');
  });

  test('is over after ten minutes, and not before', async () => {
    const clock = createFakeClock();
    const server = await givenServer({ clock });
    const [link, late] = [await server.add(docs()), await server.add(docs(NONE, { name: 'late' }))];
    clock.advance(TEN_MINUTES - 1);
    expect((await server.approve(link)).status).toBe(200);
    clock.advance(1);
    expect((await server.approve(late)).status).toBe(404);
    expect((await server.get(`${ORG}/connections/${late.id}/link/${late.token}`)).status).toBe(404);
    expect((await server.get(`${ORG}/connections/${late.id}`)).body.status).toBe('pending');
  });

  test('is over after a machine slept for longer than it lasts', async () => {
    const clock = createFakeClock();
    const server = await givenServer({ clock });
    const link = await server.add(docs());
    clock.jump(TEN_MINUTES);
    expect((await server.get(`${ORG}/connections/${link.id}/link/${link.token}`)).status).toBe(404);
    expect((await server.approve(link)).status).toBe(404);
    const next = await server.add(docs(NONE, { name: 'next' }));
    clock.jump(TEN_MINUTES - 1);
    expect((await server.approve(next)).status).toBe(200);
  });

  test('says nothing without its own token, not even what is wrong in a request', async () => {
    const server = await givenServer();
    const [one, other] = [await server.add(docs(SECRET)), await server.add(docs(SECRET, { name: 'other' }))];
    const removed = await server.add(docs(SECRET, { name: 'removed' }));
    await server.send('DELETE', `${ORG}/connections/${removed.id}`);
    const strangers = [
      { id: one.id, token: other.token },
      { id: other.id, token: one.token },
      { id: one.id, token: '' },
      { id: one.id, token: one.token.slice(1) },
      { id: one.id, token: `${one.token}x` },
      { id: 'nothing', token: one.token },
      removed,
    ];
    for (const stranger of strangers) {
      expect((await server.give(stranger, { value: 5, more: 1 })).status).toBe(404);
      expect((await server.give(stranger, { value: 'canary' })).status).toBe(404);
      expect((await server.approve(stranger)).status).toBe(404);
      const link = stranger.token === '' ? 'none' : stranger.token;
      expect((await server.get(`${ORG}/connections/${stranger.id}/link/${link}`)).status).toBe(404);
    }
    expect(
      (await server.post(`/v1/orgs/other/connections/${one.id}/credential`, { token: one.token, value: 'a' })).status,
    ).toBe(404);
    expect((await server.post(`${ORG}/connections/${one.id}/approve`, {})).status).toBe(404);
    expect((await server.give(one, { value: '8-chars!' })).status).toBe(200);
  });

  test('is used up by one of those who use it at once', async () => {
    const server = await givenServer();
    const link = await server.add(docs(SECRET));
    const answers = await Promise.all(
      ['first-value-1', 'other-value-2', 'third-value-3'].map((value) => server.give(link, { value })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    const taken = answers.find(({ status }) => status === 200)?.body;
    expect((await server.get(`${ORG}/connections/${link.id}`)).body).toEqual(taken);
  });

  test('does nothing while the rules no longer take the connection, and stays open', async () => {
    const server = await givenServer();
    const [open, secret] = [await server.add(docs()), await server.add(docs(SECRET, { name: 'secret' }))];
    server.configure({ connections: { people_may_add: false } });
    const adding = async () => (await server.post(`${ORG}/connections`, docs(NONE, { name: 'late' }))).status;
    await expect.poll(adding, { timeout: 5000 }).toBe(403);
    for (const refused of [await server.approve(open), await server.give(secret, { value: 'canary-0123' })]) {
      expect(refused).toMatchObject({ status: 403, body: { reason: 'forbidden' } });
      expect(refused.body.detail).toContain('people_may_add');
    }
    const { connections } = (await server.get(`${ORG}/connections`)).body;
    expect(connections.map(({ status }: { status: string }) => status)).not.toContain('connected');
    server.configure({});
    await expect.poll(async () => (await server.approve(open)).status, { timeout: 5000 }).toBe(200);
    expect((await server.give(secret, { value: 'canary-0123' })).status).toBe(200);
  });

  test("leaves nothing of its token in the server's files but the digest", async () => {
    const server = await givenServer();
    const { token } = await server.add(docs(SECRET));
    for (const file of filesIn(server.dataDir)) {
      expect(readFileSync(file).includes(token), file).toBe(false);
    }
  });
});

describe('removing', () => {
  test.each(['pending', 'connected'])(
    'a %s connection forgets its credential; again changes nothing',
    async (status) => {
      const server = await givenServer();
      const link = await server.add(docs(SECRET));
      if (status === 'connected') await server.give(link, { value: 'canary-0123456789' });
      const removed = await server.send('DELETE', `${ORG}/connections/${link.id}`);
      expect(removed).toMatchObject({
        status: 200,
        body: { id: link.id, status: 'removed', credential_ends_with: null },
      });
      expect((await server.send('DELETE', `${ORG}/connections/${link.id}`)).body).toEqual(removed.body);
      expect((await server.post(`${ORG}/connections/${link.id}/remove`)).body).toEqual(removed.body);
      expect((await server.give(link, { value: 'canary' })).status).toBe(404);
      expect((await server.send('DELETE', `${ORG}/connections/nothing`)).status).toBe(404);
    },
  );

  test('works for pages that may not send DELETE', async () => {
    const server = await givenServer();
    const { id } = await server.add(docs());
    expect((await server.post(`${ORG}/connections/${id}/remove`)).body).toMatchObject({ id, status: 'removed' });
  });
});

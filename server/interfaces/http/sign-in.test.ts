// A published server whose callers sign in at an identity service: metadata, challenges and the start.
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportJWK, SignJWT } from 'jose';
import { afterEach, assert, beforeEach, describe, expect, test, vi } from 'vitest';
import { trust } from '../../domain/connections/issuer.testing.ts';
import {
  type LoopbackServer,
  makeCertificates,
  serveLoopback,
  startServer,
  type TestServer,
} from '../../test/index.ts';

const certificates = makeCertificates();
const PUBLIC_URL = 'https://cuebook.example.com';
const PAGE = 'https://page.example.com';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ROOT = `${PUBLIC_URL}/.well-known/oauth-protected-resource`;
const FIVE = 'user:org:read org:read org:write playbook:read playbook:write';
const FOUR = 'org:read org:write playbook:read playbook:write';

let identity: LoopbackServer;
let server: TestServer | undefined;
/** The addresses that the identity service was asked for. */
const read: string[] = [];
/** What the identity service answers by path; other paths are not found. */
let pages: Record<string, () => unknown>;

const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

describe.skipIf(certificates === undefined)('sign-in', () => {
  beforeEach(async () => {
    assert(certificates !== undefined);
    trust(certificates);
    const jwk = await exportJWK(publicKey);
    const metadata = () => ({ issuer: identity.address, jwks_uri: `${identity.address}/keys` });
    pages = { [OAUTH]: metadata, '/keys': () => ({ keys: [jwk] }) };
    identity = await serveLoopback((request, response) => {
      read.push(`${identity.address}${request.url}`);
      const page = pages[request.url ?? '']?.();
      if (page === undefined) response.writeHead(404).end();
      else if (page === 'redirect') response.writeHead(302, { location: OPENID }).end();
      else response.end(typeof page === 'string' ? page : JSON.stringify(page));
    }, certificates.pair);
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await identity.close();
  });

  const start = async (): Promise<TestServer> => {
    server = await startServer({
      environment: { PUBLIC_URL, IDENTITY_ISSUER: identity.address, ALLOWED_ORIGINS: PAGE },
    });
    return server;
  };
  const bearer = async (claims: object): Promise<Record<string, string>> => {
    const common = { iss: identity.address, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 300 };
    const token = await new SignJWT({ ...common, ...claims }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    return { authorization: `Bearer ${token}` };
  };
  const agent = (claims: object = {}) => bearer({ aud: PUBLIC_URL, org_id: 'acme', scope: FOUR, ...claims });
  const send = (address: string, path: string, headers: Record<string, string> = {}, body = '{}'): Promise<Response> =>
    fetch(`${address}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  test('challenges point to the metadata and name the scopes', async () => {
    const running = await start();
    const challenge = async (response: Promise<{ status: number; headers: Headers }>) => {
      const { status, headers } = await response;
      return [status, headers.get('www-authenticate')];
    };
    const route = '/v1/orgs/acme/playbooks';
    expect(await challenge(running.get(route, { authorization: 'Bearer a b' }))).toEqual([
      400,
      'Bearer error="invalid_request"',
    ]);
    expect(await challenge(running.get(route))).toEqual([401, `Bearer resource_metadata="${ROOT}", scope="${FIVE}"`]);
    const refused = [401, `Bearer error="invalid_token", resource_metadata="${ROOT}", scope="${FIVE}"`];
    expect(await challenge(running.get(route, { authorization: 'Bearer opaque' }))).toEqual(refused);
    expect(await challenge(running.get(route, { authorization: 'Bearer abk_unknown' }))).toEqual(refused);
    expect(await challenge(send(running.address, '/orgs/acme/mcp', { authorization: 'Bearer opaque' }))).toEqual(
      refused,
    );

    const insufficient = (scope: string, path = '') => [
      403,
      `Bearer error="insufficient_scope", resource_metadata="${ROOT}${path}", scope="${scope}"`,
    ];
    const without = await agent({ scope: 'openid' });
    expect(await challenge(running.get(route, without))).toEqual(insufficient('org:read playbook:read'));
    expect(await challenge(running.post(route, { playbook: 'desk', name: 'Desk' }, without))).toEqual(
      insufficient('org:write'),
    );
    expect(await challenge(running.get('/v1/orgs/globex/playbooks', await agent()))).toEqual(
      insufficient('org:read playbook:read'),
    );
    expect(await challenge(send(running.address, '/orgs/globex/mcp', await agent()))).toEqual(
      insufficient(FOUR, '/orgs/globex/mcp'),
    );
  });

  test('a token without permissions learns from no MCP endpoint whether its playbook exists', async () => {
    const running = await start();
    await running.post('/v1/orgs/acme/playbooks', { playbook: 'desk', name: 'Desk' }, await agent());
    const headers = { accept: 'application/json, text/event-stream', ...(await agent({ scope: 'openid' })) };
    const ask = async (playbook: string, method: string): Promise<[number, string]> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name: 'list_runs' } });
      const response = await send(running.address, `/orgs/acme/playbooks/${playbook}/mcp`, headers, body);
      return [response.status, (await response.text()).replaceAll(playbook, 'NAME')];
    };
    for (const method of ['ping', 'tools/list', 'tools/call', 'resources/templates/list']) {
      expect([method, await ask('none', method)]).toEqual([method, await ask('desk', method)]);
    }
  });

  test('the metadata of the server and of each endpoint is public', async () => {
    const running = await start();
    for (const path of ['', '/mcp', '/orgs/acme/mcp', '/orgs/acme/playbooks/desk/mcp']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await fetch(`${running.address}/.well-known/oauth-protected-resource${path}`);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([response.status, await response.json()]).toEqual([
        200,
        {
          resource: `${PUBLIC_URL}${path}`,
          authorization_servers: [identity.address],
          bearer_methods_supported: ['header'],
          scopes_supported: FIVE.split(' '),
          resource_documentation: expect.stringContaining(PUBLIC_URL),
        },
      ]);
    }
    const status = async (path: string) =>
      (await fetch(`${running.address}/.well-known/oauth-protected-resource${path}`)).status;
    // Other paths are like any that does not exist, for which a credential is asked first.
    expect([await status('/other'), await status('/orgs/a%20b/mcp')]).toEqual([401, 404]);
  });

  test('a person works in the org of the token, as themself', async () => {
    const running = await start();
    const route = '/v1/orgs/acme/playbooks';
    const created = await running.post(route, { playbook: 'desk', name: 'Desk' }, await agent({ sub: 'ada|1' }));
    expect([created.status, created.body.created_by]).toEqual([201, 'person:ada|1']);
    const session = await bearer({ azp: PAGE, o: { id: 'acme' } });
    expect((await running.get(route, { ...session, origin: PAGE })).body.playbooks).toHaveLength(1);
    expect((await running.get(route, session)).status).toBe(401);
  });

  test('a connection is added by a person, and approved in a session of that person alone', async () => {
    const running = await start();
    writeFileSync(path.join(running.dataDir, 'cuebook.yaml'), 'connections: { people_may_add: true }');
    const route = '/v1/orgs/acme/connections';
    const connection = {
      name: 'docs',
      kind: 'mcp',
      entry: { url: 'https://docs.example.com/mcp' },
      credential: { kind: 'none' },
    };
    const added = await vi.waitFor(
      async () => {
        const answer = await running.post(route, connection, await agent({ sub: 'ada' }));
        expect(answer.status).toBe(201);
        return answer;
      },
      { timeout: 15_000 },
    );
    const { id } = added.body;
    const token = new URL(added.body.connect.url).searchParams.get('token');
    const page = await fetch(`${running.address}/connect`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('STUDIO_SESSION_MODULE')]);
    const session = async (sub: string) => ({ ...(await bearer({ sub, azp: PAGE, o: { id: 'acme' } })), origin: PAGE });
    const approve = async (headers: Record<string, string>) =>
      (await running.post(`${route}/${id}/approve`, { token }, headers)).status;
    expect(await approve(await session('eve'))).toBe(403);
    expect(await approve(await agent({ sub: 'ada' }))).toBe(403);
    expect(await approve(await session('ada'))).toBe(200);
  });

  test('a token for one MCP endpoint opens that endpoint alone', async () => {
    const running = await start();
    const token = await agent({ aud: `${PUBLIC_URL}/orgs/acme/mcp` });
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    const open = async (path: string) => {
      const headers = { ...token, accept: 'application/json, text/event-stream' };
      const response = await send(running.address, path, headers, initialize);
      await response.text();
      return response.status;
    };
    expect(await open('/orgs/acme/mcp')).toBe(200);
    expect(await open('/orgs/acme/mcp?tools=read')).toBe(200);
    expect([await open('/mcp'), await open('/orgs/acme/playbooks/desk/mcp')]).toEqual([401, 401]);
    expect((await running.get('/v1/orgs/acme/playbooks', token)).status).toBe(401);
  });

  const usable = () => ({ issuer: identity.address, jwks_uri: `${identity.address}/keys` });
  test.each<[string, () => void, string]>([
    ['without metadata', () => delete pages[OAUTH], `${OPENID} returned HTTP 404`],
    ['that redirects', () => (pages[OAUTH] = () => 'redirect'), `${OAUTH} returned HTTP 302`],
    [
      'of another name',
      () => (pages[OAUTH] = () => ({ ...usable(), issuer: 'https://x.example' })),
      `${OAUTH} names another issuer`,
    ],
    [
      'without https keys',
      () => (pages[OAUTH] = () => ({ ...usable(), jwks_uri: 'http://127.0.0.1/keys' })),
      'no https `jwks_uri`',
    ],
    ['whose metadata is no JSON', () => (pages[OAUTH] = () => '<html>'), `${OAUTH} returned no JSON object`],
    [
      'whose metadata has over 64 KiB',
      () => (pages[OAUTH] = () => ({ ...usable(), more: 'x'.repeat(65_536) })),
      `${OAUTH} could not be read`,
    ],
    ['without keys', () => (pages['/keys'] = () => ({ keys: [] })), '/keys holds no key'],
    ['whose only key is empty', () => (pages['/keys'] = () => ({ keys: [{}] })), '/keys holds no key'],
    [
      'whose keys are in no list',
      () => (pages['/keys'] = () => ({ keys: { a: { kty: 'EC' } } })),
      '/keys holds no key',
    ],
    ['whose keys are HTML', () => (pages['/keys'] = () => '<html>'), '/keys returned no JSON object'],
    ['whose keys are elsewhere', () => (pages['/keys'] = () => 'redirect'), '/keys returned HTTP 302'],
    ['whose keys are not there', () => delete pages['/keys'], '/keys returned HTTP 404'],
  ])('a service %s stops the start', async (_name, spoil, words) => {
    spoil();
    read.length = 0;
    const message = await start().then(
      () => 'It started.',
      (error: Error) => `${error.name} ${error.message}`,
    );
    expect(message).toContain('UnusableIdentityServiceError');
    expect(message).toContain(identity.address);
    expect(message).toContain(words);
    expect(message).toContain(`Addresses read: ${read.join(', ')}.`);
  });

  test('the metadata of OpenID Connect does as well', async () => {
    pages[OPENID] = pages[OAUTH] ?? (() => undefined);
    delete pages[OAUTH];
    const running = await start();
    expect((await running.get('/v1/orgs/acme/playbooks', await agent())).status).toBe(200);
  });
});

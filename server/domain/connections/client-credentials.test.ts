import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JWK } from 'oidc-provider';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { createFakeClock, systemClock } from '../../lib/clock.ts';
import { serveHttp, serveHttps } from '../../lib/http-client/testing.ts';
import { serveNewest } from '../tools/mcp-servers.testing.ts';
import { DESK, givenServer, ORG, type ConnectionsTestServer } from './connections.testing.ts';
import { filesIn, makeCertificates } from '../../test/index.ts';
import { serveIssuer, trust } from './issuer.testing.ts';

const SECRET = 'the secret: of/the client+';
const CLIENT = { client_id: 'cuebook & co', client_secret: SECRET };
const certificates = makeCertificates();

const ec = (namedCurve: string): { privateKey: KeyObject; publicKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve });
const KEYS: Readonly<Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }>> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => ec('P-256'),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

function sums(url: URL, issuer: string, more: JsonObject = {}): JsonObject {
  const credential = { kind: 'client_credentials', issuer, client_id: CLIENT.client_id, ...more };
  return { name: 'sums', kind: 'mcp', entry: { url: url.href }, credential };
}

const add = (server: ConnectionsTestServer) => server.tool('sums', 'add', 'execute', { a: 2, b: 3 });
const tokenOf = (headers: Record<string, unknown>): string => String(headers['authorization']).replace('Bearer ', '');

describe.skipIf(certificates === undefined)('tokens of an issuer over TLS (skipped where openssl is missing)', () => {
  const own = certificates!;

  test.each<['client_secret_basic' | 'client_secret_post']>([['client_secret_basic'], ['client_secret_post']])(
    'are given for a secret that is shown as %s',
    async (method) => {
      trust(own);
      const issuer = await serveIssuer(
        own,
        [{ ...CLIENT, token_endpoint_auth_method: method }],
        method === 'client_secret_post' ? { methods: [method] } : {},
      );
      const mcp = await serveNewest();
      const server = await givenServer();
      await server.connect(sums(mcp.url, issuer.issuer, { scope: 'tools:read' }), { client_secret: SECRET });
      expect((await add(server)).body).toMatchObject({ outcome: 'result', text: '5' });
      expect(issuer.tokens).toHaveLength(1);
      expect(issuer.scopes).toEqual(['tools:read']);
      for (const { headers } of mcp.seen) expect(tokenOf(headers)).toBe(issuer.tokens[0]);
    },
  );

  const FORMS: Readonly<Record<string, (key: KeyObject) => string>> = {
    PEM: (key) => String(key.export({ format: 'pem', type: 'pkcs8' })),
    JWK: (key) => JSON.stringify({ ...key.export({ format: 'jwk' }), kid: 'this one', use: 'sig' }, undefined, 2),
  };
  const ways = Object.keys(KEYS).flatMap((algorithm) => Object.keys(FORMS).map((form) => [algorithm, form] as const));

  test.each(ways)('are given for a private key that signs with %s and is given as %s', async (algorithm, form) => {
    trust(own);
    const { privateKey, publicKey } = KEYS[algorithm]!();
    const jwk = { ...publicKey.export({ format: 'jwk' }), use: 'sig', kid: 'this one' } as JWK;
    // Of two keys of a type an issuer takes the one that the assertion names.
    const decoy = { ...KEYS[algorithm]!().publicKey.export({ format: 'jwk' }), use: 'sig', kid: 'that one' } as JWK;
    const issuer = await serveIssuer(own, [
      {
        client_id: CLIENT.client_id,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: algorithm as 'RS256',
        jwks: { keys: form === 'JWK' ? [decoy, jwk] : [jwk] },
      },
    ]);
    const mcp = await serveNewest();
    const server = await givenServer();
    const given = FORMS[form]!(privateKey);
    const id = await server.connect(sums(mcp.url, issuer.issuer), { private_key: given, algorithm });
    expect((await add(server)).body).toMatchObject({ outcome: 'result', text: '5' });
    expect((await server.get(`${ORG}/connections/${id}`)).body.credential_ends_with).toBeNull();
    const other = algorithm === 'ES256' ? 'ES384' : 'ES256';
    await server.send('DELETE', `${ORG}/connections/${id}`);
    const link = await server.add(sums(mcp.url, issuer.issuer));
    const wrong = await server.give(link, { private_key: given, algorithm: other });
    expect(wrong.body.errors).toMatchObject([{ pointer: '/algorithm' }]);
  });

  test('are kept in memory alone, and renewed before they end', async () => {
    trust(own);
    const clock = createFakeClock(systemClock.now());
    const issuer = await serveIssuer(own, [CLIENT], { lifeSeconds: 300 });
    const mcp = await serveNewest();
    const server = await givenServer({ clock });
    await server.connect(sums(mcp.url, issuer.issuer), { client_secret: SECRET });
    await Promise.all([add(server), add(server), server.search()]);
    expect(issuer.tokens).toHaveLength(1);
    clock.advance(269_000);
    await add(server);
    expect(issuer.tokens).toHaveLength(1);
    clock.advance(1000);
    expect((await add(server)).body.outcome).toBe('result');
    expect(issuer.tokens).toHaveLength(2);
    expect(tokenOf(mcp.seen.at(-1)?.headers ?? {})).toBe(issuer.tokens[1]);
    for (const file of filesIn(server.dataDir)) {
      const bytes = readFileSync(file);
      for (const secret of [...issuer.tokens, SECRET]) expect(bytes.includes(secret), file).toBe(false);
    }
  });

  test('that ended while the machine slept are asked for anew', async () => {
    trust(own);
    const clock = createFakeClock(systemClock.now());
    const issuer = await serveIssuer(own, [CLIENT], { lifeSeconds: 300 });
    const mcp = await serveNewest();
    const server = await givenServer({ clock });
    await server.connect(sums(mcp.url, issuer.issuer), { client_secret: SECRET });
    await add(server);
    clock.jump(3_600_000);
    expect((await add(server)).body.outcome).toBe('result');
    expect(issuer.tokens).toHaveLength(2);
  });

  test('that a server refuses are asked for anew', async () => {
    trust(own);
    const issuer = await serveIssuer(own, [CLIENT]);
    let refuses = true;
    const mcp = await serveNewest({
      guard(_request, response) {
        if (refuses) response.writeHead(401).end();
        return refuses;
      },
    });
    const server = await givenServer();
    await server.connect(sums(mcp.url, issuer.issuer), { client_secret: SECRET });
    expect((await add(server)).body).toMatchObject({ kind: 'tool_server_failed', because: 'key_refused' });
    refuses = false;
    expect((await add(server)).body.outcome).toBe('result');
    expect(issuer.tokens).toHaveLength(2);
    expect(tokenOf(mcp.seen.at(-1)?.headers ?? {})).toBe(issuer.tokens[1]);
  });

  test('are asked for anew once, however late an old one is refused', async () => {
    trust(own);
    const issuer = await serveIssuer(own, [CLIENT]);
    const held: (() => void)[] = [];
    const api = await serveHttp((request, response) => {
      if (request.url === '/openapi.json') {
        const paths = { '/look': { get: { operationId: 'look', responses: { 200: { description: 'ok' } } } } };
        return response.end(JSON.stringify({ openapi: '3.1.0', info: { title: 'Look', version: '1' }, paths }));
      }
      if (tokenOf(request.headers) !== issuer.tokens[0]) return response.end('5');
      held.push(() => response.writeHead(401).end());
    });
    const server = await givenServer();
    const entry = { document: new URL('openapi.json', api).href };
    await server.connect({ ...sums(api, issuer.issuer), kind: 'openapi', entry }, { client_secret: SECRET });
    const look = async () => (await server.tool('sums', 'look', 'execute')).body.outcome;
    const [first, second] = [look(), look()];
    await expect.poll(() => held.length).toBe(2);
    held[0]?.();
    expect(await Promise.race([first, second])).toBe('server_failure');
    expect(await look()).toBe('result');
    held[1]?.();
    expect(await Promise.all([first, second])).toEqual(['server_failure', 'server_failure']);
    expect(await look()).toBe('result');
    expect(issuer.tokens).toHaveLength(2);
  });

  test('that an API refuses at a call, or an MCP server at its list, are asked for anew', async () => {
    trust(own);
    const issuer = await serveIssuer(own, [CLIENT]);
    let refused = 0;
    const api = await serveHttp((request, response) => {
      const operation = { operationId: 'add', responses: { 200: { description: 'ok' } } };
      const paths = { '/add': { get: operation } };
      if (request.url === '/openapi.json') {
        return response.end(JSON.stringify({ openapi: '3.1.0', info: { title: 'Sums', version: '1' }, paths }));
      }
      if (tokenOf(request.headers) === issuer.tokens[1]) return response.end('5');
      refused += 1;
      response.writeHead(401).end();
    });
    const mcp = await serveNewest({
      guard(request, response) {
        const isList = request.headers['mcp-method'] === 'tools/list';
        const isRefused = isList && tokenOf(request.headers) === issuer.tokens[2];
        if (isRefused) response.writeHead(401).end();
        return isRefused;
      },
    });
    const server = await givenServer();
    const entry = { document: new URL('openapi.json', api).href };
    await server.connect({ ...sums(api, issuer.issuer), kind: 'openapi', entry }, { client_secret: SECRET });
    const callApi = async () => (await server.tool('sums', 'add', 'execute')).body.outcome;
    expect([await callApi(), await callApi(), await callApi()]).toEqual(['server_failure', 'result', 'result']);
    expect([refused, issuer.tokens.length]).toEqual([1, 2]);
    await server.connect({ ...sums(mcp.url, issuer.issuer), name: 'listed' }, { client_secret: SECRET });
    const call = () => server.tool('listed', 'add', 'execute', { a: 2, b: 3 });
    expect((await call()).body).toMatchObject({ because: 'key_refused' });
    expect((await call()).body).toMatchObject({ outcome: 'result', text: '5' });
    expect(issuer.tokens).toHaveLength(4);
  });

  test('lead to one reading of a document, as long as those that it may hold are scrubbed', async () => {
    trust(own);
    const clock = createFakeClock(systemClock.now());
    const issuer = await serveIssuer(own, [CLIENT], { lifeSeconds: 20 });
    const readWith: string[] = [];
    const api = await serveHttp((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url !== '/openapi.json') return response.end('{}');
      readWith.push(tokenOf(request.headers));
      const paths = { '/look': { get: { operationId: 'look', responses: { 200: { description: 'ok' } } } } };
      response.end(JSON.stringify({ openapi: '3.1.0', info: { title: 'Look', version: '1' }, paths }));
    });
    const server = await givenServer({ clock });
    const entry = { document: new URL('openapi.json', api).href };
    await server.connect({ ...sums(api, issuer.issuer), kind: 'openapi', entry }, { client_secret: SECRET });
    for (let token = 1; token <= 18; token += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each renews the token of the one before
      expect((await server.tool('sums', 'look', 'execute')).body.outcome).toBe('result');
      clock.advance(10_000);
    }
    expect(issuer.tokens).toHaveLength(18);
    expect(readWith).toEqual([issuer.tokens[0], issuer.tokens[15]]);
  });

  test('are scrubbed from what a server says, those used before as well', async () => {
    trust(own);
    const clock = createFakeClock(systemClock.now());
    const issuer = await serveIssuer(own, [CLIENT], { lifeSeconds: 300 });
    const said: string[] = [];
    let documents = 0;
    const api = await serveHttp((request, response) => {
      response.setHeader('content-type', 'application/json');
      said.push(String(request.headers.authorization));
      const operation = { operationId: 'echo', responses: { 200: { description: 'ok' } } };
      const document = {
        openapi: '3.1.0',
        info: { title: 'Echo', version: '1' },
        paths: { '/echo': { get: operation } },
      };
      if (request.url !== '/echo') documents += 1;
      response.end(JSON.stringify(request.url === '/echo' ? { said } : document));
    });
    const server = await givenServer({ clock });
    await server.connect(
      { ...sums(api, issuer.issuer), kind: 'openapi', entry: { document: new URL('openapi.json', api).href } },
      { client_secret: SECRET },
    );
    await server.tool('sums', 'echo', 'execute');
    clock.advance(290_000);
    const called = await server.tool('sums', 'echo', 'execute');
    expect(called.body.outcome).toBe('result');
    expect(issuer.tokens).toHaveLength(2);
    expect(said).toContain(`Bearer ${issuer.tokens[0]}`);
    expect(said.at(-1)).toBe(`Bearer ${issuer.tokens[1]}`);
    expect(documents).toBe(1);
    const history = await server.get(`${DESK}/events?limit=100`);
    for (const token of issuer.tokens) {
      expect(called.text).not.toContain(token);
      expect(history.text).not.toContain(token);
    }
  });

  test.each<[string, string, (issuer: string) => string | Promise<string>, Json]>([
    ['the client is refused', 'key_refused', (issuer) => issuer, { client_secret: 'another secret' }],
    ['there is no such issuer', 'failing', (issuer) => `${issuer}/elsewhere`, { client_secret: SECRET }],
    ['the issuer names itself otherwise', 'failing', (issuer) => `${issuer}/`, { client_secret: SECRET }],
    [
      'the issuer gives tokens where connections may not go',
      'connection_not_allowed',
      async () => {
        const url: URL = await serveHttps(own.pair, (_request, response) => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ issuer: url.origin, token_endpoint: 'https://169.254.169.254/token' }));
        });
        return url.origin;
      },
      { client_secret: SECRET },
    ],
    [
      'the issuer gives tokens without TLS',
      'failing',
      async () => {
        const url: URL = await serveHttps(own.pair, (_request, response) => {
          response.end(JSON.stringify({ issuer: url.origin, token_endpoint: 'http://api.example.com/token' }));
        });
        return url.origin;
      },
      { client_secret: SECRET },
    ],
    [
      'a token is too short to be scrubbed',
      'failing',
      async () => {
        const url: URL = await serveHttps(own.pair, (request, response) => {
          response.setHeader('content-type', 'application/json');
          const metadata = { issuer: url.origin, token_endpoint: new URL('token', url).href };
          const token = { access_token: '7-chars', token_type: 'Bearer' };
          response.end(JSON.stringify(request.url === '/token' ? token : metadata));
        });
        return url.origin;
      },
      { client_secret: SECRET },
    ],
    [
      'the issuer sends elsewhere',
      'failing',
      async (issuer) =>
        (
          await serveHttps(own.pair, (request, response) =>
            response.writeHead(302, { location: `${issuer}${request.url}` }).end(),
          )
        ).origin,
      { client_secret: SECRET },
    ],
  ])('are not there where %s, and the server is not asked: %s', async (_what, because, issuerOf, fields) => {
    trust(own);
    const { issuer } = await serveIssuer(own, [CLIENT]);
    const mcp = await serveNewest();
    const server = await givenServer();
    const id = await server.connect(sums(mcp.url, await issuerOf(issuer)), fields as JsonObject);
    const called = await add(server);
    expect(called).toMatchObject({ status: 503, body: { because } });
    expect(called.text).not.toContain('secret of');
    expect((await server.search()).servers).toMatchObject([{ because }]);
    expect(mcp.seen).toEqual([]);
    expect((await server.get(`${ORG}/connections/${id}`)).body.status).toBe('connected');
  });

  test.each(['invalid_client', 'secret-of-the-client'])(
    'are refused with no words of the issuer: %s',
    async (error) => {
      trust(own);
      const url: URL = await serveHttps(own.pair, (request, response) => {
        const metadata = { issuer: url.origin, token_endpoint: new URL('token', url).href };
        response.writeHead(request.url === '/token' ? 400 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(request.url === '/token' ? { error, error_description: error } : metadata));
      });
      const mcp = await serveNewest();
      const server = await givenServer();
      await server.connect(sums(mcp.url, url.origin), { client_secret: 'secret-of-the-client' });
      const called = await add(server);
      expect(called.body).toMatchObject({ because: 'key_refused', detail: expect.stringContaining('HTTP 400') });
      const shown = called.text + JSON.stringify(await server.search());
      expect(shown).not.toContain('secret-of-the-client');
      expect(shown.includes('(invalid_client)')).toBe(error === 'invalid_client');
    },
  );

  test('are not requested over an untrusted certificate', async () => {
    const issuer = await serveIssuer(own, [CLIENT]);
    const mcp = await serveNewest();
    const server = await givenServer();
    await server.connect(sums(mcp.url, issuer.issuer), { client_secret: SECRET });
    expect((await add(server)).body).toMatchObject({ because: 'unreachable' });
    expect(issuer.tokens).toEqual([]);
  });
});

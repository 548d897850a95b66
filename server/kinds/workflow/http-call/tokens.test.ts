import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { serveHttp } from '../../../lib/http-client/testing.ts';
import { call, testContext } from './testing.ts';

interface Asked {
  path: string;
  authorization: string | undefined;
  type: string | undefined;
  body: string;
}

interface Answer {
  status?: number;
  body: Json | string;
}

const TOKEN = 'token-of-the-authority';

/** An authority and, at `/api`, what its tokens are for. */
async function authority(answers: Readonly<Record<string, (origin: string) => Answer>>) {
  const asked: Asked[] = [];
  const url = await serveHttp(async (request, response) => {
    const { url: path = '', headers } = request;
    const body = await bodyOf(request);
    asked.push({ path, authorization: headers.authorization, type: headers['content-type'], body });
    const answer: Answer = answers[path]?.(`http://${headers.host}`) ?? {
      body: { authorization: headers.authorization ?? null },
    };
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  return { origin: url.origin, asked };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const given = (origin: string, scheme: 'oauth2' | 'oidc', own: JsonObject): JsonObject => ({
  method: 'get',
  endpoint: {
    uri: `${origin}/api`,
    authentication: {
      [scheme]: {
        authority: `${origin}/realms/desk`,
        grant: 'client_credentials',
        client: { id: 'desk id', secret: 'a long secret' },
        ...own,
      },
    },
  },
});

const token = (more: JsonObject = {}) => ({ body: { access_token: TOKEN, token_type: 'bearer', ...more } });

test('a token is asked for below the authority, used, and scrubbed from what the server echoes', async () => {
  const { origin, asked } = await authority({ '/realms/desk/oauth2/token': () => token() });
  const result = await call('http', given(origin, 'oauth2', { scopes: ['a', 'b'], audiences: ['c', 'd'] }));
  expect(result).toEqual({ ok: true, output: { authorization: 'Bearer ***' } });
  expect(asked).toEqual([
    {
      path: '/realms/desk/oauth2/token',
      authorization: undefined,
      type: 'application/x-www-form-urlencoded',
      body: 'grant_type=client_credentials&client_id=desk+id&client_secret=a+long+secret&scope=a+b&audience=c&audience=d',
    },
    { path: '/api', authorization: `Bearer ${TOKEN}`, type: undefined, body: '' },
  ]);
});

test.each([
  [
    'client_secret_basic',
    `Basic ${Buffer.from('desk+id:a+long+secret').toString('base64')}`,
    'grant_type=client_credentials',
  ],
  ['none', undefined, 'grant_type=client_credentials&client_id=desk+id'],
])('a client shows itself by %s', async (authentication, authorization, body) => {
  const { origin, asked } = await authority({ '/realms/desk/my/token': () => token() });
  const client = { id: 'desk id', secret: 'a long secret', authentication };
  const result = await call('http', given(origin, 'oauth2', { client, endpoints: { token: '/my/token' } }));
  expect(result).toMatchObject({ ok: true });
  expect(asked[0]).toMatchObject({ authorization, body });
});

test('a token request is written as JSON where that is asked for', async () => {
  const { origin, asked } = await authority({ '/realms/desk/oauth2/token': () => token() });
  await call('http', given(origin, 'oauth2', { request: { encoding: 'application/json' }, audiences: ['a'] }));
  expect(asked[0]?.type).toBe('application/json');
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    grant_type: 'client_credentials',
    client_id: 'desk id',
    client_secret: 'a long secret',
    audience: 'a',
  });
});

test('a token that expired while the machine slept is not used, and one lives no longer on a clock that is set back', async () => {
  const { origin, asked } = await authority({
    '/realms/desk/oauth2/token': () => token({ expires_in: 300 }),
    '/api': () => ({ status: 200, body: {} }),
  });
  const own = testContext();
  const tokensAskedAfter = async (sleep: () => void): Promise<number> => {
    sleep();
    await call('http', given(origin, 'oauth2', {}), own);
    return asked.filter(({ path }) => path !== '/api').length;
  };
  expect(await tokensAskedAfter(() => {})).toBe(1);
  expect(await tokensAskedAfter(() => own.clock.jump(8 * 3_600_000))).toBe(2);
  expect(await tokensAskedAfter(() => own.clock.jump(-8 * 3_600_000))).toBe(2);
  expect(await tokensAskedAfter(() => own.clock.advance(270_000))).toBe(3);
});

test('a token is used until shortly before it expires, and forgotten when the server refuses it', async () => {
  let status = 200;
  const { origin, asked } = await authority({
    '/realms/desk/oauth2/token': () => token({ expires_in: 300 }),
    '/api': () => ({ status, body: {} }),
  });
  const own = testContext();
  const tokensAsked = () => asked.filter(({ path }) => path !== '/api').length;
  const twice = async (): Promise<void> => {
    await call('http', given(origin, 'oauth2', {}), own);
    await call('http', given(origin, 'oauth2', {}), own);
  };
  await twice();
  own.clock.advance(269_000);
  await twice();
  expect(tokensAsked()).toBe(1);
  own.clock.advance(1000);
  await twice();
  expect(tokensAsked()).toBe(2);
  await call('http', given(origin, 'oauth2', { scopes: ['more'] }), own);
  expect(tokensAsked()).toBe(3);
  status = 401;
  await twice();
  expect(tokensAsked()).toBe(4);
});

test('a token of unknown life is used once', async () => {
  const { origin, asked } = await authority({ '/realms/desk/oauth2/token': () => token() });
  const own = testContext();
  await call('http', given(origin, 'oauth2', {}), own);
  await call('http', given(origin, 'oauth2', {}), own);
  expect(asked).toHaveLength(4);
});

const DISCOVERY = '/realms/desk/.well-known/openid-configuration';

test.each(['', '/', '/.well-known/openid-configuration'])(
  'oidc finds where tokens are given (authority ends with %j)',
  async (end) => {
    const { origin, asked } = await authority({
      [DISCOVERY]: (own) => ({ body: { issuer: `${own}/realms/desk`, token_endpoint: `${own}/given/here` } }),
      '/given/here': () => token(),
    });
    const result = await call('http', given(origin, 'oidc', { authority: `${origin}/realms/desk${end}` }));
    expect(result).toMatchObject({ ok: true });
    expect(asked.map(({ path }) => path)).toEqual([DISCOVERY, '/given/here', '/api']);
  },
);

test('oidc takes another issuer only where the workflow names it', async () => {
  const { origin } = await authority({
    [DISCOVERY]: (own) => ({ body: { issuer: 'https://other.example', token_endpoint: `${own}/given/here` } }),
    '/given/here': () => token(),
  });
  expect(await call('http', given(origin, 'oidc', {}))).toMatchObject({
    error: { type: 'authentication', status: 401 },
  });
  expect(await call('http', given(origin, 'oidc', { issuers: ['https://other.example'] }))).toMatchObject({ ok: true });
});

test('a token that says another issuer than those named is not used', async () => {
  const jwt = ['{}', '{"iss":"https://evil.example"}', '']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const { origin, asked } = await authority({ '/realms/desk/oauth2/token': () => ({ body: { access_token: jwt } }) });
  const named = given(origin, 'oauth2', { issuers: ['https://good.example'] });
  expect(await call('http', named)).toMatchObject({ error: { type: 'authentication' } });
  expect(asked).toHaveLength(1);
});

test.each<[string, number, Answer]>([
  ['authentication', 401, { status: 400, body: { error: 'invalid_client', error_description: 'a long secret' } }],
  ['authentication', 401, { status: 401, body: 'no' }],
  ['communication', 500, { status: 500, body: {} }],
  ['communication', 302, { status: 302, body: {} }],
  ['communication', 503, { body: 'no JSON' }],
  ['communication', 503, { body: {} }],
  ['communication', 503, { body: { access_token: 'a\nb' } }],
  ['communication', 503, { body: { access_token: TOKEN, token_type: 'mac' } }],
  ['communication', 503, { body: { access_token: 'x'.repeat(70_000) } }],
])('no token is an error of %s %i', async (type, status, answer) => {
  const { origin, asked } = await authority({ '/realms/desk/oauth2/token': () => answer });
  const result = await call('http', given(origin, 'oauth2', {}));
  expect(result).toMatchObject({ ok: false, error: { type, status } });
  expect(JSON.stringify(result)).not.toContain('a long secret');
  expect(asked).toHaveLength(1);
});

test('where tokens are given must be an allowed host too', async () => {
  const { origin, asked } = await authority({
    [DISCOVERY]: (own) => ({ body: { issuer: `${own}/realms/desk`, token_endpoint: 'http://127.0.0.2:9/token' } }),
  });
  const own = testContext({ isHostAllowed: (host) => host === new URL(origin).host });
  expect(await call('http', given(origin, 'oidc', {}), own)).toMatchObject({ error: { type: 'configuration' } });
  expect(asked).toHaveLength(1);
  const elsewhere = given(origin, 'oauth2', { authority: 'http://127.0.0.2:9' });
  expect(await call('http', elsewhere, own)).toMatchObject({ error: { type: 'configuration' } });
  const whole = given(origin, 'oauth2', { endpoints: { token: 'http://127.0.0.2:9/token' } });
  expect(await call('http', whole, own)).toMatchObject({ error: { type: 'configuration' } });
  expect(asked).toHaveLength(1);
});

test('basic and bearer are shown, and scrubbed from what the server echoes', async () => {
  const { origin, asked } = await authority({});
  const by = (authentication: JsonObject) => ({ method: 'get', endpoint: { uri: `${origin}/echo`, authentication } });
  const basic = by({ basic: { username: 'me', password: 'a long password' } });
  expect(await call('http', basic)).toEqual({ ok: true, output: { authorization: 'Basic ***' } });
  const bearer = by({ use: 'mine' });
  expect(await call('http', bearer, testContext(), { mine: { bearer: { token: TOKEN } } })).toEqual({
    ok: true,
    output: { authorization: 'Bearer ***' },
  });
  expect(asked.map(({ authorization }) => authorization)).toEqual([
    `Basic ${Buffer.from('me:a long password').toString('base64')}`,
    `Bearer ${TOKEN}`,
  ]);
});

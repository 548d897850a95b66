// The device flow at a real identity service, with a program in place of the person's other device.
import { ResponseBodyError } from 'oauth4webapi';
import { afterAll, assert, beforeAll, describe, expect, test, vi } from 'vitest';
import { type IdentityProvider, serveIdentityProvider } from '../../../domain/access/identity-provider.testing.ts';
import { trust } from '../../../domain/connections/issuer.testing.ts';
import { confirmDevice, makeCertificates } from '../../../test/index.ts';
import { authorizeDevice, intervalAfter } from './authorize-device.ts';
import { readService, scopeOf, type SignIn } from './identity-service.ts';
import { registerClient } from './register-client.ts';

const certificates = process.platform === 'win32' ? undefined : makeCertificates();
const RESOURCE = 'https://cuebook.example.com';

function oauthError(error: string): ResponseBodyError {
  return new ResponseBodyError('refused', { cause: { error }, response: new Response() });
}

test.each([
  ['authorization_pending', 5],
  ['slow_down', 10],
])('after %s, the next poll is in %i seconds', (error, seconds) => {
  expect(intervalAfter(oauthError(error), 5)).toBe(seconds);
});

test.each([
  ['expired_token', 'The code expired before anyone signed in with it. Run the command again.'],
  ['access_denied', 'The sign-in was refused at the identity service.'],
  ['invalid_client', 'refused'],
])('%s ends the polls', (error, words) => {
  expect(() => intervalAfter(oauthError(error), 5)).toThrow(words);
});

test.each([
  new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }),
  new DOMException('too late', 'TimeoutError'),
])('after a broken connection (%s), the interval doubles', (error) => {
  expect(intervalAfter(error, 5)).toBe(10);
});

test('a page that is not served over https is not shown', async () => {
  const service = { issuer: 'https://id.example.com', device_authorization_endpoint: 'https://id.example.com/device' };
  const started = { device_code: 'd', user_code: 'U', verification_uri: 'http://id.example.com/', expires_in: 60 };
  const send = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(started));
  const signIn = { service, resource: RESOURCE, scope: 'org:read' };
  await expect(authorizeDevice(signIn, 'cuebook', new AbortController().signal)).rejects.toThrow(
    'names no https verification_uri',
  );
  // Some identity services require PKCE in this grant too.
  expect(send.mock.calls[0]?.[1]?.body?.toString()).toMatch(/code_challenge=[^&]{43}&code_challenge_method=S256/);
  send.mockRestore();
});

test('a sign-in asks for offline_access where the identity service knows it', () => {
  const permissions = 'user:org:read org:read org:write playbook:read playbook:write';
  const issuer = 'https://id.example.com';
  expect(scopeOf({ issuer, scopes_supported: ['openid'] })).toBe(permissions);
  expect(scopeOf({ issuer, scopes_supported: ['openid', 'offline_access'] })).toBe(`${permissions} offline_access`);
});

test('where clients cannot register, the message says what to register', async () => {
  const service = { issuer: 'https://id.example.com' };
  const needs = { grant: 'authorization_code' as const, redirects: [], words: 'the device authorization grant' };
  await expect(registerClient(service, needs)).rejects.toThrow(
    'Register a public client there with the device authorization grant, and name it with --client-id.',
  );
});

describe.skipIf(certificates === undefined)('at an identity service with the device flow', () => {
  let identity: IdentityProvider;
  beforeAll(async () => {
    assert(certificates !== undefined);
    const without = { redirect_uris: ['http://127.0.0.1/callback'], application_type: 'native' as const };
    identity = await serveIdentityProvider(certificates, {
      offersDevices: true,
      clients: [{ client_id: 'no-devices', token_endpoint_auth_method: 'none', ...without }],
    });
  });
  afterAll(() => identity.close());

  /** Starts a sign-in; `shown` is the page for the code, once it is printed. */
  async function start(clientId?: string) {
    assert(certificates !== undefined);
    trust(certificates);
    const printed = Promise.withResolvers<string>();
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      printed.resolve(String(text));
      return true;
    });
    const cancelled = new AbortController();
    const signIn: SignIn = { service: await readService(identity.issuer), resource: RESOURCE, scope: 'org:read' };
    const ended = authorizeDevice(signIn, clientId, cancelled.signal);
    const words = await Promise.race([printed.promise, ended.then(String, String)]);
    write.mockRestore();
    const [, code = ''] = /enter the code (\S+)\./.exec(words) ?? [];
    return {
      ended,
      words,
      page: new URL(`${identity.issuer}/device?user_code=${code}`),
      cancel: () => cancelled.abort(),
    };
  }

  test('given that the person confirms the code, then there are tokens for the server', async () => {
    const { ended, words, page } = await start();
    expect(words).toContain(`To sign in, open ${identity.issuer}/device on any device and enter the code `);
    expect(words).toContain(`Or open ${page.href} and check that it shows that code.`);
    expect(words).toContain('The code expires in 10 minutes. Press Ctrl-C to cancel.');
    await confirmDevice(page);
    const { tokens } = await ended;
    expect(tokens).toMatchObject({ scope: 'org:read', refresh_token: expect.any(String) });
    expect(identity.grants.at(-1)).toEqual({
      type: 'urn:ietf:params:oauth:grant-type:device_code',
      resource: RESOURCE,
    });
  });

  test('given that the person refuses, then the sign-in fails', async () => {
    const { ended, page } = await start();
    const [outcome] = await Promise.all([ended.catch(String), confirmDevice(page, 'abort')]);
    expect(outcome).toContain('The sign-in was refused at the identity service.');
  });

  test('given that it is cancelled, then the polls end', async () => {
    const { ended, cancel } = await start();
    cancel();
    await expect(ended).rejects.toThrow(/aborted/);
  });

  test('given a client without the grant, then the message names --browser', async () => {
    const { ended } = await start('no-devices');
    await expect(ended).rejects.toThrow(/issued no code: .*the client no-devices may not .*--browser/);
  });
});

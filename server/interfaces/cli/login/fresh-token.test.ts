// Logins that expire, at a real identity service that accepts each refresh token once: presented again, it ends the login.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, assert, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type IdentityProvider, serveIdentityProvider } from '../../../domain/access/identity-provider.testing.ts';
import { trust } from '../../../domain/connections/issuer.testing.ts';
import { confirmDevice, makeCertificates, temporaryFolder } from '../../../test/index.ts';
import { freshToken } from './fresh-token.ts';
import { lockLogins, type Login, readLogin } from './logins.ts';
import { revoke } from './revoke.ts';

const certificates = process.platform === 'win32' ? undefined : makeCertificates();
const SERVER = 'https://cuebook.example.com';
const DEVICE = {
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  token_endpoint_auth_method: 'none' as const,
};

describe.skipIf(certificates === undefined)('a login that has expired', () => {
  let identity: IdentityProvider;
  let irrevocable: IdentityProvider;
  beforeAll(async () => {
    assert(certificates !== undefined);
    const clients = [{ client_id: 'cuebook', redirect_uris: [], response_types: [], ...DEVICE }];
    identity = await serveIdentityProvider(certificates, { offersDevices: true, clients });
    irrevocable = await serveIdentityProvider(certificates, { revokes: false });
  });
  afterAll(() => Promise.all([identity.close(), irrevocable.close()]));

  /** A data directory with a login whose access token has expired. */
  async function start(change: Partial<Login> = {}) {
    assert(certificates !== undefined);
    trust(certificates);
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const dataDir = folder.path;
    const login = { ...(await signIn(identity.issuer)), ...change };
    await lockLogins(dataDir, (write) => write(SERVER, login));
    identity.grants.length = 0;
    return { dataDir, login };
  }

  test('is renewed once by two commands at the same time, and again when it expires again', async () => {
    const { dataDir } = await start();
    identity.lifetime = 1;
    await freshToken(dataDir, SERVER);
    identity.lifetime = 600;
    const [first, second] = await Promise.all([freshToken(dataDir, SERVER), freshToken(dataDir, SERVER)]);
    expect(first).toBe(second);
    expect(await freshToken(dataDir, SERVER)).toBe(first);
    expect(identity.grants.map(({ type }) => type)).toEqual(['refresh_token', 'refresh_token']);
  });

  test('is renewed after a process that held the lock was killed', async () => {
    const { dataDir } = await start();
    const program = `
      import { lockLogins } from ${JSON.stringify(new URL('logins.ts', import.meta.url).href)};
      await lockLogins(process.argv[1], () => new Promise((resolve) => {
        console.log('held');
        setInterval(() => {}, 1000);
      }));`;
    const holder = spawn(process.execPath, ['--input-type=module', '--eval', program, dataDir]);
    await once(holder.stdout, 'data');
    const renewed = freshToken(dataDir, SERVER);
    holder.kill('SIGKILL');
    expect(await renewed).toBe(readLogin(dataDir, SERVER)?.accessToken);
  });

  test('is not renewed after it was revoked', async () => {
    const { dataDir, login } = await start();
    expect(await revoke(login)).toEqual({
      isRevoked: true,
      words: `The refresh token was revoked at ${identity.issuer}.`,
    });
    await expect(freshToken(dataDir, SERVER)).rejects.toThrow(
      `renewing it failed: invalid_grant (grant request is invalid). Run \`cuebook login --server ${SERVER}\``,
    );
  });

  test('is not renewed without a refresh token, or without a login', async () => {
    const { dataDir, login } = await start({ refreshToken: undefined });
    await expect(freshToken(dataDir, SERVER)).rejects.toThrow(/has expired, .*Run `cuebook login/);
    await expect(freshToken(dataDir, 'https://other.example.com')).rejects.toThrow(
      'You are not signed in to https://other.example.com. Run `cuebook login --server https://other.example.com`.',
    );
    expect((await revoke(login)).words).toBe('The login had no refresh token to revoke.');
  });

  test('can be renewed later if the identity service cannot be reached', async () => {
    const { dataDir, login } = await start({ issuer: 'https://127.0.0.1:9' });
    await expect(freshToken(dataDir, SERVER)).rejects.toThrow(/renewing it failed: .*\. Try again later\.$/);
    expect(readLogin(dataDir, SERVER)).toEqual(login);
  });

  test('cannot be revoked at an identity service without revocation', async () => {
    const { login } = await start({ issuer: irrevocable.issuer });
    expect(await revoke(login)).toEqual({ isRevoked: false, words: expect.stringContaining('stays valid') });
  });
});

/** A login from the device flow. */
async function signIn(issuer: string): Promise<Login> {
  const send = async (path: string, fields: Record<string, string>): Promise<Record<string, string>> => {
    const body = new URLSearchParams({ client_id: 'cuebook', resource: SERVER, ...fields });
    const response = await fetch(`${issuer}${path}`, { method: 'POST', body });
    return (await response.json()) as Record<string, string>;
  };
  const { device_code = '', verification_uri_complete = '' } = await send('/device/auth', { scope: 'org:read' });
  await confirmDevice(new URL(verification_uri_complete));
  const [grant_type] = DEVICE.grant_types as [string];
  const { access_token = '', refresh_token } = await send('/token', { grant_type, device_code });
  return {
    issuer,
    resource: SERVER,
    clientId: 'cuebook',
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: 0,
  };
}

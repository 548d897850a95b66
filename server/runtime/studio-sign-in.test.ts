import { describe, expect, test } from 'vitest';
import type { IdentityService } from '../domain/access/index.ts';
import { requireStudioClient, withSignIn } from './studio-sign-in.ts';

const PUBLIC_URL = 'https://cuebook.example.com';
const ISSUER = 'https://id.example.com';
const studio = { page: '<meta charset="utf-8">', assets: new Map() };
const key = { name: 'ada', sha256: '', org: 'acme', permissions: [], playbooks: undefined };

const settingsWith = (clientId: string | undefined, sessionModule?: string, keys: object[] = []) => ({
  apiKeys: () => keys as never[],
  publicUrl: PUBLIC_URL,
  studioSignIn: { clientId, sessionModule },
});
const serviceWith = (metadata: object = {}): IdentityService => ({
  issuer: ISSUER,
  keySetUrl: new URL(`${ISSUER}/keys`),
  keySet: { keys: [] },
  metadata: {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: 'https://tokens.example.com/token',
    jwks_uri: `${ISSUER}/keys`,
    ...metadata,
  },
});

describe('the page of the studio', () => {
  test('names the ways to sign in, and permits requests to where people sign in', () => {
    const settings = settingsWith('studio', 'https://sdk.example.com/session.js', [key]);
    const { page, signInOrigins } = withSignIn(studio, settings, () => serviceWith());
    expect(page).toContain('content="key openid session"');
    expect(page).toContain('data-session-module="https://sdk.example.com/session.js"');
    expect(page).toContain('&quot;clientId&quot;:&quot;studio&quot;');
    expect(page).not.toContain('jwks_uri');
    expect(signInOrigins).toEqual({
      scripts: ['https://sdk.example.com'],
      requests: ['https://tokens.example.com', 'https://sdk.example.com', ISSUER],
    });
  });

  test('offers a key only while keys are configured', () => {
    const keys: object[] = [];
    const signing = withSignIn(studio, settingsWith(undefined, undefined, keys), () => serviceWith());
    expect(signing.page).toContain('content=""');
    keys.push(key);
    expect(signing.page).toContain('<meta name="cuebook-sign-in" content="key">');
    expect(signing.signInOrigins).toEqual({ scripts: [], requests: [] });
  });
});

test('an identity service without the endpoints that the studio needs stops the start', () => {
  const service = serviceWith({ token_endpoint: 'http://id.example.com/token' });
  expect(() => requireStudioClient(settingsWith('studio'), service)).toThrow('names no https `token_endpoint`');
  expect(() => requireStudioClient(settingsWith(undefined), service)).not.toThrow();
});

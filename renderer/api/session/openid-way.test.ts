// Signs in at a real identity service. The tabs of the browser are stand-ins: their addresses and their storage.
import { decodeJwt } from 'jose';
import type { AuthorizationServer } from 'oauth4webapi';
import { afterAll, assert, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type IdentityProvider,
  serveIdentityProvider,
} from '../../../server/domain/access/identity-provider.testing.ts';
import { trust } from '../../../server/domain/connections/issuer.testing.ts';
import { followRedirects, makeCertificates } from '../../../server/test/index.ts';
import { UnreachableError } from '../problem-error.ts';
import type { Browser } from './browser.ts';
import { type OpenIdSettings, renewTokens, type Tokens } from './openid-flow.ts';
import { createOpenIdWay } from './openid-way.ts';
import { OtherWindow, type SignInWay } from './way.ts';

const certificates = makeCertificates();
const STUDIO = 'https://cuebook.example.com';
const PLACE = '/#/playbooks/desk/runs';
const STUDIO_CLIENT = {
  client_id: 'studio',
  redirect_uris: [`${STUDIO}/`],
  post_logout_redirect_uris: [`${STUDIO}/`],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none' as const,
};
const LIFETIME = 300;

describe.skipIf(certificates === undefined)('OpenID Connect', () => {
  let identity: IdentityProvider;
  let granted: IdentityProvider['granted'];
  let service: AuthorizationServer;
  let settings: OpenIdSettings;

  beforeAll(async () => {
    assert(certificates !== undefined);
    identity = await serveIdentityProvider(certificates, { clients: [STUDIO_CLIENT] });
    ({ granted } = identity);
  });
  afterAll(() => identity.close());
  beforeEach(async () => {
    assert(certificates !== undefined);
    trust(certificates);
    service ??= await (await fetch(`${identity.issuer}/.well-known/openid-configuration`)).json();
    settings = { clientId: 'studio', resource: STUDIO, service: { ...service } };
    Object.assign(identity, { lifetime: LIFETIME, granted, grants: [], revoked: [] });
    onTestFinished(() => void vi.useRealTimers());
  });

  /** A tab of the browser, and what the page did in it. */
  function openTab(address = `${STUDIO}${PLACE}`, stored = new Map<string, string>()) {
    const channel = new BroadcastChannel('test-openid');
    onTestFinished(() => channel.close());
    const done = { left: [] as string[], opened: [] as string[], closed: 0 };
    const tab = { ...done, stored, address: new URL(address), blocksWindows: false };
    const browser: Browser = {
      storage: {
        getItem: (name) => stored.get(name) ?? null,
        setItem: (name, value) => void stored.set(name, value),
        removeItem: (name) => void stored.delete(name),
      },
      address: () => tab.address,
      replaceAddress: (next) => void (tab.address = new URL(next, STUDIO)),
      leaveTo: async (to) => {
        tab.left.push(to);
        return new Promise(() => undefined);
      },
      openWindow: () =>
        tab.blocksWindows ? undefined : { goTo: (to) => void tab.opened.push(to), close: () => void (tab.closed += 1) },
      closeWindow: () => void (tab.closed += 1),
      channel,
    };
    return { tab, way: createOpenIdWay(settings, browser) };
  }

  /** Loads the studio again, where the identity service returns from an address that the page left to. */
  async function returnFrom({ tab }: Opened): Promise<Opened> {
    const [left = ''] = await vi.waitUntil(() => tab.left.length > 0 && tab.left);
    return openTab((await followRedirects(new URL(left))).href, tab.stored);
  }

  async function signIn(): Promise<Opened> {
    const first = openTab();
    void first.way.signIn(undefined, true);
    const second = await returnFrom(first);
    expect(await second.way.token()).toBeDefined();
    return second;
  }

  /** What the person does in a window that the studio opened. */
  async function finishIn(address: string): Promise<void> {
    const { tab, way } = openTab((await followRedirects(new URL(address))).href);
    await expect(way.token()).rejects.toThrow(OtherWindow);
    expect([tab.closed, tab.address.href]).toEqual([1, `${STUDIO}/`]);
  }

  type Opened = { tab: ReturnType<typeof openTab>['tab']; way: SignInWay<void> };
  const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);
  /** Signs out while the next request to the identity service is being answered. */
  function forgetDuringRequest(way: SignInWay<void>): void {
    const send = globalThis.fetch;
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...request) => {
      const response = await send(...request);
      way.forget();
      return response;
    });
    onTestFinished(() => spy.mockRestore());
  }
  const tokensWith = (refreshToken: string | undefined): Tokens => ({
    accessToken: '',
    refreshToken,
    idToken: undefined,
    expiresAt: 0,
    renewAt: 0,
  });
  const refreshes = () => identity.grants.filter(({ type }) => type === 'refresh_token').length;

  test('a person signs in, and returns to the place where they were', async () => {
    const { tab, way } = await signIn();
    expect(tab.address.href).toBe(`${STUDIO}${PLACE}`);
    expect(decodeJwt((await way.token()) ?? '')).toMatchObject({ aud: STUDIO, sub: 'ada', org_id: 'acme' });
    expect(identity.grants).toEqual([{ type: 'authorization_code', resource: STUDIO }]);
    expect([...tab.stored.keys()]).toEqual(['cuebook.signed-in']);
  });

  test('nobody is signed in at first', async () => {
    const { tab, way } = openTab();
    expect([await way.token(), tab.left]).toEqual([undefined, []]);
  });

  test('a reload signs in again without a page, and only where the person was signed in', async () => {
    const { tab } = await signIn();
    const reloaded = openTab(tab.address.href, tab.stored);
    void reloaded.way.token();
    const [left = ''] = await vi.waitUntil(() => reloaded.tab.left.length > 0 && reloaded.tab.left);
    expect(new URL(left).searchParams.get('prompt')).toBe('none');
    // The stand-in of the browser has no session there.
    const returned = await returnFrom(reloaded);
    expect([await returned.way.token(), returned.tab.address.href, returned.tab.stored.size]).toEqual([
      undefined,
      `${STUDIO}${PLACE}`,
      0,
    ]);
  });

  test.each([
    ['state', 'This sign-in was not started in this tab, or was finished before. Sign in again.'],
    ['nonce', 'is invalid'],
    ['verifier', 'no longer accepts this sign-in'],
  ])('another %s is refused, once', async (name, sentence) => {
    const first = openTab();
    void first.way.signIn(undefined, true);
    const { tab } = first;
    await vi.waitUntil(() => tab.left.length > 0);
    const started = JSON.parse(tab.stored.get('cuebook.sign-in') ?? '') as Record<string, string>;
    const another = `${started[name]?.slice(0, -4)}AAAA`;
    tab.stored.set('cuebook.sign-in', JSON.stringify({ ...started, [name]: another }));
    const { way, tab: returned } = await returnFrom(first);
    await expect(way.token()).rejects.toThrow(sentence);
    expect([await way.token(), returned.stored.size, returned.address.search]).toEqual([undefined, 0, '']);
  });

  test('a person who does not grant access reads why they are not signed in', async () => {
    identity.granted = undefined;
    const first = openTab();
    void first.way.signIn(undefined, true);
    const { way, tab } = await returnFrom(first);
    await expect(way.token()).rejects.toThrow('did not grant access');
    expect(tab.address.href).toBe(`${STUDIO}${PLACE}`);
  });

  test('two requests renew a token once, shortly before it expires', async () => {
    const { way } = await signIn();
    const before = await way.token();
    pass(LIFETIME - 31);
    expect([await way.token(), refreshes()]).toEqual([before, 0]);
    pass(2);
    const renewed = await Promise.all([way.token(), way.token()]);
    expect([new Set(renewed).size, refreshes()]).toEqual([1, 1]);
    expect(renewed[0]).not.toBe(before);
    expect(identity.grants.at(-1)?.resource).toBe(STUDIO);
  });

  test('a token that is no longer renewed is used until it expires', async () => {
    const { tab, way } = await signIn();
    const token = await way.token();
    await identity.revokeRefreshTokens();
    pass(LIFETIME - 20);
    expect(await way.token()).toBe(token);
    pass(20);
    expect([await way.token(), refreshes(), tab.left]).toEqual([undefined, 0, []]);
  });

  test('a token is revoked when the person signs out', async () => {
    const { tab, way } = await signIn();
    void way.signOut();
    await vi.waitUntil(() => tab.left.length > 0);
    expect(identity.revoked).toHaveLength(1);
    expect(await renewTokens(settings, tokensWith(identity.revoked[0]))).toMatchObject({ refreshToken: undefined });
  });

  test('tokens that a renewal brings after the person signed out are revoked', async () => {
    const { way } = await signIn();
    pass(LIFETIME - 20);
    forgetDuringRequest(way);
    expect(await way.token()).toBeUndefined();
    expect([refreshes(), identity.revoked.length]).toEqual([1, 1]);
    expect(await renewTokens(settings, tokensWith(identity.revoked[0]))).toMatchObject({ refreshToken: undefined });
  });

  test('where the identity service revokes no tokens, they are dropped', async () => {
    delete settings.service.revocation_endpoint;
    const { way } = await signIn();
    pass(LIFETIME - 20);
    forgetDuringRequest(way);
    expect(await way.token()).toBeUndefined();
    expect(refreshes()).toBe(1);
    expect(identity.revoked).toEqual([]);
  });

  test('an identity service that cannot be reached ends no sign-in', async () => {
    const { way } = await signIn();
    const token = await way.token();
    settings.service.token_endpoint = 'https://127.0.0.1:1/token';
    pass(LIFETIME - 20);
    expect(await way.token()).toBe(token);
    pass(20);
    await expect(way.token()).rejects.toThrow(UnreachableError);
    settings.service.token_endpoint = service.token_endpoint ?? '';
    expect(await way.token()).not.toBe(token);
  });

  describe('while the page has to stay', () => {
    test('a person signs in in another window, also after they closed the first', async () => {
      const { tab, way } = await signIn();
      const before = await way.token();
      const closed = way.signIn(undefined, false);
      await vi.waitUntil(() => tab.opened.length === 1);
      const signingIn = way.signIn(undefined, false);
      await finishIn((await vi.waitUntil(() => tab.opened[1])) ?? '');
      const adopt = await signingIn;
      expect(await way.token()).toBe(before);
      adopt();
      expect(await way.token()).not.toBe(before);
      expect([tab.left, tab.address.href]).toEqual([[], `${STUDIO}${PLACE}`]);
      void closed;
    });

    test('only the tab that opened the window takes its result', async () => {
      const [here, there] = [await signIn(), await signIn()];
      const signingIn = [here, there].map(({ way }) => way.signIn(undefined, false));
      const [, second = ''] = await vi.waitUntil(() => {
        const opened = [here, there].flatMap(({ tab }) => tab.opened);
        return opened.length === 2 && opened;
      });
      await finishIn(second);
      (await signingIn[1])?.();
      expect(identity.grants.filter(({ type }) => type === 'authorization_code')).toHaveLength(3);
    });

    test('a refusal in the window is reported, and the person can try again', async () => {
      const { tab, way } = await signIn();
      identity.granted = undefined;
      const refused = way.signIn(undefined, false).catch((error: unknown) => error);
      await finishIn((await vi.waitUntil(() => tab.opened[0])) ?? '');
      expect(await refused).toMatchObject({ message: expect.stringContaining('did not grant access') });
      identity.granted = granted;
      const signingIn = way.signIn(undefined, false);
      await finishIn((await vi.waitUntil(() => tab.opened[1])) ?? '');
      (await signingIn)();
    });

    test('a blocked window is reported', async () => {
      const { tab, way } = await signIn();
      tab.blocksWindows = true;
      await expect(way.signIn(undefined, false)).rejects.toThrow('Allow pop-ups for this page');
    });
  });

  test('signing out ends the session at the identity service, where it offers that', async () => {
    const { tab, way } = await signIn();
    void way.signOut();
    expect(await way.token()).toBeUndefined();
    const [left = ''] = await vi.waitUntil(() => tab.left.length > 0 && tab.left);
    const { origin, pathname, searchParams } = new URL(left);
    expect(`${origin}${pathname}`).toBe(service.end_session_endpoint);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'studio',
      post_logout_redirect_uri: `${STUDIO}/`,
      id_token_hint: expect.stringContaining('.'),
    });
    expect(tab.stored.size).toBe(0);

    delete settings.service.end_session_endpoint;
    delete settings.service.revocation_endpoint;
    const other = await signIn();
    await other.way.signOut();
    expect([await other.way.token(), other.tab.left]).toEqual([undefined, []]);
  });
});

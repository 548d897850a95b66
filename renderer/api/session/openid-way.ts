// Signs in with OpenID Connect.
//
// 1. Tokens are in memory. Only what finishes a sign-in that left the page, and whether somebody was signed in, is in the
//    session storage of the tab.
// 2. What the identity service adds to the address of the page is removed from it before anything else reads the address.
// 3. A reload signs the person in again if the identity service does so without showing a page.
// 4. Where the page has to stay as it is, the person signs in in another window. That window hands what the identity
//    service added to its address over to this one through a BroadcastChannel, which only pages of the same origin can
//    use. This page accepts only a `state` that it made itself, and keeps the PKCE verifier, without which a code is
//    worthless.
import { UnreachableError } from '../problem-error.ts';
import { type Browser, currentBrowser } from './browser.ts';
import type { OpenIdSettings, StartedSignIn, Tokens } from './openid-flow.ts';
import { OtherWindow, type SignInWay } from './way.ts';

const STARTED = 'cuebook.sign-in';
const SIGNED_IN = 'cuebook.signed-in';
/** Begins the `state` of a sign-in in another window. */
const WINDOW_MARK = 'window.';

/** A sign-in that leaves the page, as the tab keeps it. */
interface LeftPage extends StartedSignIn {
  /** Whether it shows no page: it fails if the person has no session at the identity service. */
  isSilent: boolean;
  /** The fragment of the address that the person was on. */
  location: string;
}

export function createOpenIdWay(settings: OpenIdSettings, browser: Browser = currentBrowser()): SignInWay<void> {
  const { storage, channel } = browser;
  const returned = takeReturned(browser);
  let starting: Promise<void> | undefined;
  let renewing: Promise<void> | undefined;
  let tokens: Tokens | undefined;
  const elsewhere = createElsewhere(settings, browser);

  function keep(next: Tokens): void {
    tokens = next;
    storage.setItem(SIGNED_IN, 'true');
  }

  function forget(): void {
    tokens = undefined;
    elsewhere.forget();
    storage.removeItem(SIGNED_IN);
  }

  async function leave(isSilent: boolean): Promise<never> {
    const { startSignIn } = await import('./openid-flow.ts');
    const { address, started } = await startSignIn(settings, { isSilent });
    const left: LeftPage = { ...started, isSilent, location: browser.address().hash };
    storage.setItem(STARTED, JSON.stringify(left));
    return browser.leaveTo(address);
  }

  /** What the page begins with: the end of a sign-in, or a silent one if somebody was signed in before a reload. */
  async function start(): Promise<void> {
    if (returned === undefined) {
      if (storage.getItem(SIGNED_IN) !== null) await leave(true);
      return;
    }
    const { left, parameters } = returned;
    const state = parameters.get('state');
    if (left?.state !== state && state?.startsWith(WINDOW_MARK) === true) {
      channel.postMessage(parameters.toString());
      browser.closeWindow();
      throw new OtherWindow();
    }
    storage.removeItem(SIGNED_IN);
    if (left?.state !== state) {
      throw new Error('This sign-in was not started in this tab, or was finished before. Sign in again.');
    }
    if (left.isSilent && parameters.has('error')) return;
    const { finishSignIn } = await import('./openid-flow.ts');
    keep(await finishSignIn(settings, left, parameters));
  }

  async function renew(before: Tokens): Promise<void> {
    const { renewTokens, revokeTokens } = await import('./openid-flow.ts');
    const next = await renewTokens(settings, before);
    if (tokens !== before) {
      // The person signed out in the meantime.
      if (next !== 'unreachable' && tokens === undefined) await revokeTokens(settings, next);
      return;
    }
    if (next !== 'unreachable') tokens = next;
    else if (before.expiresAt <= Date.now()) throw new UnreachableError(false);
  }

  return {
    async token() {
      // A failure is reported once.
      await (starting ??= start().finally(() => (starting = Promise.resolve())));
      if (tokens?.refreshToken !== undefined && tokens.renewAt <= Date.now()) {
        await (renewing ??= renew(tokens).finally(() => (renewing = undefined)));
      }
      // Without a credential, the server refuses the request, and the person is asked to sign in again.
      return tokens === undefined || tokens.expiresAt <= Date.now() ? undefined : tokens.accessToken;
    },
    signIn: async (_request, mayLeave) => {
      if (mayLeave) return leave(false);
      const next = await elsewhere.signIn();
      return () => keep(next);
    },
    forget,
    async signOut() {
      const left = tokens;
      forget();
      const { revokeTokens, signOutAddress } = await import('./openid-flow.ts');
      // Ending the session may leave refresh tokens valid.
      if (left !== undefined) await revokeTokens(settings, left);
      const address = signOutAddress(settings, left?.idToken);
      if (address !== undefined) await browser.leaveTo(address).catch(() => undefined);
    },
  };
}

/** Sign-ins in other windows. */
function createElsewhere(settings: OpenIdSettings, { channel, openWindow }: Browser) {
  /** By the state of the sign-in. */
  const windows = new Map<string, (parameters: URLSearchParams) => void>();
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const parameters = new URLSearchParams(String(data));
    windows.get(parameters.get('state') ?? '')?.(parameters);
  });
  return {
    forget: () => windows.clear(),
    async signIn(): Promise<Tokens> {
      // At once: browsers open windows only in response to a click.
      const opened = openWindow();
      if (opened === undefined) {
        throw new Error(
          'The browser blocked the window in which you sign in. Allow pop-ups for this page, and try again.',
        );
      }
      try {
        const { finishSignIn, startSignIn } = await import('./openid-flow.ts');
        const { address, started } = await startSignIn(settings, { marks: WINDOW_MARK });
        const parameters = new Promise<URLSearchParams>((resolve) => windows.set(started.state, resolve));
        opened.goTo(address);
        const tokens = await finishSignIn(settings, started, await parameters);
        windows.clear();
        return tokens;
      } catch (error) {
        opened.close();
        throw error;
      }
    },
  };
}

/** The end of a sign-in that left the page: removes it from the address, and restores the page where the person was. */
function takeReturned({ storage, address, replaceAddress }: Browser) {
  const { pathname, searchParams: parameters } = address();
  if (!parameters.has('state') || !(parameters.has('code') || parameters.has('error'))) return undefined;
  const kept = storage.getItem(STARTED);
  storage.removeItem(STARTED);
  const left = kept === null ? undefined : (JSON.parse(kept) as LeftPage);
  replaceAddress(`${pathname}${left?.location ?? ''}`);
  return { left, parameters };
}

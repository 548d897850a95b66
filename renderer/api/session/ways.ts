import { createKeyWay } from './key-way.ts';
import type { OpenIdSettings } from './openid-flow.ts';
import { createOpenIdWay } from './openid-way.ts';
import { createSessionWay } from './session-way.ts';
import type { SignInRequest, SignInWay, TypedKey } from './way.ts';

/** What the page at `/` says about signing in. */
export interface SignInOffer {
  /** Whether API keys are configured. */
  hasKeys: boolean;
  openid: OpenIdSettings | undefined;
  /** The address of the session module. */
  sessionModule: string | undefined;
}

export interface Ways {
  key?: SignInWay<TypedKey> | undefined;
  openid?: SignInWay<void> | undefined;
  session?: SignInWay<void> | undefined;
}

/** The ways that the page offers, as one. */
export function waysOf({ hasKeys, openid, sessionModule }: SignInOffer): SignInWay {
  return createWays({
    key: hasKeys ? createKeyWay() : undefined,
    openid: openid === undefined ? undefined : createOpenIdWay(openid),
    session: sessionModule === undefined ? undefined : createSessionWay(sessionModule),
  });
}

/** Several ways as one: the credential is that of the way by which the person signed in last. */
export function createWays({ key, openid, session }: Ways): SignInWay {
  type AnyWay = Omit<SignInWay, 'signIn'>;
  let active: AnyWay | undefined;

  /** The credential that a way kept, or with which the identity service returned to the page. */
  async function findToken(): Promise<string | undefined> {
    for (const way of [openid, key, session]) {
      // oxlint-disable-next-line no-await-in-loop -- a way is asked only if those before it have nothing
      const token = await way?.token();
      if (active !== undefined) return active.token();
      if (token === undefined) continue;
      active = way;
      return token;
    }
    return undefined;
  }

  function begin(request: SignInRequest, mayLeave: boolean) {
    if (request === 'openid') return { way: openid, signingIn: openid?.signIn(undefined, mayLeave) };
    if (request === 'session') return { way: session, signingIn: session?.signIn(undefined, mayLeave) };
    return { way: key, signingIn: key?.signIn(request, mayLeave) };
  }

  return {
    token: () => (active === undefined ? findToken() : active.token()),
    async signIn(request, mayLeave) {
      const { way, signingIn } = begin(request, mayLeave);
      const adopt = await signingIn;
      return () => {
        if (active !== way) active?.forget();
        active = way;
        adopt?.();
      };
    },
    forget() {
      active = undefined;
      for (const way of [key, openid, session]) way?.forget();
    },
    async signOut() {
      // A session that the studio did not use is left alone.
      const ended = active?.signOut();
      this.forget();
      await ended;
    },
  };
}

import type { OpenIdSettings } from './openid-flow.ts';
import type { SignInWay } from './way.ts';
import type { SignInOffer } from './ways.ts';

/** Undefined in local mode, where nobody signs in. */
export const offerOfPage: SignInOffer | undefined = readOffer();

function readOffer(): SignInOffer | undefined {
  const meta = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="cuebook-sign-in"]');
  if (meta === null || meta === undefined) return undefined;
  const { openid, sessionModule } = meta.dataset;
  return {
    hasKeys: meta.content.split(' ').includes('key'),
    openid: openid === undefined ? undefined : (JSON.parse(openid) as OpenIdSettings),
    sessionModule,
  };
}

/** The ways to sign in that the page offers, as one; undefined in local mode, which does not load them. */
export function wayOfPage(): SignInWay | undefined {
  if (offerOfPage === undefined) return undefined;
  let loading: Promise<SignInWay> | undefined;
  const ways = (): Promise<SignInWay> => (loading ??= import('./ways.ts').then(({ waysOf }) => waysOf(offerOfPage)));
  return {
    token: async () => (await ways()).token(),
    signIn: async (request, mayLeave) => (await ways()).signIn(request, mayLeave),
    forget: () => void ways().then((way) => way.forget()),
    signOut: async () => (await ways()).signOut(),
  };
}

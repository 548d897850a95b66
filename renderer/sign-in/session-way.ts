import type { SignInWay } from './way.ts';

/** The ES module that wraps the SDK of an identity service. */
interface SessionModule {
  signIn: () => unknown;
  signOut: () => unknown;
  /** The session as a JSON Web Token; nothing if nobody is signed in. */
  token: () => Promise<string | null | undefined>;
}

const FUNCTIONS = ['signIn', 'signOut', 'token'] as const;

/** Signs in through the module at an address. @param load imports it */
export function createSessionWay(
  address: string,
  load: (address: string) => Promise<object> = async (from) => (await import(/* @vite-ignore */ from)) as object,
): SignInWay<void> {
  let loading: Promise<SessionModule> | undefined;
  let isForgotten = false;
  const sessionModule = (): Promise<SessionModule> =>
    (loading ??= loadModule(address, load).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  const forget = (): void => void (isForgotten = true);
  return {
    token: async () => (isForgotten ? undefined : ((await (await sessionModule()).token()) ?? undefined)),
    async signIn() {
      await (await sessionModule()).signIn();
      return () => (isForgotten = false);
    },
    forget,
    async signOut() {
      forget();
      await (await sessionModule()).signOut();
    },
  };
}

async function loadModule(address: string, load: (address: string) => Promise<object>): Promise<SessionModule> {
  const loaded = await load(address).catch(() => {
    throw new Error(
      `The session module ${address} could not be loaded. Check the address in STUDIO_SESSION_MODULE, and that pages of ${globalThis.location?.origin ?? 'this server'} may load it (CORS).`,
    );
  });
  const missing = FUNCTIONS.filter((name) => typeof (loaded as Partial<SessionModule>)[name] !== 'function');
  if (missing.length === 0) return loaded as SessionModule;
  throw new Error(`The session module ${address} does not export ${missing.map((name) => `${name}()`).join(' and ')}.`);
}

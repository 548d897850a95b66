// Signs in through the operator's session module, which wraps the browser SDK of an identity service. The SDK keeps the
// session; the studio asks for it before each request.
import { SessionModuleError, type SignInWay } from './way.ts';

/** Each function may also return a promise. */
interface SessionModule {
  signIn: () => unknown;
  signOut: () => unknown;
  /** Returns the session as a JSON Web Token; null or undefined if nobody is signed in. */
  token: () => unknown;
}

const FUNCTIONS = ['signIn', 'signOut', 'token'] as const;
type FunctionName = (typeof FUNCTIONS)[number];

/** Nothing else can be in a header. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Signs in through the module at an address. @param load imports it */
export function createSessionWay(
  address: string,
  load: (address: string) => Promise<object> = async (from) => (await import(/* @vite-ignore */ from)) as object,
): SignInWay<void> {
  let loading: Promise<SessionModule> | undefined;
  let isForgotten = false;
  let failures = 0;
  /** A sign-out in progress. */
  let ending: Promise<unknown> = Promise.resolve();

  const failure = (what: string): SessionModuleError => new SessionModuleError(`The session module ${address} ${what}`);

  async function loadModule(): Promise<SessionModule> {
    // A browser may answer a second import of an address that failed from its memory; a fragment makes it another address.
    const from = failures === 0 ? address : `${address}#${failures}`;
    const loaded = await load(from).catch((error: unknown) => {
      failures += 1;
      throw failure(
        `could not be loaded: ${reasonOf(error)} Check the address in STUDIO_SESSION_MODULE, and that its host permits pages of ${globalThis.location?.origin ?? 'this server'} to load it (CORS).`,
      );
    });
    const missing = FUNCTIONS.filter((name) => typeof (loaded as Partial<SessionModule>)[name] !== 'function');
    if (missing.length === 0) return loaded as SessionModule;
    throw failure(`does not export ${missing.map((name) => `${name}()`).join(' and ')}.`);
  }

  async function callModule(name: FunctionName): Promise<unknown> {
    loading ??= loadModule().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    const loaded = await loading;
    try {
      return await loaded[name]();
    } catch (error) {
      throw failure(`failed in ${name}(): ${reasonOf(error)}`);
    }
  }

  async function readToken(): Promise<string | undefined> {
    const token = await callModule('token');
    if (token === undefined || token === null || token === '') return undefined;
    // What it returned may be a secret.
    if (typeof token !== 'string') throw failure(`returned no text from token(), but a value of type ${typeof token}.`);
    if (!TOKEN.test(token)) throw failure('returned a text from token() that is not a JSON Web Token.');
    return token;
  }

  const forget = (): void => void (isForgotten = true);
  return {
    token: async () => (isForgotten ? undefined : readToken()),
    async signIn() {
      // It would end the new session, too.
      await ending;
      await callModule('signIn');
      if ((await readToken()) === undefined) {
        throw failure(
          'returned no token after signIn(). If you finished signing in, tell the operator of this server.',
        );
      }
      return () => (isForgotten = false);
    },
    forget,
    async signOut() {
      forget();
      const ended = callModule('signOut');
      ending = ended.catch(() => undefined);
      await ended.catch((error: unknown) => {
        throw new SessionModuleError(`${reasonOf(error)} You may still be signed in there.`, 'Sign-out failed');
      });
    },
  };
}

/** A full sentence, without what the module says about itself beyond its message. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${message.replace(/\.$/, '')}.`;
}

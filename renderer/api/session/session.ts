// Who is signed in to the studio, and the credential of its requests.
//
// 1. In local mode nobody signs in: requests carry no credential, and the org is `local`.
// 2. A credential is only in its way (way.ts) and in the headers of requests, never in an address, an error or a log.
// 3. A request whose credential is refused waits for the next one, and is then sent again. The service refuses a
//    credential before anything else, so nothing is executed twice.
// 4. The service stops reading credentials from an address that sends too many refused ones. So after a refusal, one check
//    for all requests tries another credential of the way; if that is refused too, requests wait for the person. A command
//    tries once more, because the way may have a new credential by then.
// 5. Signing out in one tab signs out all tabs of the browser, also those that are checking a credential.
import { type CallerInfo, requestOf } from '../../../shared/api/index.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { ProblemError } from '../problem-error.ts';
import { send } from '../send.ts';
import type { Adopt, SignInRequest, SignInWay } from './way.ts';
import { wayOfPage } from './way-of-page.ts';

export type SessionState =
  | { is: 'local' }
  /** A credential that the tab kept is being checked. */
  | { is: 'starting' }
  /** @property error why the credential that the tab kept does not work, or why the session was not ended */
  | { is: 'signed out'; error?: unknown }
  /** @property refused the credential was refused while the person worked; requests wait for the next one */
  | { is: 'signed in'; caller: CallerInfo; refused?: { isAsking: boolean } };

interface RequestTraits {
  /** Whether the person sent it: the dialog then opens again if they closed it. */
  isCommand: boolean;
  signal?: AbortSignal | undefined;
}

type Credential = Readonly<Record<'authorization', string>> | Readonly<Record<string, never>>;

export interface Session {
  isLocal: boolean;
  state: () => SessionState;
  subscribe: (listener: () => void) => () => void;
  /** The org of requests that name none. */
  org: () => string;
  /** Sends a request with the headers of the credential, and again after a refusal of the credential. */
  withCredential: <T>(send: (headers: Credential) => Promise<T>, traits: RequestTraits) => Promise<T>;
  /** @throws ProblemError, UnreachableError, or an Error with a sentence for the person */
  signIn: (request: SignInRequest) => Promise<void>;
  signOut: () => Promise<void>;
  /** Opens or closes the dialog of a refused credential. */
  setAsking: (isAsking: boolean) => void;
}

const SIGNED_OUT = 'signed out';

/** @param way undefined in local mode @param channel to the other tabs of the browser */
export function createSession(way: SignInWay | undefined, channel?: BroadcastChannel): Session {
  return way === undefined ? LOCAL_SESSION : new SignInSession(way, channel);
}

const LOCAL: SessionState = { is: 'local' };

const LOCAL_SESSION: Session = {
  isLocal: true,
  state: () => LOCAL,
  subscribe: () => () => {},
  org: () => LOCAL_ORG,
  withCredential: (sendWith) => sendWith({}),
  signIn: async () => {},
  signOut: async () => {},
  setAsking: () => {},
};

class SignInSession implements Session {
  readonly isLocal = false;
  readonly #way: SignInWay;
  readonly #channel: BroadcastChannel | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Set<(isRenewed: boolean) => void>();
  #state: SessionState = { is: 'starting' };
  #signingIn: Promise<unknown>;
  /** The last refusal, until another credential is accepted. */
  #refusal: { token: string; error: unknown } | undefined;
  #renewing: Promise<boolean> | undefined;
  /** How often a credential was accepted after a refusal, or after a sign-in. */
  #renewals = 0;
  #signOuts = 0;

  constructor(way: SignInWay, channel: BroadcastChannel | undefined) {
    this.#way = way;
    this.#channel = channel;
    this.#signingIn = this.#start();
    channel?.addEventListener('message', ({ data }) => {
      if (data === SIGNED_OUT) this.#end();
    });
  }

  // These three are passed on without their object.
  readonly state = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly org = (): string => (this.#state.is === 'signed in' ? this.#state.caller.org : LOCAL_ORG);

  async withCredential<T>(sendWith: (headers: Credential) => Promise<T>, traits: RequestTraits): Promise<T> {
    let [refusals, lastSignIn] = [0, this.#signingIn];
    for (;;) {
      const token = (await this.#checkedToken()) ?? '';
      if (this.#refusal === undefined) {
        const sentAfter = this.#renewals;
        try {
          return await sendWith(token === '' ? {} : headersWith(token));
        } catch (error) {
          if (!isRefusal(error)) throw error;
          refusals = lastSignIn === this.#signingIn ? refusals + 1 : 1;
          lastSignIn = this.#signingIn;
          // Otherwise, another credential was accepted in the meantime.
          if (refusals > 1 || sentAfter === this.#renewals) this.#refusal = { token, error };
        }
      }
      if (this.#refusal === undefined) continue;
      const { error } = this.#refusal;
      if (!(await this.#isRenewed(refusals, traits))) throw error;
    }
  }

  /** Until the person has finished, other requests keep using, or waiting for, the credential before. */
  async signIn(request: SignInRequest): Promise<void> {
    const adopt = await this.#way.signIn(request, this.#state.is !== 'signed in');
    this.#signingIn = this.#check(adopt);
    await this.#signingIn;
  }

  async signOut(): Promise<void> {
    this.#channel?.postMessage(SIGNED_OUT);
    // It may leave the page.
    const ended = this.#way.signOut();
    this.#end();
    await ended.catch((error: unknown) => {
      if (this.#state.is === 'signed out') this.#become({ is: 'signed out', error });
    });
  }

  setAsking(isAsking: boolean): void {
    const state = this.#state;
    if (state.is === 'signed in' && state.refused !== undefined) this.#become({ ...state, refused: { isAsking } });
  }

  async #start(): Promise<void> {
    const begunAfter = this.#signOuts;
    const become = (state: SessionState): void => {
      if (begunAfter === this.#signOuts) this.#become(state);
    };
    try {
      const caller = await identify(await this.#way.token());
      become(caller === undefined ? { is: 'signed out' } : { is: 'signed in', caller });
    } catch (error) {
      if (isRefusal(error)) this.#way.forget();
      become({ is: 'signed out', error });
    }
  }

  #become(next: SessionState): void {
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  #accept(caller: CallerInfo): void {
    this.#refusal = undefined;
    this.#renewals += 1;
    this.#become({ is: 'signed in', caller });
    this.#release(true);
  }

  #release(isRenewed: boolean): void {
    for (const resolve of this.#waiting) resolve(isRenewed);
    this.#waiting.clear();
  }

  #end(): void {
    this.#signOuts += 1;
    this.#way.forget();
    this.#become({ is: 'signed out' });
    this.#release(false);
  }

  async #check(adopt: Adopt): Promise<void> {
    const begunAfter = this.#signOuts;
    adopt();
    this.#refusal = undefined;
    try {
      const caller = await identify(await this.#way.token());
      if (begunAfter !== this.#signOuts) throw new Error('You signed out. Sign in again.');
      if (caller === undefined) throw new Error('Nobody signed in.');
      if (this.#state.is === 'signed in' && this.#state.caller.org !== caller.org) {
        const [credential, own] = [caller.form === 'key' ? 'key' : 'sign-in', this.#state.caller.org];
        throw new Error(
          `This ${credential} is for the org ${caller.org}, and your work is in the org ${own}. Use a ${credential} for ${own}, or sign out first.`,
        );
      }
      this.#accept(caller);
    } catch (error) {
      this.#way.forget();
      throw error;
    }
  }

  /** The credential after any sign-in in progress: one that is being checked is for the check alone. */
  async #checkedToken(): Promise<string | undefined> {
    for (;;) {
      const current = this.#signingIn;
      // oxlint-disable-next-line no-await-in-loop -- until no other sign-in has begun
      await current.catch(() => undefined);
      // oxlint-disable-next-line no-await-in-loop -- the token belongs to that sign-in
      const token = await this.#way.token();
      if (current === this.#signingIn) return token;
    }
  }

  /** Checks the credential that the way has now, unless it is the refused one. @returns whether requests may continue */
  async #renew(): Promise<boolean> {
    const token = await this.#checkedToken();
    if (this.#refusal === undefined) return true;
    if (token === undefined || token === this.#refusal.token || this.#state.is !== 'signed in') return false;
    const begunAfter = this.#renewals;
    try {
      const caller = await identify(token);
      if (begunAfter !== this.#renewals) return true;
      const state = this.state();
      if (caller === undefined || state.is !== 'signed in' || caller.org !== state.caller.org) return false;
      // A new object would make every page read again.
      this.#accept(caller.id === state.caller.id ? state.caller : caller);
      return true;
    } catch (error) {
      if (begunAfter !== this.#renewals) return true;
      if (!isRefusal(error)) throw error;
      this.#refusal = { token, error };
      return false;
    }
  }

  /**
   * Waits until a refused credential is replaced.
   * @param refusals how often the request was refused since the last sign-in. After the second time, the person is asked even
   * if there is another credential, because a way may renew endlessly what the service does not accept
   * @returns false if the person signed out, or the request is aborted
   */
  async #isRenewed(refusals: number, { isCommand, signal }: RequestTraits): Promise<boolean> {
    const isWaiting = this.#state.is === 'signed in' && this.#state.refused !== undefined;
    if (refusals < 2 && (isCommand || !isWaiting)) {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
      if (await this.#renewing) return true;
    }
    const state = this.state();
    if (state.is !== 'signed in' || signal?.aborted === true) return false;
    this.#become({ ...state, refused: { isAsking: isCommand || (state.refused?.isAsking ?? !isTyping()) } });
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(resolve);
        resolve(false);
      });
    });
  }
}

async function identify(token: string | undefined): Promise<CallerInfo | undefined> {
  if (token === undefined) return undefined;
  const { method, path } = requestOf('get_caller', {});
  const response = await send(path, { method, headers: headersWith(token), cache: 'no-store' });
  return (await response.json()) as CallerInfo;
}

function headersWith(token: string): Readonly<Record<'authorization', string>> {
  return { authorization: `Bearer ${token}` };
}

/** Whether the person is writing, in a field or in the editor: then only what they send opens a dialog, which takes the focus. */
function isTyping(): boolean {
  return globalThis.document?.activeElement?.matches('input, textarea, [role="textbox"]') === true;
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status === 401;
}

const way = wayOfPage();

/** The session of this page. */
export const session = createSession(way, way === undefined ? undefined : new BroadcastChannel('cuebook-sign-in'));

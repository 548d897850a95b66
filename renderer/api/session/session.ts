// Who is signed in to the studio, and the credential of its requests.
//
// 1. In local mode nobody signs in: requests carry no credential, and the org is `local`.
// 2. A credential is only in its way (way.ts) and in the headers of requests, never in an address, an error or a log.
// 3. A request whose credential is refused waits for the next one, and is then sent again. The service refuses a
//    credential before anything else, so nothing is carried out twice.
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

/** @param channel to the other tabs of the browser */
export function createSession(way: SignInWay | undefined, channel?: BroadcastChannel): Session {
  let state: SessionState = { is: way === undefined ? 'local' : 'starting' };
  let signingIn: Promise<unknown> = Promise.resolve();
  /** The last refusal, until another credential is accepted. */
  let refusal: { token: string; error: unknown } | undefined;
  let renewing: Promise<boolean> | undefined;
  /** How often a credential was accepted after a refusal, or after a sign-in. */
  let renewals = 0;
  /** How often the person signed out. */
  let departures = 0;
  const listeners = new Set<() => void>();
  const waiting = new Set<(isRenewed: boolean) => void>();

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function release(isRenewed: boolean): void {
    for (const resolve of waiting) resolve(isRenewed);
    waiting.clear();
  }

  async function identify(token: string | undefined): Promise<CallerInfo | undefined> {
    if (token === undefined) return undefined;
    const { method, path } = requestOf('get_caller', {});
    const response = await send(path, { method, headers: headersWith(token), cache: 'no-store' });
    return (await response.json()) as CallerInfo;
  }

  /** The credential after any sign-in in progress: one that is being checked is for the check alone. */
  async function checkedToken(known: SignInWay): Promise<string | undefined> {
    for (;;) {
      const current = signingIn;
      // oxlint-disable-next-line no-await-in-loop -- until no other sign-in has begun
      await current.catch(() => undefined);
      // oxlint-disable-next-line no-await-in-loop -- the token belongs to that sign-in
      const token = await known.token();
      if (current === signingIn) return token;
    }
  }

  async function start(known: SignInWay): Promise<void> {
    const begunAfter = departures;
    try {
      const caller = await identify(await known.token());
      if (begunAfter === departures) become(caller === undefined ? { is: 'signed out' } : { is: 'signed in', caller });
    } catch (error) {
      if (isRefusal(error)) known.forget();
      if (begunAfter === departures) become({ is: 'signed out', error });
    }
  }

  /** Signs in. Until the person has finished, other requests keep using, or waiting for, the credential before. */
  async function takeOver(known: SignInWay, request: SignInRequest): Promise<void> {
    const adopt = await known.signIn(request, state.is !== 'signed in');
    signingIn = check(known, adopt);
    await signingIn;
  }

  async function check(known: SignInWay, adopt: Adopt): Promise<void> {
    const begunAfter = departures;
    adopt();
    refusal = undefined;
    try {
      const caller = await identify(await known.token());
      if (begunAfter !== departures) throw new Error('You signed out. Sign in again.');
      if (caller === undefined) throw new Error('Nobody signed in.');
      if (state.is === 'signed in' && state.caller.org !== caller.org) {
        const [credential, own] = [caller.form === 'key' ? 'key' : 'sign-in', state.caller.org];
        throw new Error(
          `This ${credential} is for the org ${caller.org}, and your work is in the org ${own}. Use a ${credential} for ${own}, or sign out first.`,
        );
      }
      accept(caller);
    } catch (error) {
      known.forget();
      throw error;
    }
  }

  function accept(caller: CallerInfo): void {
    refusal = undefined;
    renewals += 1;
    become({ is: 'signed in', caller });
    release(true);
  }

  /** Checks the credential that the way has now, unless it is the refused one. @returns whether requests may continue */
  async function renew(known: SignInWay): Promise<boolean> {
    const token = await checkedToken(known);
    if (refusal === undefined) return true;
    if (token === undefined || token === refusal.token || state.is !== 'signed in') return false;
    const begunAfter = renewals;
    try {
      const caller = await identify(token);
      if (begunAfter !== renewals) return true;
      if (caller === undefined || state.is !== 'signed in' || caller.org !== state.caller.org) return false;
      // A new object would make every page read again.
      accept(caller.id === state.caller.id ? state.caller : caller);
      return true;
    } catch (error) {
      if (begunAfter !== renewals) return true;
      if (!isRefusal(error)) throw error;
      refusal = { token, error };
      return false;
    }
  }

  /**
   * Waits until a refused credential is replaced.
   * @param refusals how often the request was refused since the last sign-in. After the second time, the person is asked even
   * if there is another credential, because a way may renew endlessly what the service does not accept
   * @returns false if the person signed out, or the request is aborted
   */
  async function isRenewed(known: SignInWay, refusals: number, { isCommand, signal }: RequestTraits): Promise<boolean> {
    const isWaiting = state.is === 'signed in' && state.refused !== undefined;
    if (refusals < 2 && (isCommand || !isWaiting)) {
      renewing ??= renew(known).finally(() => (renewing = undefined));
      if (await renewing) return true;
    }
    if (state.is !== 'signed in' || signal?.aborted === true) return false;
    become({ ...state, refused: { isAsking: isCommand || (state.refused?.isAsking ?? !isTyping()) } });
    return new Promise((resolve) => {
      waiting.add(resolve);
      signal?.addEventListener('abort', () => {
        waiting.delete(resolve);
        resolve(false);
      });
    });
  }

  function leave(known: SignInWay): void {
    departures += 1;
    known.forget();
    become({ is: 'signed out' });
    release(false);
  }

  if (way !== undefined) {
    signingIn = start(way);
    channel?.addEventListener('message', ({ data }) => {
      if (data === SIGNED_OUT) leave(way);
    });
  }

  return {
    isLocal: way === undefined,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    org: () => (state.is === 'signed in' ? state.caller.org : LOCAL_ORG),
    async withCredential(sendWith, traits) {
      if (way === undefined) return sendWith({});
      let [refusals, lastSignIn] = [0, signingIn];
      for (;;) {
        const token = (await checkedToken(way)) ?? '';
        if (refusal === undefined) {
          const sentAfter = renewals;
          try {
            return await sendWith(token === '' ? {} : headersWith(token));
          } catch (error) {
            if (!isRefusal(error)) throw error;
            refusals = lastSignIn === signingIn ? refusals + 1 : 1;
            lastSignIn = signingIn;
            // Otherwise, another credential was accepted in the meantime.
            if (refusals > 1 || sentAfter === renewals) refusal = { token, error };
          }
        }
        if (refusal === undefined) continue;
        const { error } = refusal;
        if (!(await isRenewed(way, refusals, traits))) throw error;
      }
    },
    async signIn(request) {
      if (way !== undefined) await takeOver(way, request);
    },
    async signOut() {
      if (way === undefined) return;
      channel?.postMessage(SIGNED_OUT);
      // It may leave the page.
      const ended = way.signOut();
      leave(way);
      await ended.catch((error: unknown) => {
        if (state.is === 'signed out') become({ is: 'signed out', error });
      });
    },
    setAsking(isAsking) {
      if (state.is === 'signed in' && state.refused !== undefined) become({ ...state, refused: { isAsking } });
    },
  };
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

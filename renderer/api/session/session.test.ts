import { expect, onTestFinished, test, vi } from 'vitest';
import { ProblemError } from '../problem-error.ts';
import { createKeyWay } from './key-way.ts';
import { createSession, type Session } from './session.ts';
import type { SignInWay } from './way.ts';
import { createWays } from './ways.ts';

const ORGS: Readonly<Record<string, string>> = { abk_old: 'acme', abk_new: 'acme', abk_other: 'globex' };
const REFUSED = { type: '/problems/unauthenticated', title: 'Unauthenticated', status: 401, detail: 'Unknown key.' };
const COMMAND = { isCommand: true };

/** A service that accepts some keys, and the storage of a tab. */
function givenService(...accepted: string[]) {
  const keys = new Set(accepted);
  let acceptsAll = false;
  let refused = 0;
  const stored = new Map<string, string>();
  const answerTo = (authorization: string | undefined): string => {
    const key = authorization?.replace('Bearer ', '') ?? '';
    if (acceptsAll || keys.has(key)) return key;
    refused += 1;
    throw new ProblemError(REFUSED);
  };
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Record<string, string> }) => {
    try {
      const key = answerTo(headers['authorization']);
      return Response.json({
        id: `key:${key}`,
        form: 'key',
        org: ORGS[key] ?? 'acme',
        permissions: [],
        all_playbooks: true,
      });
    } catch {
      return Response.json(REFUSED, { status: 401, headers: { 'content-type': 'application/problem+json' } });
    }
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const keyWay = () =>
    createKeyWay({
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    });
  const way = (): SignInWay => createWays({ key: keyWay() });
  return {
    keys,
    acceptAll: () => void (acceptsAll = true),
    /** How many credentials were refused. */
    refused: () => refused,
    stored,
    way,
    keyWay,
    ask: async (headers: { authorization?: string }) => answerTo(headers.authorization),
  };
}

async function signedIn({ way }: ReturnType<typeof givenService>, channel?: BroadcastChannel): Promise<Session> {
  const session = createSession(way(), channel);
  await session.signIn({ key: 'abk_old', isKept: true });
  return session;
}

test('given local mode, then requests carry no credential', async () => {
  const session = createSession(undefined);
  expect([session.state().is, session.org()]).toEqual(['local', 'local']);
  expect(await session.withCredential(async (headers) => headers, COMMAND)).toEqual({});
});

test('given a key that is refused during work, then requests wait for the next key and are sent again', async () => {
  const service = givenService('abk_old', 'abk_new');
  const session = await signedIn(service);
  expect(await session.withCredential(service.ask, COMMAND)).toBe('abk_old');
  service.keys.delete('abk_old');
  const answers = Promise.all([1, 2].map(() => session.withCredential(service.ask, COMMAND)));
  await vi.waitFor(() => expect(session.state()).toMatchObject({ refused: { isAsking: true } }));
  await session.signIn({ key: 'abk_new', isKept: false });
  expect(await answers).toEqual(['abk_new', 'abk_new']);
  expect([session.org(), ...service.stored]).toEqual(['acme']);
});

test('given a closed dialog, then only a request that the person sends opens it again', async () => {
  const service = givenService('abk_old');
  const session = await signedIn(service);
  service.keys.clear();
  const abort = new AbortController();
  const { signal } = abort;
  const isAsking = (wanted: boolean) =>
    vi.waitFor(() => expect(session.state()).toMatchObject({ refused: { isAsking: wanted } }));
  const ask = vi.fn<typeof service.ask>(service.ask);
  const requests = [session.withCredential(ask, { isCommand: false, signal })];
  await isAsking(true);
  session.setAsking(false);
  requests.push(session.withCredential(ask, { isCommand: false, signal }));
  await isAsking(false);
  requests.push(session.withCredential(ask, { isCommand: true, signal }));
  await isAsking(true);
  // The key that was refused is not sent again.
  expect(ask).toHaveBeenCalledOnce();
  const ended = Promise.allSettled(requests);
  abort.abort();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('given a key of another org during work, then it is refused, and the requests keep waiting', async () => {
  const service = givenService('abk_old', 'abk_other', 'abk_new');
  const session = await signedIn(service);
  service.keys.delete('abk_old');
  const answer = session.withCredential(service.ask, COMMAND);
  await expect(session.signIn({ key: 'abk_other', isKept: true })).rejects.toThrow('for the org globex');
  expect(service.stored.size).toBe(0);
  await session.signIn({ key: 'abk_new', isKept: false });
  expect(await answer).toBe('abk_new');
});

test('given a sign-in that the person does not finish, then requests wait for another one, and a command asks again', async () => {
  const service = givenService('abk_old', 'abk_new');
  const unfinished = { token: async () => undefined, forget: vi.fn<() => void>(), signOut: async () => undefined };
  const signIn = vi.fn<SignInWay<void>['signIn']>(() => new Promise(() => undefined));
  const session = createSession(createWays({ key: service.keyWay(), openid: { ...unfinished, signIn } }));
  await session.signIn({ key: 'abk_old', isKept: true });
  service.keys.delete('abk_old');
  const answers = [session.withCredential(service.ask, COMMAND)];
  await vi.waitFor(() => expect(session.state()).toMatchObject({ refused: { isAsking: true } }));
  void session.signIn('openid');
  // The page has to stay.
  await vi.waitFor(() => expect(signIn).toHaveBeenCalledWith(undefined, false));
  session.setAsking(false);
  answers.push(session.withCredential(service.ask, COMMAND));
  await vi.waitFor(() => expect(session.state()).toMatchObject({ refused: { isAsking: true } }));
  await session.signIn({ key: 'abk_new', isKept: false });
  expect(await Promise.all(answers)).toEqual(['abk_new', 'abk_new']);
});

test('given several ways, then one that returns to the page comes first, and only the one in use is signed out', async () => {
  const service = givenService('abk_old');
  service.stored.set('cuebook.key', 'abk_old');
  const ways = ['openid', 'session'].map((token) => ({
    token: vi.fn<SignInWay['token']>(async () => token),
    signIn: async () => () => undefined,
    forget: vi.fn<() => void>(),
    signOut: vi.fn<() => Promise<void>>(async () => undefined),
  }));
  const [openid, session] = ways;
  const way = createWays({ key: service.keyWay(), openid, session });
  expect(await way.token()).toBe('openid');
  (await way.signIn('session', true))();
  expect([await way.token(), openid?.forget.mock.calls.length]).toEqual(['session', 1]);
  await way.signOut();
  expect(ways.map(({ signOut, forget }) => [signOut.mock.calls.length, forget.mock.calls.length])).toEqual([
    [0, 2],
    [1, 1],
  ]);
  expect(service.stored.size).toBe(0);
});

test('given a sign-out in another tab, then the key is forgotten here too, and waiting requests fail', async () => {
  const service = givenService('abk_old');
  const channels = [new BroadcastChannel('test-sign-in'), new BroadcastChannel('test-sign-in')] as const;
  onTestFinished(() => channels.forEach((channel) => channel.close()));
  const [here, there] = [await signedIn(service, channels[0]), await signedIn(givenService('abk_old'), channels[1])];
  service.keys.clear();
  const answer = here.withCredential(service.ask, COMMAND).catch((error: unknown) => error);
  await vi.waitFor(() => expect(here.state()).toHaveProperty('refused'));
  await there.signOut();
  expect(await answer).toBeInstanceOf(ProblemError);
  expect(here.state().is).toBe('signed out');
  expect(service.stored.size).toBe(0);
});

test('given a sign-out in another tab while this one finds out who is signed in, then nobody is', async () => {
  const service = givenService('abk_old');
  const [here, there] = [new BroadcastChannel('test-start'), new BroadcastChannel('test-start')];
  onTestFinished(() => [here, there].forEach((channel) => channel.close()));
  await createSession(service.way(), there).signIn({ key: 'abk_old', isKept: true });
  const { fetch } = globalThis;
  const identified = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    await identified.promise;
    return fetch(...request);
  });
  const session = createSession(service.way(), here);
  expect(session.state().is).toBe('starting');
  there.postMessage('signed out');
  await vi.waitFor(() => expect(session.state().is).toBe('signed out'));
  identified.resolve();
  // A request waits until the start is over.
  await session.withCredential(service.ask, COMMAND).catch(() => undefined);
  expect(session.state().is).toBe('signed out');
});

test('given a sign-out while another sign-in is checked, then nobody is signed in', async () => {
  const service = givenService('abk_old', 'abk_new');
  const session = await signedIn(service);
  const { fetch } = globalThis;
  const identified = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    asked.resolve();
    await identified.promise;
    return fetch(...request);
  });
  const signingIn = session.signIn({ key: 'abk_new', isKept: true });
  await asked.promise;
  await session.signOut();
  identified.resolve();
  await expect(signingIn).rejects.toThrow('You signed out');
  expect([session.state().is, service.stored.size]).toEqual(['signed out', 0]);
});

test.each([
  ['that is accepted', 'signed in', ['abk_old']],
  ['that was revoked', 'signed out', []],
])('given a kept key %s, then the page starts %s', async (_name, is, accepted) => {
  const service = givenService(...accepted);
  service.stored.set('cuebook.key', 'abk_old');
  const session = createSession(service.way());
  await vi.waitFor(() => expect(session.state().is).toBe(is));
  expect(service.stored.size).toBe(is === 'signed in' ? 1 : 0);
});

/** A way with another token at each request: 1, 2, ... */
function renewingWay(): SignInWay {
  let renewals = 0;
  return {
    token: async () => String((renewals += 1)),
    signIn: async () => () => undefined,
    forget: () => undefined,
    signOut: async () => undefined,
  };
}

test('given a way that renews what the service refuses, then the person is asked, and the service is not flooded', async () => {
  const service = givenService('1');
  const session = createSession(renewingWay());
  await vi.waitFor(() => expect(session.state().is).toBe('signed in'));
  const background = { isCommand: false };
  const answers = [1, 2].map(() => session.withCredential(service.ask, background));
  await vi.waitFor(() => expect(session.state()).toMatchObject({ refused: { isAsking: true } }));
  session.setAsking(false);
  expect(service.refused()).toBe(3);
  // Requests in the background wait; a command checks once whether the way has a valid credential by now.
  answers.push(...[1, 2, 3].map(() => session.withCredential(service.ask, background)));
  answers.push(session.withCredential(service.ask, COMMAND));
  await vi.waitFor(() => expect(session.state()).toMatchObject({ refused: { isAsking: true } }));
  expect(service.refused()).toBe(4);
  service.acceptAll();
  await session.signIn('session');
  expect(new Set(await Promise.all(answers)).size).toBe(6);
  expect(service.refused()).toBe(4);
});

test('given a way that renewed a refused credential, then the next command finds out, and the person need not sign in', async () => {
  const service = givenService('1');
  const session = createSession(renewingWay());
  await vi.waitFor(() => expect(session.state().is).toBe('signed in'));
  const waiting = session.withCredential(service.ask, { isCommand: false });
  await vi.waitFor(() => expect(session.state()).toHaveProperty('refused'));
  service.acceptAll();
  await session.withCredential(service.ask, COMMAND);
  await waiting;
  expect(session.state()).not.toHaveProperty('refused');
});

test('given a session that cannot be ended at the identity service, then the person is signed out here and learns of it', async () => {
  givenService('1');
  const session = createSession({
    token: async () => '1',
    signIn: async () => () => undefined,
    forget: () => undefined,
    signOut: () => Promise.reject(new Error('It is down.')),
  });
  await vi.waitFor(() => expect(session.state().is).toBe('signed in'));
  await session.signOut();
  expect(session.state()).toMatchObject({ is: 'signed out', error: { message: 'It is down.' } });
});

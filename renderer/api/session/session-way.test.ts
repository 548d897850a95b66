import { expect, test } from 'vitest';
import { createSessionWay } from './session-way.ts';
import { SessionModuleError } from './way.ts';

const ADDRESS = 'https://id.example.com/session.js';
const MODULE = { signIn: () => undefined, signOut: () => undefined, token: (): unknown => null };

const given = (loaded: object) => createSessionWay(ADDRESS, async () => ({ ...MODULE, ...loaded }));

async function failure(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((thrown: unknown) => thrown);
  if (!(error instanceof SessionModuleError)) throw new Error(`Not refused: ${String(error)}`);
  expect(error.message).toContain(`The session module ${ADDRESS} `);
  return error.message.replace(`The session module ${ADDRESS} `, '');
}

test('given a person who is signed in, then each request asks the module for the session, until the studio forgets it', async () => {
  let asked = 0;
  const way = given({ token: async () => `a.b.${(asked += 1)}` });
  expect([await way.token(), await way.token()]).toEqual(['a.b.1', 'a.b.2']);
  way.forget();
  expect(await way.token()).toBeUndefined();
  const adopt = await way.signIn(undefined, false);
  expect(await way.token()).toBeUndefined();
  adopt();
  expect(await way.token()).toBe('a.b.4');
});

test.each([undefined, null, ''])('given the token %j, then nobody is signed in', async (token) => {
  expect(await given({ token: () => token }).token()).toBeUndefined();
});

test.each<[string, object, string]>([
  ['without two functions', { token: undefined, signOut: 1 }, 'does not export signOut() and token().'],
  ['whose token() throws', { token: () => Promise.reject(new Error('No network.')) }, 'failed in token(): No network.'],
  [
    'whose token is no text',
    { token: () => ({ jwt: 'canary' }) },
    'returned no text from token(), but a value of type object.',
  ],
  [
    'whose token cannot be sent',
    { token: () => 'canary\n' },
    'returned a text from token() that is not a JSON Web Token.',
  ],
])('given a module %s, then a request fails and says so', async (_name, broken, words) => {
  expect(await failure(given(broken).token())).toBe(words);
});

test.each<[string, object, string]>([
  [
    'whose signIn() throws',
    { signIn: () => Promise.reject(new Error('You closed it')) },
    'failed in signIn(): You closed it.',
  ],
  [
    'without a token afterwards',
    {},
    'returned no token after signIn(). If you finished signing in, tell the operator of this server.',
  ],
])('given a module %s, then the sign-in fails and says so', async (_name, broken, words) => {
  expect(await failure(given(broken).signIn(undefined, true))).toBe(words);
});

test('given a module whose signOut() throws, then the studio forgets the session and says that it may not have ended', async () => {
  const way = given({ token: () => 'a.b.c', signOut: () => Promise.reject(new Error('No network')) });
  expect(await failure(way.signOut())).toBe('failed in signOut(): No network. You may still be signed in there.');
  expect(await way.token()).toBeUndefined();
});

test('given a module that cannot be loaded, then every attempt says why, and a later one may succeed', async () => {
  const failures = ['Failed to fetch', 'The key of the SDK is missing.'];
  const addresses: string[] = [];
  const way = createSessionWay(ADDRESS, async (address) => {
    addresses.push(address);
    const next = failures.shift();
    if (next !== undefined) throw new TypeError(next);
    return { ...MODULE, token: () => 'a.b.c' };
  });
  const words = 'Check the address in STUDIO_SESSION_MODULE';
  expect(await failure(way.token())).toContain(`could not be loaded: Failed to fetch. ${words}`);
  expect(await failure(way.token())).toContain(`could not be loaded: The key of the SDK is missing. ${words}`);
  expect(await way.token()).toBe('a.b.c');
  // Browsers remember the failure of an address.
  expect(addresses).toEqual([ADDRESS, `${ADDRESS}#1`, `${ADDRESS}#2`]);
});

test('given a sign-out that is still in progress, then a sign-in waits for it, even if it fails', async () => {
  const done: string[] = [];
  const ending = Promise.withResolvers<void>();
  const way = given({
    async signOut() {
      await ending.promise;
      done.push('signed out');
      throw new Error('No network.');
    },
    signIn: () => void done.push('signed in'),
    token: () => 'a.b.c',
  });
  const signedOut = way.signOut().catch(() => undefined);
  const signedIn = way.signIn(undefined, true);
  ending.resolve();
  await Promise.all([signedOut, signedIn]);
  expect(done).toEqual(['signed out', 'signed in']);
});

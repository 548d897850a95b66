import { beforeEach, expect, test } from 'vitest';
import { type AccessTokens, createAccessTokens, readAccessToken } from './access-tokens.ts';
import { createFakeClock, type FakeClock } from './clock.ts';

const HOUR = 3_600_000;

let clock: FakeClock;
let tokens: AccessTokens;
let given: number;
beforeEach(() => {
  clock = createFakeClock();
  tokens = createAccessTokens(clock);
  given = 0;
});

/** The token of an issuer whose tokens live for an hour; each is another one. */
const ask = (): Promise<string> =>
  tokens.of('issuer', async (age) => {
    given += 1;
    const token = readAccessToken({ access_token: `token-${given}`, token_type: 'Bearer', expires_in: 3600 }, age);
    if (token === undefined) throw new Error('The answer has no token.');
    return token;
  });

test('a token is used until half a minute before its end', async () => {
  await ask();
  clock.advance(HOUR - 30_001);
  expect(await ask()).toBe('token-1');
  clock.advance(1);
  expect(await ask()).toBe('token-2');
});

test('a token that ended while the machine slept is not used', async () => {
  await ask();
  clock.advance(60_000);
  clock.jump(8 * HOUR);
  expect(await ask()).toBe('token-2');
});

test('a clock that is set back makes no token last longer', async () => {
  await ask();
  clock.jump(-8 * HOUR);
  clock.advance(HOUR - 30_001);
  expect(await ask()).toBe('token-1');
  clock.advance(1);
  expect(await ask()).toBe('token-2');
});

import { expect, test } from 'vitest';
import { createFakeClock } from '../lib/clock.ts';
import { watchCredential } from './credential-end.ts';
import { DEVELOPER } from './operation.ts';

const PERSON = { ...DEVELOPER, id: 'person:ada' };

test('an expiring credential ends when it expires, and not before', () => {
  const clock = createFakeClock();
  const { signal } = watchCredential({ ...PERSON, expiresAt: clock.now() + 90_000 }, clock);
  clock.advance(89_999);
  expect(signal.aborted).toBe(false);
  clock.advance(1);
  expect(signal.aborted).toBe(true);
});

test('a credential that expired before, within the leeway, ends at once', () => {
  const clock = createFakeClock();
  expect(watchCredential({ ...PERSON, expiresAt: clock.now() - 1 }, clock).signal.aborted).toBe(true);
});

test('a revoked credential ends within a second, also if it would expire later', () => {
  const clock = createFakeClock();
  let isRevoked = false;
  const { signal } = watchCredential({ ...PERSON, expiresAt: clock.now() + 90_000, isRevoked: () => isRevoked }, clock);
  clock.advance(10_000);
  expect(signal.aborted).toBe(false);
  isRevoked = true;
  clock.advance(1000);
  expect(signal.aborted).toBe(true);
});

test('a credential that expired while the machine slept ends', () => {
  const clock = createFakeClock();
  const { signal } = watchCredential({ ...PERSON, expiresAt: clock.now() + 90_000, isRevoked: () => false }, clock);
  clock.jump(3_600_000);
  expect(signal.aborted).toBe(true);
});

test('a revoked credential ends within a second, also after the clock was set back', () => {
  const clock = createFakeClock();
  let isRevoked = false;
  const { signal } = watchCredential({ ...PERSON, expiresAt: clock.now() + 90_000, isRevoked: () => isRevoked }, clock);
  clock.jump(-3_600_000);
  isRevoked = true;
  clock.advance(1000);
  expect(signal.aborted).toBe(true);
});

test('a credential that cannot end, and one that is no longer watched, end nothing', () => {
  const clock = createFakeClock();
  const developer = watchCredential(DEVELOPER, clock);
  const left = watchCredential({ ...PERSON, isRevoked: () => clock.now() > 0, expiresAt: clock.now() + 10 }, clock);
  expect(left.signal.aborted).toBe(true);
  let looks = 0;
  const watched = watchCredential({ ...PERSON, isRevoked: () => (looks += 1) > 2 }, clock);
  watched.callOff();
  clock.advance(10_000);
  expect([developer.signal.aborted, watched.signal.aborted, looks]).toEqual([false, false, 1]);
});

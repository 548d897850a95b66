import { expect, test } from 'vitest';
import { createFakeClock } from './clock.ts';
import { startDeadline } from './deadline.ts';

test.each([
  ['set back', -3_600_000],
  ['set forward, or the machine sleeps', 30 * 3_600_000],
])('given a deadline, when the clock is %s, then it is over after the time that it has, not before', (_how, jump) => {
  const clock = createFakeClock();
  const deadline = startDeadline(clock, 30_000);
  clock.advance(10_000);
  clock.jump(jump);
  clock.advance(19_999);
  expect(deadline.isOver()).toBe(false);
  clock.advance(1);
  expect([deadline.isOver(), deadline.signal.aborted]).toEqual([true, true]);
});

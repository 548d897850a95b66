import { expect, test } from 'vitest';
import { createAdjustableClock, createFakeClock } from './clock.ts';

test('a clock that is ahead of another one shows that time, and wakes by it', () => {
  const base = createFakeClock(1000);
  const clock = createAdjustableClock(base);
  clock.adjust(500);
  expect(clock.now()).toBe(1500);
  const woken: number[] = [];
  clock.wakeAt(1600, () => woken.push(clock.now()));
  base.advance(99);
  expect(woken).toEqual([]);
  base.advance(1);
  expect(woken).toEqual([1600]);
});

test('a clock that is set back meanwhile never wakes before the time, and can be called off', () => {
  const base = createFakeClock(1000);
  const clock = createAdjustableClock(base);
  const woken: number[] = [];
  clock.wakeAt(1100, () => woken.push(clock.now()));
  const callOff = clock.wakeAt(1100, () => woken.push(0));
  clock.adjust(-50);
  base.advance(100);
  callOff();
  base.advance(49);
  expect(woken).toEqual([]);
  base.advance(1);
  expect(woken).toEqual([1100]);
});

test('what waits for a time that has come when the clock is set ahead is woken, and the rest is woken in time', () => {
  const base = createFakeClock(1000);
  const clock = createAdjustableClock(base);
  const woken: [string, number][] = [];
  const wakeAt = (at: number) => clock.wakeAt(at, () => woken.push([`at ${at}`, clock.now()]));
  for (const at of [121_000, 200_000]) wakeAt(at);
  const callOff = wakeAt(100_000);
  callOff();
  clock.adjust(120_000);
  base.advance(0);
  expect(woken).toEqual([['at 121000', 121_000]]);
  base.advance(79_000);
  expect(woken.slice(1)).toEqual([['at 200000', 200_000]]);
  clock.adjust(240_000);
  base.advance(1_000_000);
  expect(woken).toHaveLength(2);
});

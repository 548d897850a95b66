import type { Logger } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { followDatabase } from './follow-database.ts';
import type { DatabaseStanding } from '../kernel/log/index.ts';
import { createFakeClock, createFollowingClock, type FakeClock, type FollowingClock } from '../lib/clock.ts';

let machine: FakeClock;
let clock: FollowingClock;
let tell: (time: number, elapsed: number) => void;
const warn = vi.fn<(sentence: string) => void>();
/** The database answers that it is ahead of the machine by so many milliseconds. */
const measure = (ahead: number): void => tell(machine.now() + ahead, machine.elapsed());
const ahead = (): number => clock.now() - machine.now();

beforeEach(() => {
  machine = createFakeClock();
  clock = createFollowingClock(machine);
  warn.mockClear();
  const standing: DatabaseStanding = {
    isReachable: () => true,
    onClockMeasured: (listener) => (tell = listener),
    onReachable: () => {},
    alone: (work) => work(),
  };
  followDatabase(standing, { clock, machine, logger: { warn } as unknown as Logger });
});

test.each([
  [-2_500, '2.5 seconds ahead of that of the database'],
  [60_000, '60.0 seconds behind that of the database'],
])(
  'given a database whose clock is ahead by %i ms, then its time is used, and one warning says how far',
  (by, words) => {
    measure(by);
    machine.advance(1000);
    measure(by + 20);
    expect(ahead()).toBe(by);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(words)]]);
  },
);

test('given a difference of up to 2 s, then the time of the database is used without a warning', () => {
  measure(2_000);
  expect(ahead()).toBe(2_000);
  expect(warn).not.toHaveBeenCalled();
});

test('given differences that measuring may cause, then the clock stays as it is', () => {
  for (const by of [0, 90, -90]) measure(by);
  expect(ahead()).toBe(0);
});

test('given an answer that took a while, then the time since it was measured counts', () => {
  const [time, elapsed] = [machine.now() + 5_000, machine.elapsed()];
  machine.advance(300);
  tell(time, elapsed);
  expect(ahead()).toBe(5_000);
});

test('given clocks that were synchronized and drift apart again, then a second warning', () => {
  const seen = [5_000, 0, 5_000].map((by) => {
    measure(by);
    return ahead();
  });
  expect(seen).toEqual([5_000, 0, 5_000]);
  expect(warn).toHaveBeenCalledTimes(2);
});

test('given a machine whose clock is set, then the time of the database is used, and a warning says how far it is', () => {
  measure(0);
  const begun = machine.now();
  machine.jump(-3_600_000);
  measure(3_600_000);
  expect(clock.now()).toBe(begun);
  machine.jump(7_200_000);
  measure(-3_600_000);
  expect(clock.now()).toBe(begun);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('3600.0 seconds behind')]]);
});

test('given a machine that slept beside its database, then what became due is done with the next answer', () => {
  measure(0);
  const woken: string[] = [];
  clock.wakeAt(clock.now() + 8 * 3_600_000, () => woken.push('due'));
  machine.jump(30 * 3_600_000);
  measure(0);
  machine.advance(0);
  expect(woken).toEqual(['due']);
  expect(warn).not.toHaveBeenCalled();
});

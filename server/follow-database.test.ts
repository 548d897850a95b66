import type { Logger } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { followDatabase } from './follow-database.ts';
import type { DatabaseStanding } from './kernel/log/index.ts';
import { createFakeClock, type FakeClock } from './lib/clock.ts';

let machine: FakeClock;
let tell: (time: number, elapsed: number) => void;
/** The followed times, as what they are ahead of the machine's. */
let followed: number[];
const warn = vi.fn<(sentence: string) => void>();
const measure = (ahead: number): void => tell(machine.now() + ahead, machine.elapsed());

beforeEach(() => {
  machine = createFakeClock();
  followed = [];
  warn.mockClear();
  const standing: DatabaseStanding = {
    isReachable: () => true,
    onClockMeasured: (listener) => (tell = listener),
    onReachable: () => {},
    alone: (work) => work(),
  };
  const clock = { follow: (time: number) => followed.push(time - machine.now()) };
  followDatabase(standing, { clock, machine, logger: { warn } as unknown as Logger });
});

test.each([
  [-2_500, '2.5 seconds ahead of that of the database'],
  [60_000, '60.0 seconds behind that of the database'],
])(
  'given a database whose clock is ahead by %i ms, then its time is used, and one warning says how far',
  (ahead, words) => {
    measure(ahead);
    machine.advance(1000);
    measure(ahead + 20);
    expect(followed).toEqual([ahead]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(words)]]);
  },
);

test('given a difference of up to 2 s, then the time of the database is used without a warning', () => {
  measure(2_000);
  expect(followed).toEqual([2_000]);
  expect(warn).not.toHaveBeenCalled();
});

test('given a difference that measuring may cause, then the clock stays as it is', () => {
  for (const ahead of [0, 90, -90]) measure(ahead);
  expect(followed).toEqual([0]);
});

test('given clocks that were synchronized and drift apart again, then a second warning', () => {
  for (const ahead of [5_000, 0, 5_000]) measure(ahead);
  expect(followed).toEqual([5_000, 0, 5_000]);
  expect(warn).toHaveBeenCalledTimes(2);
});

test('given a machine whose clock is set, then the time of the database stays, and a warning says how far it is', () => {
  measure(0);
  machine.jump(3_600_000);
  measure(-3_600_000);
  expect(followed).toEqual([0]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('3600.0 seconds ahead of')]]);
});

test('given a machine that slept beside its database, then the time of the database is taken again', () => {
  measure(0);
  machine.jump(30 * 3_600_000);
  measure(0);
  expect(followed).toEqual([0, 0]);
  expect(warn).not.toHaveBeenCalled();
});

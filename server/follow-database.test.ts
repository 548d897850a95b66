import type { Logger } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { followDatabase } from './follow-database.ts';
import type { DatabaseStanding } from './kernel/log/index.ts';

let measure: (ahead: number) => void;
let adjusted: number[];
const warn = vi.fn<(sentence: string) => void>();

beforeEach(() => {
  adjusted = [];
  warn.mockClear();
  const standing: DatabaseStanding = {
    isReachable: () => true,
    onClockMeasured: (tell) => (measure = tell),
    onReachable: () => {},
    alone: (work) => work(),
  };
  const logger = { warn } as unknown as Logger;
  followDatabase(standing, { clock: { adjust: (ahead) => adjusted.push(ahead) }, logger });
});

test.each([
  [-2_500, '2.5 seconds ahead of that of the database'],
  [60_000, '60.0 seconds behind that of the database'],
])(
  'given a database whose clock is ahead by %i ms, then its time is used, and one warning says how far',
  (ahead, words) => {
    measure(ahead);
    measure(ahead + 20);
    expect(adjusted).toEqual([ahead]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(words)]]);
  },
);

test('given a difference of up to 2 s, then the time of the database is used without a warning', () => {
  measure(2_000);
  expect(adjusted).toEqual([2_000]);
  expect(warn).not.toHaveBeenCalled();
});

test('given a difference that measuring may cause, then the clock stays as it is', () => {
  measure(90);
  measure(-90);
  expect(adjusted).toEqual([]);
});

test('given clocks that were synchronized and drift apart again, then a second warning', () => {
  for (const ahead of [5_000, 0, 5_000]) measure(ahead);
  expect(adjusted).toEqual([5_000, 0, 5_000]);
  expect(warn).toHaveBeenCalledTimes(2);
});

// What can happen to a service while it carries out runs.
import fc from 'fast-check';

export interface Schedule {
  /** The process ends after so many commits of its own; `isHeard`: what follows from the last one begins before. */
  crashes: { after: number; isHeard: boolean }[];
  /** Which of the works that wait is committed next; taken in turn, again and again. */
  picks: number[];
  /** The clock jumps on by so much after so many commits, counted over all starts. */
  jumps: { after: number; milliseconds: number }[];
  /** In how many milliseconds a task that was carried out comes again; taken in turn, again and again. */
  copies: (number | null)[];
  /** Whether a request that was answered is sent again; taken in turn, again and again. */
  resends: boolean[];
  /** Whether a function takes so long that its start is recorded by itself; taken in turn, again and again. */
  slows: boolean[];
  /** Events that are sent before anybody listens for them. */
  early: number;
  /** Whether everything that is waited for comes at once. */
  isBurst: boolean;
  /** Somebody stops everything after so many commits. */
  stop: { after: number; by: 'cancel' | 'retire' } | null;
}

export const UNDISTURBED: Schedule = {
  crashes: [],
  picks: [],
  jumps: [],
  copies: [],
  resends: [],
  slows: [],
  early: 0,
  isBurst: false,
  stop: null,
};

const DAY = 86_400_000;

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  crashes: fc.array(fc.record({ after: fc.nat(25), isHeard: fc.boolean() }), { maxLength: 12 }),
  picks: fc.array(fc.nat(5), { maxLength: 8 }),
  jumps: fc.array(
    fc.record({ after: fc.nat(80), milliseconds: fc.constantFrom(1, 1000, 61_000, 3_600_000, DAY, 4 * DAY) }),
    { maxLength: 4 },
  ),
  copies: fc.array(fc.option(fc.constantFrom(0, 0, 1000, DAY), { freq: 2 }), { maxLength: 5 }),
  resends: fc.array(fc.boolean(), { maxLength: 3 }),
  slows: fc.array(fc.boolean(), { maxLength: 3 }),
  early: fc.nat(3),
  isBurst: fc.boolean(),
  stop: fc.constant(null),
});

export const stops = fc.record({ after: fc.nat(40), by: fc.constantFrom('cancel' as const, 'retire' as const) });

/** Takes one after the other and begins again at the end; `otherwise` where there are none. */
export function inTurn<T>(values: readonly T[], otherwise: T): () => T {
  let taken = 0;
  return () => {
    const value = values[taken % Math.max(1, values.length)];
    taken += 1;
    return value ?? otherwise;
  };
}

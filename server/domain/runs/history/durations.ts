// How many runs lasted how long, in ranges whose width is at most 1/16 of their beginning; up to 31 ms each range is one
// duration. A percentile is found in the ranges; the durations within one of them are read from the runs.

/** Ranges from one power of two to the next. */
const STEPS = 16;
/** Up to here each range is one duration. The index of durations begins behind it. */
export const LONGEST_COUNTED_EXACTLY = 2 * STEPS - 1;

/** Runs by the range of their duration, in milliseconds. */
export type Durations = Map<number, number>;

/** The number of the range that a duration is in; a longer duration never has a lower one. */
export function rangeOf(milliseconds: number): number {
  let doublings = 0;
  while (milliseconds >= 2 * STEPS * 2 ** doublings) doublings += 1;
  return doublings * STEPS + Math.floor(milliseconds / 2 ** doublings);
}

/** The shortest and the longest duration of a range. */
export function boundsOf(range: number): { from: number; to: number } {
  const doublings = Math.max(0, Math.floor(range / STEPS) - 1);
  const width = 2 ** doublings;
  const from = (range - doublings * STEPS) * width;
  return { from, to: from + width - 1 };
}

/** As it is kept: range and number of runs in turns, shorter durations first. */
export function readDurations(text: string): Durations {
  const numbers = JSON.parse(text) as number[];
  const durations: Durations = new Map();
  for (let place = 0; place < numbers.length; place += 2) {
    durations.set(numbers[place] ?? 0, numbers[place + 1] ?? 0);
  }
  return durations;
}

export function writeDurations(durations: Durations): string {
  return JSON.stringify(
    [...durations]
      .filter(([, runs]) => runs !== 0)
      .toSorted(([a], [b]) => a - b)
      .flat(),
  );
}

/** Adds one to the other; numbers of runs may be negative. */
export function addDurations(to: Durations, more: Durations): void {
  for (const [range, runs] of more) to.set(range, (to.get(range) ?? 0) + runs);
}

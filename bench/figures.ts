// Loops that measure, the figures of what they measured, and lines that show them.
import os from 'node:os';

/** A number from an environment variable. */
export const setting = (name: string, usual: number): number => Number(process.env[name] ?? usual);

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
}

/** The item in the middle of an order. @throws Error without items */
export function middleOf<Item>(items: readonly Item[], by: (item: Item) => number): Item {
  const middle = items.toSorted((a, b) => by(a) - by(b))[Math.floor(items.length / 2)];
  if (middle === undefined) throw new Error('Nothing was measured.');
  return middle;
}

export const showLatencies = (milliseconds: readonly number[], digits = 1): string =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${percentile(milliseconds, share).toFixed(digits)} ms`).join('  ');

export function print(name: string, figures: string): void {
  console.log(name.padEnd(46), figures);
}

export const printLoad = (): void =>
  print('load of the machine', `${os.loadavg()[0]?.toFixed(1)} on ${os.availableParallelism()} cores`);

export const atOnce = <Result>(count: number, slot: (number: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_none, number) => slot(number)));

/** Calls one after the other until `isDone`, which gets their count. @returns their latencies in milliseconds */
export async function latenciesOf(
  call: (number: number) => Promise<unknown>,
  isDone: (count: number) => boolean | Promise<boolean>,
): Promise<number[]> {
  const latencies: number[] = [];
  while (!(await isDone(latencies.length))) {
    const begun = performance.now();
    await call(latencies.length);
    latencies.push(performance.now() - begun);
  }
  return latencies;
}

export interface Timed<Result> {
  result: Result;
  milliseconds: number;
  /** The memory before, and the most that was seen meanwhile, in MiB. */
  before: number;
  peak: number;
}

/**
 * @param memory returns how many MiB are in use
 * @param every milliseconds between two looks at it
 */
export async function timed<Result>(
  memory: () => number,
  work: () => Promise<Result>,
  every = 20,
): Promise<Timed<Result>> {
  const before = memory();
  let peak = before;
  const look = (): void => void (peak = Math.max(peak, memory()));
  const looking = setInterval(look, every);
  const begun = performance.now();
  try {
    const result = await work();
    const milliseconds = performance.now() - begun;
    look();
    return { result, milliseconds, before, peak };
  } finally {
    clearInterval(looking);
  }
}

/**
 * Measures each item in turn, so that what else the machine does falls on all alike.
 * @param measure measures for one round, of which number 0 warms up; undefined leaves the item out
 * @returns the round of each item whose rate is the middle one
 */
export async function inTurn<Item, Round>(
  items: Iterable<Item>,
  rounds: number,
  measure: (item: Item, round: number) => Promise<Round | undefined>,
  rate: (round: Round) => number,
): Promise<Map<Item, Round>> {
  const measured = new Map<Item, Round[]>();
  const all = [...items];
  for (let number = 0; number <= rounds; number += 1) {
    for (const item of all) {
      const round = await measure(item, number);
      if (round !== undefined && number > 0) measured.set(item, [...(measured.get(item) ?? []), round]);
    }
  }
  return new Map([...measured].map(([item, its]) => [item, middleOf(its, rate)]));
}

const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 5 * 60_000;

/** Milliseconds to wait before the next try, after `tries` failed ones before this one: 2 s, doubling up to 5 min. */
export function retryWait(tries: number): number {
  return Math.min(FIRST_WAIT * 2 ** tries, LONGEST_WAIT);
}

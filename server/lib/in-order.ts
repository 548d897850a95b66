/** Waits for two reads that are made at once. Answers the second; @throws what the first of them threw, once both have ended */
export async function inOrder<T>(first: Promise<unknown>, second: Promise<T>): Promise<T> {
  await Promise.allSettled([first, second]);
  await first;
  return second;
}

import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

/** Work that ends when the test says so. */
function controlled() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (item: number): Promise<void> => {
    begun.push(item);
    return new Promise((resolve) => ends.set(item, resolve));
  };
  const end = async (item: number): Promise<void> => {
    ends.get(item)?.();
    await new Promise(setImmediate);
  };
  return { begun, work, end };
}

test('each item is worked on once, in order, and no more at a time than allowed', async () => {
  const { begun, work, end } = controlled();
  const all = inParallel([1, 2, 3, 4], 2, work, new AbortController().signal);
  expect(begun).toEqual([1, 2]);
  await end(2);
  expect(begun).toEqual([1, 2, 3]);
  await end(1);
  expect(begun).toEqual([1, 2, 3, 4]);
  await end(3);
  await end(4);
  await all;
  expect(begun).toEqual([1, 2, 3, 4]);
});

test('after an abort nothing further is begun, and what is in progress is awaited', async () => {
  const { begun, work, end } = controlled();
  const stop = new AbortController();
  const all = inParallel([1, 2, 3], 2, work, stop.signal);
  stop.abort();
  await end(1);
  expect(begun).toEqual([1, 2]);
  expect(await Promise.race([all, Promise.resolve('in progress')])).toBe('in progress');
  await end(2);
  await all;
  expect(begun).toEqual([1, 2]);
});

import { expect, test, vi } from 'vitest';
import { createLock } from './lock.ts';

const LONG = 60_000;

test('turns come one after the other, in the order in which they were asked for', async () => {
  const turns = createLock();
  const had: string[] = [];
  const work = async (name: string): Promise<void> => {
    const end = await turns.acquire(LONG);
    had.push(`${name} begins`);
    await Promise.resolve();
    had.push(`${name} ends`);
    end?.();
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  expect(had).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('whoever waits too long goes without, and those behind have their turn', async () => {
  vi.useFakeTimers();
  const turns = createLock();
  const end = await turns.acquire(LONG);
  const [impatient, patient] = [turns.acquire(2000), turns.acquire(LONG)];
  await vi.advanceTimersByTimeAsync(2000);
  expect(await impatient).toBeUndefined();
  end?.();
  expect(await patient).toBeTypeOf('function');
  vi.useRealTimers();
});

test('closing leaves nobody waiting', async () => {
  const turns = createLock();
  await turns.acquire(LONG);
  const waiting = turns.acquire(LONG);
  turns.close();
  expect(await waiting).toBeUndefined();
  expect(await turns.acquire(LONG)).toBeUndefined();
});

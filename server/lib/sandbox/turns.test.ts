import { expect, test, vi } from 'vitest';
import { createTurns } from './turns.ts';

const LONG = 60_000;

test('turns come one after the other, in the order in which they were asked for', async () => {
  const turns = createTurns();
  const had: string[] = [];
  const work = async (name: string): Promise<void> => {
    const end = await turns.take(LONG);
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
  const turns = createTurns();
  const end = await turns.take(LONG);
  const [impatient, patient] = [turns.take(2000), turns.take(LONG)];
  await vi.advanceTimersByTimeAsync(2000);
  expect(await impatient).toBeUndefined();
  end?.();
  expect(await patient).toBeTypeOf('function');
  vi.useRealTimers();
});

test('closing leaves nobody waiting', async () => {
  const turns = createTurns();
  await turns.take(LONG);
  const waiting = turns.take(LONG);
  turns.close();
  expect(await waiting).toBeUndefined();
  expect(await turns.take(LONG)).toBeUndefined();
});

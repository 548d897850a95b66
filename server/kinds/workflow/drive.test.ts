import { afterEach, expect, test, vi } from 'vitest';
import { drive } from './drive.ts';
import type { Asking } from './engine/index.ts';

afterEach(() => vi.restoreAllMocks());

function* asking(requests: number): Asking<number> {
  let sum = 0;
  for (let request = 0; request < requests; request += 1) sum += Number(yield { ask: 'mailbox' });
  return sum;
}

/** Which turn of the event loop each answer is given in, with a clock that moves on by so much at each look. */
async function turnsOf(requests: number, milliseconds: number, isLate = false): Promise<number[]> {
  let [now, turn, isOver] = [0, 0, false];
  vi.spyOn(performance, 'now').mockImplementation(() => (now += milliseconds));
  const next = (): void => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  const turns: number[] = [];
  const answer = (): unknown => {
    turns.push(turn);
    return isLate ? Promise.resolve(1) : 1;
  };
  expect(await drive(asking(requests), answer)).toBe(requests);
  isOver = true;
  return turns;
}

test('given answers that take their time, then everything else has its turn between two of them', async () => {
  expect(new Set(await turnsOf(5, 10)).size).toBe(5);
});

test('given answers that come later, then the time that they take counts as well', async () => {
  expect(new Set(await turnsOf(5, 10, true)).size).toBe(5);
});

test('given short answers, then all of them are given in one turn', async () => {
  expect(new Set(await turnsOf(100, 0)).size).toBe(1);
  expect(new Set(await turnsOf(100, 0, true)).size).toBe(1);
});

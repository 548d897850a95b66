import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../kernel/clock.ts';
import { nextTurn } from '../kernel/next-turn.ts';
import { createLiveText, type TextPiece } from './live-text.ts';

function given() {
  const clock = createFakeClock();
  const live = createLiveText(clock);
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  /** Pieces as they come; the clock moves on by itself only where `advance` says so. */
  function follow() {
    const pieces: TextPiece[] = [];
    const done = (async () => {
      for await (const piece of live.follow(leaving.signal)) pieces.push(piece);
    })();
    return { pieces, done };
  }
  const pass = async (milliseconds: number): Promise<void> => {
    await nextTurn();
    clock.advance(milliseconds);
    await nextTurn();
  };
  return { live, leaving, follow, pass };
}

test('pieces are told four times a second, with all that came since', async () => {
  const { live, follow, pass } = given();
  const { pieces } = follow();
  live.begin();
  await pass(0);
  expect(pieces).toEqual([]);
  live.add('a');
  await pass(0);
  for (const sign of ['b', '', 'c', 'd']) live.add(sign);
  await pass(249);
  expect(pieces).toEqual([{ from: 0, text: 'a' }]);
  await pass(1);
  expect(pieces).toEqual([
    { from: 0, text: 'a' },
    { from: 1, text: 'bcd' },
  ]);
});

test('who comes later gets what was written so far', async () => {
  const { live, follow, pass } = given();
  live.begin();
  live.add('before');
  const { pieces } = follow();
  await pass(0);
  expect(pieces).toEqual([{ from: 0, text: 'before' }]);
});

test('a text that starts over is a piece at 0, also while it is empty', async () => {
  const { live, follow, pass } = given();
  const { pieces } = follow();
  live.begin();
  live.add('first');
  await pass(250);
  live.begin();
  await pass(250);
  live.add('second');
  await pass(250);
  expect(pieces).toEqual([
    { from: 0, text: 'first' },
    { from: 0, text: '' },
    { from: 0, text: 'second' },
  ]);
});

test('the end of the run tells the rest and ends the telling', async () => {
  const { live, follow, pass } = given();
  const { pieces, done } = follow();
  live.add('a');
  await pass(0);
  live.add('b');
  live.end();
  await pass(250);
  await done;
  expect(pieces.map(({ text }) => text)).toEqual(['a', 'b']);
  await follow().done;
});

test('who leaves is told nothing more', async () => {
  const { leaving, live, follow, pass } = given();
  const { pieces, done } = follow();
  await pass(0);
  leaving.abort();
  await done;
  live.add('a');
  expect(pieces).toEqual([]);
});

test('of a long text the end is kept', async () => {
  const { live, follow, pass } = given();
  for (let written = 0; written < 400_000; written += 1000) live.add('x'.repeat(1000));
  const { pieces } = follow();
  await pass(0);
  const [{ from, text } = { from: 0, text: '' }] = pieces;
  expect(from + text.length).toBe(400_000);
  expect(text.length).toBeGreaterThanOrEqual(65_536);
  expect(text.length).toBeLessThanOrEqual(131_072);
});

import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../../lib/clock.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { TextPiece } from '../durable/invocation.ts';
import { createLiveText } from './live-text.ts';

function given() {
  const clock = createFakeClock();
  const live = createLiveText(clock);
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  /** Collects pieces; time passes only through `pass`. */
  function follow() {
    const pieces: TextPiece[] = [];
    const done = (async () => {
      for await (const piece of live.follow(leaving.signal)) pieces.push(piece);
    })();
    return { pieces, done };
  }
  const pass = async (milliseconds: number): Promise<void> => {
    await yieldToEventLoop();
    clock.advance(milliseconds);
    await yieldToEventLoop();
  };
  return { live, leaving, follow, pass };
}

test('a follower gets four pieces a second, each with everything since the last one', async () => {
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

test('a late follower gets the text so far', async () => {
  const { live, follow, pass } = given();
  live.begin();
  live.add('before');
  const { pieces } = follow();
  await pass(0);
  expect(pieces).toEqual([{ from: 0, text: 'before' }]);
});

test('when the text starts over, followers get a piece at 0, even an empty one', async () => {
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

test('when the run ends, followers get the rest and are done', async () => {
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

test('a follower that leaves gets nothing more', async () => {
  const { leaving, live, follow, pass } = given();
  const { pieces, done } = follow();
  await pass(0);
  leaving.abort();
  await done;
  live.add('a');
  expect(pieces).toEqual([]);
});

test('only the end of a long text is kept', async () => {
  const { live, follow, pass } = given();
  for (let written = 0; written < 400_000; written += 1000) live.add('x'.repeat(1000));
  const { pieces } = follow();
  await pass(0);
  const [{ from, text } = { from: 0, text: '' }] = pieces;
  expect(from + text.length).toBe(400_000);
  expect(text.length).toBeGreaterThanOrEqual(65_536);
  expect(text.length).toBeLessThanOrEqual(131_072);
});

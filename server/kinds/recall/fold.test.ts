// Batches that fail, over a sandbox that says what came of each and how long it took.
import { expect, test } from 'vitest';
import { createFakeClock } from '../../kernel/clock.ts';
import type { Sandbox } from '../../kernel/programs/index.ts';
import { foldEvents, type Progress } from './fold.ts';

const TAKES_MS = 300;

/** Folds events, of which a batch takes too long where it holds `slow`; alone each takes a while. */
function given(slow: string): { fold: (events: readonly string[]) => Promise<Progress>; sizes: number[] } {
  const clock = createFakeClock();
  const sizes: number[] = [];
  const sandbox: Pick<Sandbox, 'fold'> = {
    async fold({ state, events }) {
      sizes.push(events.length);
      if (events.includes(slow)) return 'late';
      clock.advance(TAKES_MS);
      return { kind: 'folded', state: `${state}${events.join('')}`, count: events.length };
    },
  };
  const { signal } = new AbortController();
  return {
    sizes,
    fold: (events) =>
      foldEvents(sandbox, { source: '', state: '', events, owner: ['desk', 'recall/x'], signal, clock }),
  };
}

test('a batch that fails is folded event by event for a second, then others have their turn', async () => {
  const { fold, sizes } = given('x');
  expect(await fold(['a', 'b', 'c', 'd', 'e', 'f', 'x'])).toEqual({ count: 4, state: 'abcd' });
  expect(sizes).toEqual([7, 1, 1, 1, 1]);
});

test('and the event that fails alone stalls the view, with what stood before it', async () => {
  const { fold } = given('x');
  const stalled = expect.stringContaining('was ended after 5 seconds');
  expect(await fold(['a', 'b', 'x', 'c'])).toEqual({ count: 2, state: 'ab', stalled });
  expect(await fold(['x'])).toEqual({ count: 0, state: undefined, stalled });
});

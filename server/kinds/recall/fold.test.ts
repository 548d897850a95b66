// Batches that fail, over a sandbox that says what came of each and how long it took.
import { expect, test } from 'vitest';
import { createFakeClock } from '../../lib/clock.ts';
import type { Sandbox } from '../../lib/sandbox/index.ts';
import { foldEvents, type Progress } from './fold.ts';

const TAKES_MS = 300;

interface Given {
  fold: (events: readonly string[]) => Promise<Progress>;
  sizes: number[];
}

type Came = Awaited<ReturnType<Sandbox['fold']>>;

/** Folds events, of which one is met with something else; alone each takes a while. */
function given(slow: string, stuck: (index: number) => Came): Given {
  const clock = createFakeClock();
  const sizes: number[] = [];
  const sandbox: Pick<Sandbox, 'fold'> = {
    async fold({ state, events }) {
      sizes.push(events.length);
      const index = events.indexOf(slow);
      if (index >= 0) return stuck(index);
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

const fails = (index: number): Came => ({
  kind: 'not_folded',
  index: index === 0 ? 0 : undefined,
  detail: 'It fails.',
});
const isStuck = (index: number): Came => ({ kind: 'ended', index, how: 'late' });

test('a batch that fails is folded event by event for a second, then others have their turn', async () => {
  const { fold, sizes } = given('x', fails);
  expect(await fold(['a', 'b', 'c', 'd', 'e', 'f', 'x'])).toEqual({ count: 4, state: 'abcd' });
  expect(sizes).toEqual([7, 1, 1, 1, 1]);
});

test('and the event that fails alone stalls the view, with what stood before it', async () => {
  const { fold } = given('x', fails);
  expect(await fold(['a', 'b', 'x', 'c'])).toEqual({ count: 2, state: 'ab', stalled: 'It fails.' });
  expect(await fold(['x'])).toEqual({ count: 0, state: undefined, stalled: 'It fails.' });
});

test('those before an event that is stuck are folded immediately, then others have their turn', async () => {
  const { fold, sizes } = given('x', isStuck);
  expect(await fold(['a', 'b', 'x', 'c'])).toEqual({ kind: 'folded', count: 2, state: 'ab' });
  expect(sizes).toEqual([4, 2]);
});

test('and the event that is stuck is tried twice more alone before it stalls the view', async () => {
  const { fold, sizes } = given('x', isStuck);
  const stalled = expect.stringContaining('was stopped after a second inside one built-in');
  expect(await fold(['x', 'c'])).toEqual({ count: 0, state: undefined, stalled });
  expect(sizes).toEqual([2, 1, 1]);
});

test('an event that was stuck for once is folded', async () => {
  let times = 0;
  const { fold } = given('x', (index) => {
    times += 1;
    return times === 1 ? isStuck(index) : { kind: 'folded', state: 'x', count: 1 };
  });
  expect(await fold(['x', 'c'])).toEqual({ kind: 'folded', count: 1, state: 'x' });
});

// Batches that fail, over a sandbox whose outcomes a test decides.
import { expect, test } from 'vitest';
import type { Sandbox } from '../../lib/sandbox/index.ts';
import { foldEvents, type Progress } from './fold.ts';

interface Given {
  fold: (events: readonly string[]) => Promise<Progress>;
  sizes: number[];
}

type Outcome = Awaited<ReturnType<Sandbox['fold']>>;

/** Folds events, one of which has another outcome. */
function given(poison: string, outcomeAt: (index: number) => Outcome): Given {
  const sizes: number[] = [];
  const sandbox: Pick<Sandbox, 'fold'> = {
    async fold({ state, events }) {
      sizes.push(events.length);
      const index = events.indexOf(poison);
      if (index >= 0) return outcomeAt(index);
      return { kind: 'folded', state: `${state}${events.join('')}`, count: events.length };
    },
  };
  const { signal } = new AbortController();
  return {
    sizes,
    fold: (events) => foldEvents(sandbox, { source: '', state: '', events, owner: ['desk', 'recall/x'], signal }),
  };
}

const failsAt = (index: number): Outcome => ({ kind: 'not_folded', index, detail: 'It fails.' });
const failsSomewhere = (): Outcome => ({ kind: 'not_folded', index: undefined, detail: 'It fails.' });
const isStuck = (index: number): Outcome => ({ kind: 'ended', index, how: 'late' });

test('the events before one that fails are folded at once, and the next batch begins with that event', async () => {
  const { fold, sizes } = given('x', failsAt);
  expect(await fold(['a', 'b', 'c', 'x', 'd'])).toEqual({ kind: 'folded', count: 3, state: 'abc' });
  expect(sizes).toEqual([5, 3]);
});

test('a batch that fails at an unknown event is halved until a part can be folded', async () => {
  const { fold, sizes } = given('x', failsSomewhere);
  expect(await fold(['a', 'b', 'x', 'c', 'd', 'e', 'f', 'g', 'h'])).toEqual({ kind: 'folded', count: 2, state: 'ab' });
  expect(sizes).toEqual([9, 4, 2]);
});

test('an event that fails alone stalls the view', async () => {
  for (const fails of [failsAt, failsSomewhere]) {
    const { fold } = given('x', fails);
    expect(await fold(['x', 'b', 'c'])).toEqual({ count: 0, state: undefined, stalled: 'It fails.' });
  }
});

test('an event that fails in a batch and passes alone is folded', async () => {
  let times = 0;
  const { fold } = given('x', (index) => {
    times += 1;
    return times === 1 ? failsAt(index) : { kind: 'folded', state: 'x', count: 1 };
  });
  expect(await fold(['x', 'b'])).toEqual({ kind: 'folded', count: 1, state: 'x' });
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

import { expect, test } from 'vitest';
import { createYielder } from './event-loop.ts';

/** Counts the turns of the event loop until it is stopped. */
function countTurns(): { turns: () => number; stop: () => void } {
  let turns = 0;
  let isOver = false;
  const next = (): void => {
    turns += 1;
    if (!isOver) setImmediate(next);
  };
  next();
  return {
    turns: () => turns,
    stop() {
      isOver = true;
    },
  };
}

function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('however much work takes turns, no two parts that fill their time share a turn of the event loop', async () => {
  const loop = countTurns();
  const begunIn: number[] = [];
  const work = async (): Promise<void> => {
    const turn = createYielder();
    for (let part = 0; part < 3; part += 1) {
      spin(11);
      // oxlint-disable-next-line no-await-in-loop -- the next part begins after everything else had its turn
      await turn();
      begunIn.push(loop.turns());
    }
  };
  await Promise.all([work(), work(), work(), work(), work()]);
  loop.stop();
  expect(new Set(begunIn).size).toBe(15);
});

test('work that is short never waits', () => {
  expect(createYielder()()).toBeUndefined();
});

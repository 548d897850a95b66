import { expect, test } from 'vitest';
import type { RunRow } from '../history/sql.ts';
import { newState } from './deciding.ts';
import { createStates, keepMoved, keepRead, type KnownState, stateKey } from './states.ts';

const PLACE = { org: 'acme', playbook: 'support' };
const MEBI = 1_048_576;

const stateOf = (n: number): KnownState =>
  newState({ ...PLACE, run_id: `run ${n}` } as RunRow, { source: '', shape: undefined }, 1, false);
const NOTHING_MOVED = { position: 2, parts: new Map(), texts: [] };

/** How many of so many states are kept, each of which has a part of 1 Mi characters after `use`. */
function keptOf(count: number, use: (states: ReturnType<typeof createStates>, state: KnownState) => void): number {
  const states = createStates();
  const all = Array.from({ length: count }, (_, n) => stateOf(n));
  for (const state of all) use(states, state);
  return all.filter(({ row }) => states.get(stateKey(PLACE, row.run_id)) !== undefined).length;
}

const TEXT = JSON.stringify('x'.repeat(MEBI - 2));

test('states are kept up to 32 million characters, those of parts that were read among them', () => {
  expect(keptOf(40, (states, state) => keepMoved(states, state, NOTHING_MOVED))).toBe(40);
  const read = keptOf(40, (states, state) => {
    keepRead(states, state, 'part', TEXT);
    keepMoved(states, state, NOTHING_MOVED);
  });
  expect(read).toBe(30);
  const readLater = keptOf(40, (states, state) => {
    keepMoved(states, state, NOTHING_MOVED);
    keepRead(states, state, 'part', TEXT);
    keepRead(states, state, 'part', TEXT);
  });
  expect(readLater).toBe(30);
});

test('a part that is not there is known not to be, and takes up nothing', () => {
  const states = createStates();
  const state = stateOf(1);
  expect(keepRead(states, state, 'part', undefined)).toBeUndefined();
  expect([state.parts.has('part'), state.size]).toEqual([true, 0]);
  expect(keepRead(states, state, 'other', '{"n":1}')).toEqual({ n: 1 });
  expect(state.size).toBe(7);
});

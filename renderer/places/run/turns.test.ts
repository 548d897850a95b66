import { expect, test } from 'vitest';
import { placeTurns, turnsOf } from './turns.ts';

const tokens = { input: 10, output: 2, cached: 0 };
const call = { server: 'files', tool: 'read_file', outcome: 'result', read_only: true };
const RECORD = {
  model: { requested: 'local/m', resolved: 'local/m', reported: null },
  steps: [
    { finish_reason: 'tool_calls', tokens, duration_ms: 40, tool_calls: [call, call] },
    { finish_reason: 'stop', tokens, duration_ms: 30 },
  ],
  duration_ms: 100,
};

test('given a record of a reasoning run, then a turn starts when the last tool call of the previous turn ended', () => {
  const placed = placeTurns(turnsOf(RECORD), 1_000, [1_050, 1_065]);
  expect(placed.map(({ start, end }) => [start, end])).toEqual([
    [1_000, 1_040],
    [1_065, 1_095],
  ]);
});

test('given tools whose calls are not known, then a turn starts when the previous one ended', () => {
  expect(placeTurns(turnsOf(RECORD), 0, []).map(({ start }) => start)).toEqual([0, 40]);
});

test('given a record of another kind, or none, then there are no turns', () => {
  expect(turnsOf({ checkpoint: 12 })).toEqual([]);
  expect(turnsOf(undefined)).toEqual([]);
});

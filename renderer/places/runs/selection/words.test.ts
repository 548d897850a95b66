import { expect, test } from 'vitest';
import type { RunListEntry } from '../../../../shared/api/index.ts';
import { countsByDefinition, runsWords } from './words.ts';

const named = (...names: string[]): RunListEntry[] => names.map((name) => ({ name }) as RunListEntry);

test('runs are counted by their definition, the most first', () => {
  expect(countsByDefinition(named('a', 'b', 'b'))).toBe('2 runs of b, 1 run of a');
  expect([runsWords(1), runsWords(1_200)]).toEqual(['1 run', '1,200 runs']);
});

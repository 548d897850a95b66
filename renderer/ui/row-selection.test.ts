import { expect, test } from 'vitest';
import { selectionAfter } from './row-selection.ts';

const IDS = ['a', 'b', undefined, 'c', 'd'];

test('a click selects an entry, and a second one deselects it', () => {
  const selected = selectionAfter(IDS, new Set(['d']), 1, undefined);
  expect([...selected]).toEqual(['d', 'b']);
  expect([...selectionAfter(IDS, selected, 1, undefined)]).toEqual(['d']);
});

test('a range makes all entries like the one that was clicked, in both directions', () => {
  expect([...selectionAfter(IDS, new Set(['b']), 3, 0)]).toEqual(['b', 'a', 'c']);
  expect([...selectionAfter(IDS, new Set(['a', 'b', 'c', 'd']), 0, 3)]).toEqual(['d']);
});

test('an entry that cannot be selected stays as it is', () => {
  const selected = new Set(['a']);
  expect(selectionAfter(IDS, selected, 2, 0)).toBe(selected);
});

import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { differencesOf, differenceWords } from './json-differences.ts';

describe('differences of two values', () => {
  test('are none if the values are equal, whatever the order of members', () => {
    expect(differencesOf({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toEqual([]);
  });

  test.each<[Json, Json, unknown[]]>([
    [1, 2, [{ pointer: '', expected: 1, returned: 2 }]],
    [{ a: 1 }, [1], [{ pointer: '', expected: { a: 1 }, returned: [1] }]],
    [[1, 2], [1], [{ pointer: '/1', expected: 2 }]],
    [[], [null], [{ pointer: '/0', returned: null }]],
    [{ 'a/b': { '~': 1 } }, { 'a/b': { '~': 2 } }, [{ pointer: '/a~1b/~0', expected: 1, returned: 2 }]],
    [
      { a: 1, b: 2 },
      { b: 3, c: 4 },
      [
        { pointer: '/a', expected: 1 },
        { pointer: '/b', expected: 2, returned: 3 },
        { pointer: '/c', returned: 4 },
      ],
    ],
    // A member that only the prototype has is none.
    [{}, { toString: 1 }, [{ pointer: '/toString', returned: 1 }]],
  ])('name each place: %j against %j', (expected, returned, found) => {
    expect(differencesOf(expected, returned)).toEqual(found);
  });

  test('are no more than wanted', () => {
    const [ones, twos] = [Array.from({ length: 9 }, () => 1), Array.from({ length: 9 }, () => 2)];
    expect(differencesOf(ones, twos, 4)).toHaveLength(4);
    expect(differencesOf({ a: ones, b: ones }, { a: twos, b: twos }, 12)).toHaveLength(12);
  });

  test('are written as one line each', () => {
    const words = (expected: Json, returned: Json): string[] =>
      differencesOf(expected, returned).map((difference) => differenceWords(difference, (text) => text.slice(0, 5)));
    expect(words({ a: 1, b: 'long text' }, { b: 2, c: [] })).toEqual([
      '/a is missing; expected 1',
      '/b is 2; expected "long',
      '/c was not expected: []',
    ]);
    expect(words(1, true)).toEqual(['The output is true; expected 1']);
  });
});

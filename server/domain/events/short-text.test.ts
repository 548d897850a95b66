import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstCharacters, shortText } from './short-text.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['🎉🎉🎉', 2, '🎉🎉'],
  ['a🎉', 1, 'a'],
  ['', 3, ''],
])('given %s cut to %i characters, then it is %s', (text, count, cut) => {
  expect(firstCharacters(text, count)).toBe(cut);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abc…'],
  ['ab\n\n\n', 6, 'ab…'],
  ['éééé', 6, 'é…'],
])('given %j cut to %i bytes as JSON, then it is %j', (text, bytes, cut) => {
  expect(shortText(text, bytes)).toBe(cut);
});

test('a shortened text never takes more bytes as JSON, and is a beginning of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 3, max: 50 }), (text, bytes) => {
      const short = shortText(text, bytes);
      expect(Buffer.byteLength(JSON.stringify(short)) - 2).toBeLessThanOrEqual(bytes);
      expect(short === text || text.startsWith(short.slice(0, -1))).toBe(true);
    }),
  );
});

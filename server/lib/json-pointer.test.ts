import { expect, test } from 'vitest';
import { boundedPointer, escapeToken, tokensOf } from './json-pointer.ts';

test.each([
  ['', []],
  ['/', ['']],
  ['/a/0', ['a', '0']],
  ['/a~1b/~0~01', ['a/b', '~~1']],
])('%j names %j, and back', (pointer, tokens) => {
  expect(tokensOf(pointer)).toEqual(tokens);
  expect(tokens.map((token) => `/${escapeToken(token)}`).join('')).toBe(pointer);
});

test('a pointer that is too long to be returned points at the nearest holder', () => {
  expect(boundedPointer('/input/name')).toBe('/input/name');
  expect(boundedPointer(`/input/a/${'x'.repeat(3000)}/b`)).toBe('/input/a');
  expect(boundedPointer(`/${'x'.repeat(3000)}`)).toBe('');
});

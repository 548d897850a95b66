import { expect, test } from 'vitest';
import { cutBytes, cutText } from './cut-text.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab\u00E9', 3, 'ab'],
  ['a\u{1F600}b', 4, 'a'],
  ['a\uFFFDb', 4, 'a\uFFFD'],
  ['a\uD83Db', 10, 'a\uFFFDb'],
  ['\u{1F600}', 3, ''],
])('%j in %i bytes is %j', (text, most, expected) => {
  expect(cutBytes(text, most)).toBe(expected);
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a\u{1F600}b', 3, 'a…'],
])('%j in %i characters is %j', (text, most, expected) => {
  expect(cutText(text, most)).toBe(expected);
});

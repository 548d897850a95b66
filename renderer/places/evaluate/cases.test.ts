import { expect, test } from 'vitest';
import { casesText, parseCases } from './cases.ts';

test('given lines of a file, then they are cases, and the same lines come back', () => {
  const text = '{"name":"a","input":{"n":1},"expect":2}\n{"input":null,"check":".output == 1"}\n';
  const { cases, wrongs } = parseCases(`\n${text}`);
  expect(wrongs).toEqual([]);
  expect(cases).toEqual([
    { name: 'a', input: { n: 1 }, expect: 2 },
    { input: null, check: '.output == 1' },
  ]);
  expect(casesText(cases)).toBe(text);
});

test.each([
  ['{', /^Line 1: This is not valid JSON/],
  ['[]', /an object with `input`/],
  ['{"input":1}', /either `expect`/],
  ['{"input":1,"expect":1,"check":"."}', /either `expect`/],
  ['{"input":1,"expects":1}', /`expects` is unknown/],
  ['{"input":1,"check":1}', /`check` must be a text/],
])('given %s, then it is said what is wrong', (line, words) => {
  expect(parseCases(line)).toEqual({ cases: [], wrongs: [expect.stringMatching(words)] });
});

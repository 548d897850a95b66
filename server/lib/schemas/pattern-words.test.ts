import { expect, test } from 'vitest';
import { patternWords } from './pattern-words.ts';

test.each([
  ['^[A-Z]{3}-[0-9]+$', 'be 3 capital letters, then "-", then one or more digits'],
  ['^\\d{4}-\\d{2}-\\d{2}$', 'be 4 digits, then "-", then 2 digits, then "-", then 2 digits'],
  ['^[a-z0-9-]+$', 'be one or more lowercase letters, digits and `-`'],
  ['^[A-Za-z]+$', 'be one or more letters'],
  ['^[^/]+$', 'be one or more characters other than `/`'],
  ['^\\w{2,8}$', 'be 2 to 8 letters, digits and `_`'],
  ['^[0-9a-fA-F]{8,}$', 'be at least 8 hexadecimal digits'],
  ['^sk-', 'begin with "sk-"'],
  ['\\.csv$', 'end with ".csv"'],
  ['@', 'contain "@"'],
  ['^\\S+$', 'be one or more characters other than white space'],
  ['^.{1,80}$', 'be 1 to 80 characters'],
  ['^[A-Z]$', 'be one of capital letters'],
  ['^(low|high)$', 'be one of "low", "high"'],
  ['^(?:low|high)$', 'be one of "low", "high"'],
  ['\\S', 'contain more than white space'],
])('%s: must %s', (pattern, words) => {
  expect(patternWords(pattern)).toBe(words);
});

test.each([
  '^(a+)+$',
  'a|b',
  '^a|b$',
  '^[1-7]$',
  '^\\p{L}+$',
  '^(?i)x$',
  '\\bword\\b',
  '^a{2}?$',
  '^[\\s]$',
  '',
  '^$',
  'a'.repeat(3) + '(?:)',
])('%s is shown as it is written', (pattern) => {
  expect(patternWords(pattern)).toBe(`match the pattern ${pattern}`);
});

test('what is described is what matches', () => {
  expect(/^[A-Z]{3}-[0-9]+$/.test('ABC-1')).toBe(true);
  expect(patternWords(`^${'[a-z]x'.repeat(9)}$`)).toContain('match the pattern');
});

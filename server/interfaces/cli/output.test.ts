import { expect, test } from 'vitest';
import { harmless, problemWords } from './output.ts';

test('control characters are escaped as in JSON, and other characters are unchanged', () => {
  expect(harmless('\u001b]0;owned\u0007\u001b[2J')).toBe('\\u001b]0;owned\\u0007\\u001b[2J');
  expect(harmless('\u009b1m\u202egnp.exe\r')).toBe('\\u009b1m\\u202egnp.exe\\u000d');
  expect(harmless('lines\n\tand Grüße 👋')).toBe('lines\n\tand Grüße 👋');
  const value = { text: 'a\u009bb\u202ec\u0007' };
  expect(JSON.parse(harmless(JSON.stringify(value)))).toEqual(value);
});

test('a problem is printed once, with each of its errors', () => {
  expect(problemWords({ title: 'Conflict', detail: 'It was retired.', kind: 'retired' })).toBe('It was retired.');
  expect(problemWords({ title: 'Unavailable' })).toBe('Unavailable');
  const errors = [
    { pointer: '/a', detail: '`a` must be a string.' },
    { pointer: '', detail: 'It needs `b`.' },
  ];
  expect(problemWords({ detail: 'The input is not valid.', errors })).toBe(
    'The input is not valid.\n  /a: `a` must be a string.\n  It needs `b`.',
  );
  expect(problemWords({ detail: '`a` must be a string. There is one more.', errors })).toBe(
    '/a: `a` must be a string.\nIt needs `b`.',
  );
});

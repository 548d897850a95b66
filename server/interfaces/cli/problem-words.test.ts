import { expect, test } from 'vitest';
import { problemWords } from './problem-words.ts';

test('a problem is told once, with each place', () => {
  expect(problemWords({ title: 'Conflict', detail: 'It was retired.', kind: 'retired' })).toBe('It was retired.');
  expect(problemWords({ title: 'Unavailable' })).toBe('Unavailable');
  const errors = [
    { pointer: '/a', detail: '`a` must be a text.' },
    { pointer: '', detail: 'It needs `b`.' },
  ];
  expect(problemWords({ detail: 'The input does not fit.', errors })).toBe(
    'The input does not fit.\n  /a: `a` must be a text.\n  /: It needs `b`.',
  );
  expect(problemWords({ detail: '`a` must be a text. There is one more.', errors })).toBe(
    '/a: `a` must be a text.\n/: It needs `b`.',
  );
});

import { expect, test } from 'vitest';
import { messageFirst, programErrorOf } from './program-error.ts';

test.each([
  ['Line 4, column 20: The program threw Error: Too low.', 'Error: Too low (line 4, column 20).'],
  ['The program threw Error: Too low.', 'Error: Too low.'],
  ['Line 4, column 20: `evolve` cannot take the event.', '`evolve` cannot take the event (line 4, column 20).'],
  [
    'computation/price: Line 4, column 20: The program threw Error: Two\nlines.',
    'Error: Two\nlines (line 4, column 20 of computation/price).',
  ],
  [
    'unworkable: computation/price: Line 4, column 20: The program threw Error: Too low.',
    'Error: Too low (line 4, column 20 of computation/price).',
  ],
  ['computation/price: The program threw Error: Too low.', 'Error: Too low (computation/price).'],
  ['The program uses more than 64 MiB of memory; make it use less.', undefined],
  ['computation/price: The run was cancelled.', undefined],
  ['', undefined],
])('given the detail %j, then people read %j', (detail, words = detail) => {
  expect(messageFirst(detail)).toBe(words);
});

test('given a program that threw, then its message and location are found', () => {
  expect(programErrorOf('Line 4, column 20: The program threw Error: Too low.')).toEqual({
    message: 'Error: Too low.',
    at: { line: 4, column: 20 },
  });
  expect(programErrorOf('computation/price: Line 4, column 20: It threw.')).toMatchObject({
    called: 'computation/price',
  });
});

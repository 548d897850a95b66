import { expect, test } from 'vitest';
import { createWholeLines } from './whole-lines.ts';

function read(
  chunks: readonly string[],
  { most = 100, stopAt }: { most?: number; stopAt?: string } = {},
): { lines: string[]; isTooLong: boolean } {
  const lines: string[] = [];
  let isTooLong = false;
  const whole = createWholeLines(most, {
    onLine: (line) => lines.push(line) > 0 && line !== stopAt,
    onTooLong: () => {
      isTooLong = true;
    },
  });
  for (const chunk of chunks) whole.add(Buffer.from(chunk, 'latin1'));
  return { lines, isTooLong };
}

const bytes = (text: string): string[] => Array.from(Buffer.from(text).toString('latin1'));

test.each([
  ['whole', ['one\ntwo\n']],
  ['in pieces', ['o', 'ne', '\nt', 'wo', '\n']],
  ['byte by byte', bytes('one\ntwo\n')],
])('lines that come %s are put together', (_how, chunks) => {
  expect(read(chunks)).toEqual({ lines: ['one', 'two'], isTooLong: false });
});

test('a sign whose bytes come apart is one, an empty line is a line, and what has not ended is none', () => {
  expect(read(bytes('ü€\n\n😀\nrest')).lines).toEqual(['ü€', '', '😀']);
});

test.each([[['x'.repeat(101)]], [['x'.repeat(60), `${'x'.repeat(41)}\nmore\n`]]])(
  'a line past the bound is not kept, and nothing after it is read',
  (chunks) => {
    expect(read(['before\n', ...chunks, 'after\n'])).toEqual({ lines: ['before'], isTooLong: true });
  },
);

test('the reader may stop in the middle of a chunk', () => {
  expect(read(['one\nstop\ntwo\n', 'three\n'], { stopAt: 'stop' }).lines).toEqual(['one', 'stop']);
});

import { expect, test } from 'vitest';
import { durationWords } from '../../shared/duration-words.ts';
import { fileSize, runDuration } from './quantities.ts';

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [1_240, '1.2 s'],
  [42_000, '42 s'],
  [125_000, '2 min 5 s'],
  [120_000, '2 min'],
  [3_599_700, '60 min'],
  [7_260_000, '2 h 1 min'],
  [273_600_000, '3 d 4 h'],
])('%i ms is %s', (milliseconds, words) => {
  expect(durationWords(milliseconds)).toBe(words);
});

test('a run in progress has lasted until now; an ended run until its end', () => {
  const started = { attempt_started_at: '2026-01-01T00:00:00.000Z' };
  const now = Date.parse('2026-01-01T00:00:42.000Z');
  expect(runDuration(started, now)).toBe('42 s');
  expect(runDuration({ ...started, ended_at: '2026-01-01T00:00:12.000Z' }, now)).toBe('12 s');
});

test('given a clock that is behind the service, then the duration is 0', () => {
  expect(runDuration({ attempt_started_at: '2026-01-01T00:00:00.000Z' }, 0)).toBe('0 ms');
});

test('sizes are shown in the largest unit that fits', () => {
  expect([0, 812, 1024, 1_468_006, 64 * 1024 ** 2].map(fileSize)).toEqual([
    '0 bytes',
    '812 bytes',
    '1 KiB',
    '1.4 MiB',
    '64 MiB',
  ]);
});

import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test('sizes are shown in the largest unit that fits', () => {
  expect([0, 812, 1024, 1_468_006, 64 * 1024 ** 2].map(fileSize)).toEqual([
    '0 bytes',
    '812 bytes',
    '1 KiB',
    '1.4 MiB',
    '64 MiB',
  ]);
});

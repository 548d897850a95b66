import { expect, test } from 'vitest';
import { boundedEnding } from './record.ts';

test('an output that has no room beside its record leaves the record', () => {
  const record = { console: ['x'.repeat(500)] };
  const fits = { status: 'succeeded', output: 'x'.repeat(1_048_000), record } as const;
  expect(boundedEnding(fits)).toBe(fits);
  expect(boundedEnding({ ...fits, output: `${fits.output}${'x'.repeat(500)}` })).toEqual({
    status: 'rejected',
    rejection: { reason: 'conflict', kind: 'unworkable', detail: expect.stringContaining('has 1048502 bytes') },
    record,
  });
});

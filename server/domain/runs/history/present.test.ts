import { expect, test } from 'vitest';
import type { Run } from '../../../../shared/schemas/index.ts';
import { Refused } from '../../../lib/rejection.ts';
import { refuseUnlessSucceeded } from './present.ts';
import { boundedEnding } from '../../../kinds/ending-data.ts';

const RUN: Run = {
  run_id: '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b',
  type: 'reasoning',
  name: 'sort',
  definition_version: 1,
  status: 'rejected',
  attempt: 1,
  started_at: '2026-01-01T00:00:00.000Z',
  attempt_started_at: '2026-01-01T00:00:00.000Z',
  started_by: 'developer',
};

function refusalOf(run: Partial<Run>): Refused {
  try {
    refuseUnlessSucceeded({ ...RUN, ...run }, {});
  } catch (error) {
    if (error instanceof Refused) return error;
  }
  throw new Error('The run is not refused.');
}

test('given a rejected run, then the refusal has its words, its run id, and how soon a retry may succeed', () => {
  const run = { reason: 'unavailable', because: 'rate_limited', detail: 'Too many.', retry_after: 7 } as const;
  expect(refusalOf(run)).toMatchObject({
    problem: 'unavailable',
    rejection: { reason: 'unavailable', because: 'rate_limited', detail: 'Too many.', retryAfter: 7 },
    members: { run_id: RUN.run_id },
  });
});

test('given a rejection with a problem name of its own, then the refusal is that problem', () => {
  const run = { reason: 'conflict', kind: 'effect_unknown', detail: 'Unknown.' } as const;
  expect(refusalOf(run)).toMatchObject({ problem: 'effect_unknown', rejection: { reason: 'conflict' } });
});

test('given a run that failed, of whatever type, then the refusal is internal and names the run', () => {
  for (const type of ['computation', 'workflow'] as const) {
    expect(refusalOf({ type, status: 'failed', detail: 'interrupted' })).toMatchObject({
      problem: 'internal',
      rejection: { detail: 'interrupted' },
      members: { run_id: RUN.run_id },
    });
  }
});

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

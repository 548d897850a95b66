import { expect, test } from 'vitest';
import {
  isFailure,
  type OutcomeFields,
  outcomeOf,
  outcomeOfProblem,
  outcomeText,
  successOf,
  successRate,
} from './outcome-words.ts';

/** The design's table, line by line: what the API has, the tone and the text that people read. */
const TABLE: readonly (readonly [OutcomeFields, string, string])[] = [
  [{ status: 'started' }, 'blue', 'Running'],
  [{ status: 'started', waits_for: [] }, 'blue', 'Running'],
  [{ status: 'started', waits_for: ['answer'] }, 'hollow-blue', 'Waiting for an answer'],
  [{ status: 'started', waits_for: ['timer'] }, 'hollow-blue', 'Waiting for a timer'],
  [{ status: 'started', waits_for: ['event'] }, 'hollow-blue', 'Waiting for an event'],
  [{ status: 'started', waits_for: ['run'] }, 'hollow-blue', 'Waiting for a run'],
  [{ status: 'started', waits_for: ['answer', 'timer'] }, 'hollow-blue', 'Waiting for an answer and a timer'],
  [{ status: 'succeeded' }, 'green', 'Succeeded'],
  [{ status: 'rejected', reason: 'invalid_input' }, 'amber', 'Invalid input'],
  [{ status: 'rejected', reason: 'cancelled', kind: 'requested' }, 'grey', 'Cancelled'],
  [{ status: 'rejected', reason: 'cancelled', kind: 'deadline' }, 'grey', 'Cancelled'],
  [{ status: 'rejected', reason: 'unanswered', kind: 'expired' }, 'grey', 'Expired'],
  [{ status: 'rejected', reason: 'unanswered', kind: 'undelivered' }, 'grey', 'Undelivered'],
  [{ status: 'rejected', reason: 'conflict', kind: 'unworkable' }, 'red', 'Program error'],
  [{ status: 'rejected', reason: 'conflict', kind: 'oversized' }, 'amber', 'Refused: conflict'],
  [{ status: 'rejected', reason: 'conflict', kind: 'raised' }, 'amber', 'Refused: conflict'],
  [{ status: 'rejected', reason: 'unavailable', kind: 'unworkable' }, 'amber', 'Refused: unavailable'],
  [{ status: 'rejected', reason: 'not_found' }, 'amber', 'Refused: not found'],
  [{ status: 'failed' }, 'red', 'Failed'],
];

test.each(TABLE)('given %o, then its tone is %s and people read %s', (fields, tone, text) => {
  expect(outcomeOf(fields).tone).toBe(tone);
  expect(outcomeText(fields)).toBe(text);
});

test('program errors, refusals and failures are failures, and nothing else is', () => {
  const failures = TABLE.filter(([fields]) => isFailure(fields)).map(([fields]) => outcomeOf(fields).word);
  expect(new Set(failures)).toEqual(new Set(['Program error', 'Refused', 'Failed']));
});

test('success counts against program errors, refusals and failures, not against what was sent, cancelled or unanswered', () => {
  const others = { invalid_input: 9, cancelled: 8, expired: 7, undelivered: 6 };
  expect(successOf({ succeeded: 5, program_error: 1, refused: 2, failed: 3, ...others })).toEqual({
    succeeded: 5,
    counted: 11,
  });
});

test('given one failure among many runs, then the success rate is not rounded up to all of them', () => {
  expect(successRate({ succeeded: 776, counted: 778 })).toBe('99.7 %');
  expect(successRate({ succeeded: 99_999, counted: 100_000 })).toBe('99.9 %');
  expect(successRate({ succeeded: 778, counted: 778 })).toBe('100 %');
  expect(successRate({ succeeded: 1, counted: 2 })).toBe('50 %');
  expect(successRate({ succeeded: 0, counted: 0 })).toBe('–');
});

test('given the problem that reports how a run ended, then its outcome is that of the run', () => {
  expect(outcomeText(outcomeOfProblem({ reason: 'internal' }))).toBe('Failed');
  expect(outcomeText(outcomeOfProblem({ reason: 'conflict', kind: 'unworkable' }))).toBe('Program error');
  expect(outcomeText(outcomeOfProblem({ reason: 'cancelled', kind: 'requested' }))).toBe('Cancelled');
});

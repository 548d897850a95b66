import { expect, test } from 'vitest';
import {
  isFailure,
  isWithoutOutput,
  type StatusFields,
  statusLabelOf,
  statusOfProblem,
  statusSentence,
  statusText,
  successOf,
  successRate,
} from './status-label.ts';

/** The fields in the API, the tone, and the label that people read. */
const TABLE: readonly (readonly [StatusFields, string, string])[] = [
  [{ status: 'started' }, 'blue', 'Running'],
  [{ status: 'started', waits_for: [] }, 'blue', 'Running'],
  [{ status: 'started', waits_for: ['answer'] }, 'hollow-blue', 'Waiting for an answer'],
  [{ status: 'started', waits_for: ['timer'] }, 'hollow-blue', 'Waiting for a timer'],
  [{ status: 'started', waits_for: ['event'] }, 'hollow-blue', 'Waiting for an event'],
  [{ status: 'started', waits_for: ['run'] }, 'hollow-blue', 'Waiting for a run'],
  [{ status: 'started', waits_for: ['answer', 'timer'] }, 'hollow-blue', 'Waiting for an answer and a timer'],
  [{ status: 'succeeded' }, 'green', 'Succeeded'],
  [{ status: 'rejected', reason: 'invalid_input' }, 'amber', 'Rejected: invalid input'],
  [{ status: 'rejected', reason: 'cancelled', kind: 'requested' }, 'grey', 'Cancelled'],
  [{ status: 'rejected', reason: 'cancelled', kind: 'deadline' }, 'grey', 'Cancelled'],
  [{ status: 'rejected', reason: 'unanswered', kind: 'expired' }, 'grey', 'Rejected: expired'],
  [{ status: 'rejected', reason: 'unanswered', kind: 'undelivered' }, 'grey', 'Rejected: undelivered'],
  [{ status: 'rejected', reason: 'conflict', kind: 'unworkable' }, 'red', 'Rejected: program error'],
  [{ status: 'rejected', reason: 'conflict', kind: 'oversized' }, 'amber', 'Rejected: conflict'],
  [{ status: 'rejected', reason: 'conflict', kind: 'raised' }, 'amber', 'Rejected: conflict'],
  [{ status: 'rejected', reason: 'unavailable', kind: 'unworkable' }, 'amber', 'Rejected: unavailable'],
  [{ status: 'rejected', reason: 'not_found' }, 'amber', 'Rejected: not found'],
  [{ status: 'failed' }, 'red', 'Failed'],
];

test.each(TABLE)('given %o, then its tone is %s and its label %s', (fields, tone, text) => {
  expect(statusLabelOf(fields).tone).toBe(tone);
  expect(statusText(fields)).toBe(text);
});

test('a status is one of six words', () => {
  expect(new Set(TABLE.map(([fields]) => statusLabelOf(fields).word))).toEqual(
    new Set(['Running', 'Waiting', 'Succeeded', 'Rejected', 'Cancelled', 'Failed']),
  );
});

test('failed runs, program errors and other rejections are failures; other runs are not', () => {
  expect(TABLE.filter(([fields]) => isFailure(fields)).map(([fields]) => statusText(fields))).toEqual([
    'Rejected: program error',
    'Rejected: conflict',
    'Rejected: conflict',
    'Rejected: unavailable',
    'Rejected: not found',
    'Failed',
  ]);
});

test('the success rate leaves out runs with invalid input, cancelled and unanswered runs', () => {
  const others = { invalid_input: 9, cancelled: 8, expired: 7, undelivered: 6 };
  expect(successOf({ succeeded: 5, program_error: 1, refused: 2, failed: 3, ...others })).toEqual({
    succeeded: 5,
    counted: 11,
  });
});

test('a run without an output that nobody cancelled is listed, whatever caused it', () => {
  const listed = TABLE.filter(([fields]) => isWithoutOutput(fields)).map(([fields]) => statusText(fields));
  expect(listed).toContain('Rejected: invalid input');
  expect(listed).toContain('Rejected: expired');
  expect(listed).not.toContain('Cancelled');
  expect(listed).not.toContain('Succeeded');
});

test('given one failure among many runs, then the success rate is not rounded up to 100%', () => {
  expect(successRate({ succeeded: 776, counted: 778 })).toBe('99.7%');
  expect(successRate({ succeeded: 99_999, counted: 100_000 })).toBe('99.9%');
  expect(successRate({ succeeded: 778, counted: 778 })).toBe('100%');
  expect(successRate({ succeeded: 1, counted: 2 })).toBe('50%');
  expect(successRate({ succeeded: 0, counted: 0 })).toBe('–');
});

test('given the problem that reports how a run ended, then the status is that of the run', () => {
  expect(statusText(statusOfProblem({ reason: 'internal' }))).toBe('Failed');
  expect(statusText(statusOfProblem({ reason: 'conflict', kind: 'unworkable' }))).toBe('Rejected: program error');
  expect(statusText(statusOfProblem({ reason: 'cancelled', kind: 'requested' }))).toBe('Cancelled');
});

test('a status is also a sentence', () => {
  const sentences = TABLE.map(([fields]) => statusSentence('The run', fields));
  expect(new Set(sentences)).toEqual(
    new Set([
      'The run is running.',
      'The run is waiting for an answer.',
      'The run is waiting for a timer.',
      'The run is waiting for an event.',
      'The run is waiting for a run.',
      'The run is waiting for an answer and a timer.',
      'The run succeeded.',
      'The run was rejected: invalid input.',
      'The run was cancelled.',
      'The run was rejected: expired.',
      'The run was rejected: undelivered.',
      'The run was rejected: program error.',
      'The run was rejected: conflict.',
      'The run was rejected: unavailable.',
      'The run was rejected: not found.',
      'The run failed.',
    ]),
  );
});

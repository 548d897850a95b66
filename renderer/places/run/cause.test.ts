import { describe, expect, test } from 'vitest';
import { causeOf } from './cause.ts';

const THREW = 'Line 4, column 20: The program threw Error: The price is below five.';
const FIELD = { pointer: '/input/price', detail: '`price` (The net price) must be a number.' };

describe('the cause of an ending', () => {
  test('is undefined for a run that is in progress or succeeded', () => {
    expect(causeOf({ status: 'started', record: {} })).toBeUndefined();
    expect(causeOf({ status: 'succeeded', record: {} })).toBeUndefined();
  });

  test('of a program error is the message, and where it was thrown', () => {
    expect(causeOf({ status: 'rejected', detail: THREW, record: {} })).toEqual({
      message: 'Error: The price is below five.',
      at: { line: 4, column: 20 },
      issues: [],
    });
  });

  test('of an invalid input is the field', () => {
    const other = { pointer: '/input', detail: '`count` is missing.' };
    const run = { status: 'rejected', detail: 'The input is not valid.', issues: [FIELD, other], record: {} } as const;
    expect(causeOf(run)).toEqual({ message: FIELD.detail, issues: [other] });
  });

  test('of a workflow is the cause of the run that a step called', () => {
    const rejection = { reason: 'conflict', kind: 'unworkable', detail: THREW };
    const error = { title: 'Something failed', detail: `unworkable: ${THREW}`, rejection, instance: '/do/0/price' };
    expect(causeOf({ status: 'failed', detail: error.detail, record: { error } })).toEqual({
      message: 'Error: The price is below five.',
      at: { line: 4, column: 20 },
      issues: [],
      step: '/do/0/price',
      called: { status: 'rejected', reason: 'conflict', kind: 'unworkable' },
    });
  });

  test('of a workflow whose step sent an invalid input is the field of that input', () => {
    const rejection = { reason: 'invalid_input', detail: 'The input is not valid.', issues: [FIELD] };
    const error = { detail: 'computation/tax: The input is not valid.', rejection, instance: '/do/0/price' };
    const run = { status: 'rejected', detail: error.detail, issues: [FIELD], record: { error } } as const;
    expect(causeOf(run)).toMatchObject({ message: FIELD.detail, called: { reason: 'invalid_input' } });
  });

  test('of a workflow with a failed expression is the expression, with its step', () => {
    const detail = 'The expression `.a` failed: no';
    const error = { title: 'An expression failed', detail, instance: '/do/0/price' };
    expect(causeOf({ status: 'rejected', detail, record: { error } })).toEqual({
      message: detail,
      step: '/do/0/price',
      issues: [],
    });
  });

  test('of an interrupted attempt is that the service stopped', () => {
    expect(causeOf({ status: 'failed', detail: 'interrupted', record: {} })?.message).toContain('stopped while');
  });
});

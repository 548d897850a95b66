import { expect, test } from 'vitest';
import { compactRun, compactRuns } from './compact-run.ts';

const RUN = { run_id: 'r1', status: 'succeeded', attempt: 1, started_at: 'a', attempt_started_at: 'a' };
const SAID = 'unworkable: computation/score: `score` must be a whole number.';

test('given a first attempt, then its number and second start are left out', () => {
  expect(compactRun(RUN)).toEqual({ run_id: 'r1', status: 'succeeded', started_at: 'a' });
});

test('given a later attempt, then its number and its start stay', () => {
  expect(compactRun({ ...RUN, attempt: 2, attempt_started_at: 'b' })).toEqual({
    ...RUN,
    attempt: 2,
    attempt_started_at: 'b',
  });
});

test('given a run that another one called, then its caller is there and not the playbook, but any other starter is', () => {
  const called_by = { run_id: 'r0', reference: '/do/0', run: 'workflow/w' };
  expect(compactRun({ run_id: 'r1', started_by: 'playbook:desk', called_by })).toEqual({ run_id: 'r1', called_by });
  expect(compactRun({ run_id: 'r1', started_by: 'ada', called_by })).toEqual({
    run_id: 'r1',
    started_by: 'ada',
    called_by,
  });
  expect(compactRun({ run_id: 'r1', started_by: 'playbook:desk' })).toEqual({
    run_id: 'r1',
    started_by: 'playbook:desk',
  });
});

test('given an error that the detail repeats, then each text is there once', () => {
  const rejection = { reason: 'conflict', kind: 'unworkable', detail: '`score` must be a whole number.' };
  const error = { status: 500, detail: SAID, rejection, instance: '/do/0/score' };
  expect(compactRun({ run_id: 'r1', detail: SAID, record: { error, other: 1 } })).toEqual({
    run_id: 'r1',
    detail: SAID,
    record: {
      error: { status: 500, rejection: { reason: 'conflict', kind: 'unworkable' }, instance: '/do/0/score' },
      other: 1,
    },
  });
});

test('given an error with another text, then it stays', () => {
  const error = { detail: 'Another.', rejection: { detail: 'A third.' } };
  expect(compactRun({ detail: SAID, record: { error } })).toEqual({ detail: SAID, record: { error } });
});

test('given a page, then its runs are compact, name their event once, and its end stays', () => {
  const trigger = { kind: 'event', event_id: 'e1', source: '/desk', id: 'x' };
  const called_by = { run_id: 'r0', reference: '/do/0', run: 'workflow/w' };
  expect(compactRuns({ runs: [{ ...RUN, trigger, called_by }], has_more: true, next_cursor: 'x' })).toEqual({
    runs: [
      {
        run_id: 'r1',
        status: 'succeeded',
        started_at: 'a',
        trigger: { kind: 'event', event_id: 'e1', id: 'x' },
        called_by: { run_id: 'r0', reference: '/do/0' },
      },
    ],
    has_more: true,
    next_cursor: 'x',
  });
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { shownData } from './shown-data.ts';
import { storedEvent } from './stored-event.testing.ts';

const dataOf = (data: JsonObject) => shownData(storedEvent('run_rejected', { attempt: 1, ...data }));
const issues = (count: number, detail = 'Write a number.') =>
  Array.from({ length: count }, (_, index) => ({ pointer: `/input/${index}`, detail }));

test('given a small rejection with a record, then all of it is shown', () => {
  const data = {
    rejection: {
      reason: 'unavailable',
      kind: 'tools_unfinished',
      because: 'timed_out',
      detail: 'The tool took too long.',
    },
    record: { calls: 1 },
  };
  expect(dataOf(data)).toEqual({ attempt: 1, ...data });
});

test('given seven issues, then their count and the first five are shown', () => {
  const shown = dataOf({ rejection: { reason: 'invalid_input', detail: 'No.', issues: issues(7) } });
  expect(shown['rejection']).toEqual({ reason: 'invalid_input', detail: 'No.', issue_count: 7, issues: issues(5) });
});

test('given a list of issues that was cut when it was recorded, then the count is of all of them', () => {
  const shown = dataOf({
    rejection: { reason: 'invalid_input', detail: 'No.', issues: issues(51), issue_count: 5000 },
  });
  expect(shown['rejection']).toEqual({ reason: 'invalid_input', detail: 'No.', issue_count: 5000, issues: issues(5) });
});

test('given a detail that does not fit, then it is shortened and nothing else is lost', () => {
  const record = { note: 'r'.repeat(1900) };
  const { rejection, ...rest } = dataOf({ rejection: { reason: 'conflict', detail: 'd'.repeat(9000) }, record });
  expect(rest).toEqual({ attempt: 1, record });
  expect(rejection).toEqual({ reason: 'conflict', detail: expect.stringMatching(/^d{1000,}…$/) });
});

test('given issues that do not fit, then their texts are shortened and five are still shown', () => {
  const long = issues(100, 'é'.repeat(3000));
  const shown = dataOf({ rejection: { reason: 'invalid_input', detail: 'é'.repeat(3000), issues: long } });
  expect(shown['rejection']).toMatchObject({ issue_count: 100, issues: { length: 5 } });
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(4096);
});

test('given a failure with a long detail, then it is shortened', () => {
  const shown = shownData(storedEvent('run_failed', { attempt: 1, detail: 'd'.repeat(9000) }));
  expect(shown).toEqual({ attempt: 1, detail: expect.stringMatching(/^d{1000,}…$/) });
});

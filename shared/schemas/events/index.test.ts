import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { EVENT_SCHEMAS, isReservedEventType, RESERVED_EVENT_TYPES, UNLISTED_EVENT_SCHEMAS } from './index.ts';

const DIGEST = 'a'.repeat(64);

test("the schemas are those of the contract's 48 types", () => {
  expect(RESERVED_EVENT_TYPES).toHaveLength(48);
  expect(Object.keys(EVENT_SCHEMAS).toSorted()).toEqual([...RESERVED_EVENT_TYPES].toSorted());
});

test.each([
  ['run_started', true],
  ['reaction_refused', true],
  ['order.paid', false],
  ['RUN_STARTED', false],
  ['', false],
  ['constructor', false],
])('given %j, then whether it is reserved is %s', (type, isReserved) => {
  expect(isReservedEventType(type)).toBe(isReserved);
});

test('event types that no list shows are not reserved', () => {
  expect(Object.keys(UNLISTED_EVENT_SCHEMAS).filter(isReservedEventType)).toEqual([]);
});

test('given a test of a tool, then its events carry the id of the call', () => {
  const call = { call_id: '0198c5a0-0000-7000-8000-000000000001', server: 'shop', tool: 'find' };
  expect(Value.Check(EVENT_SCHEMAS.tool_call_started, { ...call, arguments_bytes: 2 })).toBe(true);
  expect(Value.Check(EVENT_SCHEMAS.tool_call_answered, call)).toBe(true);
  expect(Value.Check(EVENT_SCHEMAS.tool_call_failed, { ...call, because: 'timed_out' })).toBe(true);
});

describe('large values that are stored apart', () => {
  test.each([
    ['run_started', { attempt: 1, input_sha256: DIGEST }],
    ['run_succeeded', { attempt: 1 }],
    ['run_rejected', { attempt: 1, rejection: { reason: 'conflict', detail: 'No.' } }],
    ['tool_call_started', { server: 'shop', tool: 'find', arguments_bytes: 5000, arguments_sha256: DIGEST }],
    ['tool_call_answered', { server: 'shop', tool: 'find', result_bytes: 5000 }],
    ['request_answered', { answered_by: 'ada' }],
    [
      'event_published',
      {
        event: { source: '/a', type: 'b', id: '1', time: 'now', region: 'north' },
        time_given: true,
      },
    ],
  ] as const)('given %s without them, then its data is valid', (type, data) => {
    expect([...Value.Errors(EVENT_SCHEMAS[type], data)]).toEqual([]);
  });

  test('given an unknown field, then the data is invalid', () => {
    expect(Value.Check(EVENT_SCHEMAS.run_failed, { attempt: 1, detail: 'No.', why: 'x' })).toBe(false);
  });
});

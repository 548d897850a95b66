import { expect, test } from 'vitest';
import { triggersOf } from './triggers.ts';

test('given no schedule there are no triggers', () => {
  expect(triggersOf(undefined)).toEqual([]);
});

test('given events, each filter is listed with its pointer, its type and what else events must have', () => {
  const on = { all: [{ with: { type: 'a', source: '/x', data: '${ .y }' } }, { with: { subject: 'b' } }] };
  expect(triggersOf({ on })).toEqual([
    {
      kind: 'event',
      reference: '/schedule/on',
      filters: [
        { reference: '/schedule/on/all/0', type: 'a', attributes: { source: '/x', data: '${ .y }' } },
        { reference: '/schedule/on/all/1', attributes: { subject: 'b' } },
      ],
    },
  ]);
  expect(triggersOf({ on: { one: { with: { type: 'a' } } } })).toMatchObject([
    { filters: [{ reference: '/schedule/on/one', type: 'a', attributes: {} }] },
  ]);
});

test('given a `read` other than the data, the trigger has it', () => {
  const on = { one: { with: { type: 'a' } } };
  expect(triggersOf({ on, read: 'data' })[0]).not.toHaveProperty('read');
  expect(triggersOf({ on, read: 'envelope' })).toMatchObject([{ read: 'envelope' }]);
});

test('given `any` of nothing, every event is meant', () => {
  expect(triggersOf({ on: { any: [], until: '. | length > 3' } })).toEqual([
    { kind: 'event', reference: '/schedule/on', filters: [] },
  ]);
});

test('given timers, they are listed as the contract has them, beside events too', () => {
  expect(triggersOf({ cron: '0 8 * * *', timezone: 'UTC' })).toEqual([
    { kind: 'cron', reference: '/schedule/cron', expression: '0 8 * * *' },
  ]);
  expect(triggersOf({ every: { minutes: 5 } })).toEqual([
    { kind: 'every', reference: '/schedule/every', milliseconds: 300_000 },
  ]);
  expect(triggersOf({ after: 'PT1H', on: { any: [] } }).map(({ kind }) => kind)).toEqual(['event', 'after']);
  expect(triggersOf({ after: 'PT1H' })).toEqual([
    { kind: 'after', reference: '/schedule/after', milliseconds: 3_600_000 },
  ]);
});

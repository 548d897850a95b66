import { describe, expect, test } from 'vitest';
import { blankList, eventInputOf, eventWords, listedOf, listedType, passes } from './event-input.ts';

const filter = (reference: string, type?: string, attributes = {}) => ({
  reference: `/schedule/on/${reference}`,
  ...(type !== undefined && { type }),
  attributes,
});
const trigger = (filters: ReturnType<typeof filter>[], read?: 'envelope' | 'raw') => [
  { kind: 'event' as const, reference: '/schedule/on', filters, ...(read !== undefined && { read }) },
];

test('a workflow that the clock starts has no list of events', () => {
  expect(eventInputOf([{ kind: 'every', reference: '/schedule/every', milliseconds: 1000 }])).toBeUndefined();
  expect(eventInputOf(undefined)).toBeUndefined();
});

describe('the list has', () => {
  test('one item for one event and for any of several, in words and blank', () => {
    const one = eventInputOf(trigger([filter('one', 'order.paid')]));
    const any = eventInputOf(trigger([filter('any/0', 'a'), filter('any/1')]));
    expect([one, any].map((input) => input && [eventWords(input), blankList(input)])).toEqual([
      ['`order.paid`', [{}]],
      ['`a` or any type', [{}]],
    ]);
  });

  test('an item for each event where all are needed', () => {
    const all = eventInputOf(trigger([filter('all/0', 'a', { source: '/x' }), filter('all/1', 'b')], 'envelope'));
    expect(all && [eventWords(all), blankList(all)]).toEqual([
      '`a` and `b`',
      [
        { specversion: '1.0', id: '', source: '/x', type: 'a', data: {} },
        { specversion: '1.0', id: '', source: '', type: 'b', data: {} },
      ],
    ]);
  });

  test('what is read of an event', () => {
    const event = { type: 'a', data: { n: 1 } };
    expect([listedOf(event, 'data'), listedOf(event, 'envelope'), listedOf(event, 'raw')]).toEqual([
      { n: 1 },
      event,
      '{"n":1}',
    ]);
    expect(listedOf({ data: 'text' }, 'raw')).toBe('text');
    expect(listedOf({ type: 'a' }, 'data')).toBeNull();
  });
});

test('events are listed by the type of the filters if they have one in common', () => {
  expect(listedType([filter('one', 'a')])).toBe('a');
  expect(
    [[], [filter('any/0', 'a'), filter('any/1', 'b')], [filter('one')], [filter('one', '${ .t }')]].map(listedType),
  ).toEqual(Array(4).fill('event_published'));
});

test('an event passes a filter with its type and attributes, whatever its expressions', () => {
  const filters = [filter('one', 'a', { source: '/x', subject: '${ .s }' })];
  expect(passes({ type: 'a', source: '/x', subject: 'y' }, filters)).toBe(true);
  expect(passes({ type: 'a', source: '/y' }, filters)).toBe(false);
  expect(passes({ type: 'b', source: '/x' }, filters)).toBe(false);
  expect(passes({ type: 'b' }, [])).toBe(true);
  expect(passes(undefined, [])).toBe(false);
});

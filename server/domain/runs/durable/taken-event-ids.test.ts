// Workflows that publish events whose source and id another event has: the event that came first counts, whatever is
// decided or recorded together.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { PLACE, startTop } from '../../../test/durability/callers.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import { ADD_ONE, commitAll, look, topOf, useSteppedCases } from '../../../test/durability/stepped-cases.testing.ts';

const { given, begun, start } = useSteppedCases();

const emit = (attributes: JsonObject): JsonObject => ({
  emit: { event: { with: { id: 'one', type: 'told', ...attributes } } },
  output: { as: '$input' },
});
const HERE = { source: '/here' };
const publishedIn = (file: string): unknown[] =>
  look<{ data: string }>(file, `SELECT data FROM events WHERE type = 'event_published'`).map(
    ({ data }) => (JSON.parse(data) as JsonObject)['data'],
  );
const failedIn = (file: string): unknown[] =>
  look(
    file,
    `SELECT json_extract(data, '$.step') AS step FROM events WHERE type = 'step_failed' ORDER BY read_position`,
  );

test.each([
  ['at the start', [], HERE],
  ['after an input', [ADD_ONE], HERE],
  ['with the run as its source', [], {}],
  ['with the run as its source, after an input', [ADD_ONE], {}],
])(
  'given two events with one id in one decision %s, then the first is published and the second fails',
  async (_, before, source) => {
    const file = await given([...before, emit({ ...source, data: 'first' }), emit({ ...source, data: 'second' })]);
    const service = await begun(file);
    await commitAll(service);
    expect(await topOf(service)).toMatchObject({ status: 'rejected', reason: 'invalid_input' });
    expect(publishedIn(file)).toEqual(['first']);
    expect(failedIn(file)).toMatchObject([{ step: `/do/${before.length + 1}/s${before.length + 2}` }]);
  },
);

test('given the same event twice in one decision, then it is published once', async () => {
  const time = '2026-01-01T00:00:00Z';
  const file = await given([emit({ ...HERE, data: 'same', time }), emit({ ...HERE, data: 'same', time })]);
  const service = await begun(file);
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
  expect(publishedIn(file)).toEqual(['same']);
});

test.each([
  ['at the start', []],
  ['after an input', [ADD_ONE]],
])('given an event of another caller, then the step that publishes one with its id fails %s', async (_, before) => {
  const file = await given([...before, emit({ ...HERE, data: 'mine' })]);
  const outside = start(file);
  void outside.begin();
  await commitAll(outside);
  const event = { type: 'told', source: '/here', id: 'one', data: 'theirs' };
  const published = outside.events.publish(PLACE, event, 'developer', 'a'.repeat(32));
  await commitAll(outside);
  await published;
  startTop(outside).catch(() => {});
  await commitAll(outside);
  expect(await topOf(outside)).toMatchObject({ status: 'rejected', reason: 'invalid_input' });
  expect(publishedIn(file)).toEqual(['theirs']);
  expect(failedIn(file)).toHaveLength(1);
  expect(breachesOf(file)).toEqual([]);
});

test('given an event id that comes again in the next turn of a loop, then only the first turn publishes', async () => {
  const file = await given([
    { for: { in: '[range(2)]', each: 'n' }, do: [{ tell: emit({ ...HERE, data: '${ $n }' }) }] },
  ]);
  const service = await begun(file);
  await commitAll(service);
  expect(publishedIn(file)).toEqual([0]);
});

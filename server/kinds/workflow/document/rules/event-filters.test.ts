import { describe, expect, test } from 'vitest';
import { createChecking } from '../checking.testing.ts';

const { issuesOf, warningsOf } = createChecking();

const listening = (to: string): string => `do:\n  - a: { listen: { to: ${to} } }`;
const starting = (on: string): string => `do: []\nschedule: { on: ${on} }`;
const correlated = (correlation: string): string =>
  listening(`{ one: { with: { type: adm }, correlate: { p: ${correlation} } } }`);

describe('events that the service records itself', () => {
  test.each([
    ['{ one: { with: { type: run_rejected } } }', '/schedule/on/one/with/type', 'run_rejected'],
    ['{ one: { with: { type: run_failed } } }', '/schedule/on/one/with/type', 'run_failed'],
    [
      '{ all: [{ with: { type: mine } }, { with: { type: step_failed } }] }',
      '/schedule/on/all/1/with/type',
      'step_failed',
    ],
    [
      '{ any: [{ with: { type: mine } }], until: { one: { with: { type: event_published } } } }',
      '/schedule/on/until/one/with/type',
      'event_published',
    ],
  ])('start no workflow: %s', async (on, pointer, type) => {
    expect(await issuesOf(starting(on))).toEqual([
      expect.stringContaining(
        `${pointer} Events of the type \`${type}\`, which the service records itself, start no workflow; \`emit\` an event`,
      ),
    ]);
  });

  test.each([
    ['{ one: { with: { type: run_succeeded } } }', '/do/0/a/listen/to/one/with/type'],
    ['{ any: [], until: { one: { with: { type: interaction_requested } } } }', '/do/0/a/listen/to/until/one/with/type'],
  ])('reach no run, which is a warning: %s', async (to, pointer) => {
    expect(await warningsOf(listening(to))).toEqual([expect.stringContaining(`${pointer} Events of the type`)]);
    expect(await warningsOf(listening(to))).toEqual([expect.stringContaining('so this never matches')]);
  });

  test('are emitted by no workflow', async () => {
    expect(await issuesOf('do:\n  - a: { emit: { event: { with: { type: run_started } } } }')).toEqual([
      expect.stringContaining('/do/0/a/emit/event/with/type `run_started` is a type of the service'),
    ]);
  });

  test.each([starting('{ one: { with: { type: run_done } } }'), listening('{ one: { with: { type: run-failed } } }')])(
    'are not those of a similar type: %s',
    async (body) => {
      expect(await warningsOf(body)).toEqual([]);
    },
  );
});

describe('a correlation that cannot match as it is written', () => {
  test.each([
    ['.data.patientId', '`.patientId`'],
    ['"${ .data.patientId }"', '`.patientId`'],
    [`'.data["patient id"]'`, '`.["patient id"]`'],
    ['.data', '`.`'],
    ['\'."data".id\'', '`.id`'],
    ['.data.a | ascii_upcase', '`.a | ascii_upcase`'],
  ])('`from: %s` reads the data of the data', async (from, instead) => {
    expect(await warningsOf(correlated(`{ from: ${from} }`))).toEqual([
      expect.stringContaining(
        `/do/0/a/listen/to/one/correlate/p/from \`from\` reads the data of the event, not the event, so this is the field \`data\` in the data; for the data itself, write ${instead}.`,
      ),
    ]);
  });

  test.each([
    ['.id', 'is the text `".id"`; for its value, write `${ .id }`.'],
    ['$context.id', 'is the text `"$context.id"`; for its value, write `${ $context.id }`.'],
    ['vip', 'is the text `"vip"`; for an expression, write it in ${ }; for the text, `${ "vip" }`.'],
  ])('`expect: %s` is a text', async (expected, words) => {
    expect(await warningsOf(correlated(`{ from: .patientId, expect: ${expected} }`))).toEqual([
      expect.stringContaining(`/do/0/a/listen/to/one/correlate/p/expect \`expect\` without \${ } ${words}`),
    ]);
  });

  test.each(['.id', '.', '$runtime | [., .id]', '"a" + .id'])(
    '`expect: %s` of a schedule is null',
    async (expected) => {
      const correlate = `{ p: { from: .id, expect: '\${ ${expected} }' } }`;
      expect(await warningsOf(starting(`{ one: { with: { type: adm }, correlate: ${correlate} } }`))).toEqual([
        expect.stringContaining(
          '/schedule/on/one/correlate/p/expect `expect` in a schedule is evaluated before there is',
        ),
      ]);
    },
  );

  test.each(['"a.b"', '1.5', '"a" | ascii_upcase', '{ "a": 1 }.a'])(
    '`expect: %s` of a schedule is none',
    async (expected) => {
      const correlate = `{ p: { from: .id, expect: '\${ ${expected} }' } }`;
      expect(await warningsOf(starting(`{ one: { with: { type: adm }, correlate: ${correlate} } }`))).toEqual([]);
    },
  );

  test('is found in a schedule and in `until`, too', async () => {
    const filter = '{ with: { type: adm }, correlate: { p: { from: .data.id } } }';
    for (const on of [`{ one: ${filter} }`, `{ any: [], until: { one: ${filter} } }`]) {
      // oxlint-disable-next-line no-await-in-loop -- two documents
      expect(await warningsOf(starting(on))).toEqual([expect.stringContaining('/correlate/p/from `from` reads')]);
    }
  });

  test.each([
    '{ from: .patientId, expect: "${ .id }" }',
    '{ from: .dataset, expect: "${ .id }" }',
    '{ from: "[.a, .data]", expect: "${ .id }" }',
  ])('%s is none', async (correlation) => {
    expect(await warningsOf(correlated(correlation))).toEqual([]);
  });
});

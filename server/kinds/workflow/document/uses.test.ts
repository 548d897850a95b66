import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import type { DeclaredSchemas, Declarations } from '../../checked.ts';
import { createChecking } from './checking.testing.ts';

const { checked, warningsOf } = createChecking();

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const TEXT = { type: 'string' };
const SCORE = {
  input: object(
    { title: TEXT, plan: { enum: ['free', 'team'] } },
    { required: ['title'], additionalProperties: false },
  ),
  output: object({ score: { type: 'integer' }, parts: { type: 'array', items: object({ label: TEXT }) } }),
};
const APPROVE = { input: undefined, output: object({ approved: { type: 'boolean' }, comment: TEXT }) };
const CALLED: Readonly<Record<string, DeclaredSchemas>> = {
  'computation/score': SCORE,
  'interaction/approve': APPROVE,
};
const DECLARED: Declarations = {
  async schemasOf(type, name) {
    return CALLED[`${type}/${name}`];
  },
  events: async () => ({
    emits: ['ticket.opened'],
    receives: ['ticket.scored', 'ticket.closed'],
    emitsAny: false,
    receivesAny: false,
  }),
};

const INPUT = 'input: { schema: { document: { type: object, properties: { title: { type: string } } } } }\n';
const score = (given: string, then = ''): string =>
  `${INPUT}do:\n  - score: { call: computation/score, with: ${given} }\n${then}`;
const SCORED = score('{ title: a }');

async function usesOf(body: string, declarations = DECLARED): Promise<string[]> {
  const { checkUses } = await checked(body);
  const found = await checkUses(declarations);
  return found.map(
    ({ line, column, pointer, detail }) => `${line}:${column} ${pointer.replace('/source', '')} ${detail}`,
  );
}

describe('the input of a call', () => {
  test.each([
    [
      'a field that the function does not have',
      '{ title: a, plann: free }',
      '/do/0/score/with/plann',
      'did you mean `plan`?',
    ],
    ['a missing field', '{ plan: "${ .plan // null }" }', '/do/0/score/with', 'is missing the required field `title`'],
    ['no input at all', '{}', '/do/0/score/with', 'is missing the required field `title`'],
    [
      'a value that does not match',
      '{ title: "${ .title }", plan: gold }',
      '/do/0/score/with/plan',
      '`computation/score` rejects this input',
    ],
    ['an expression that makes an object', '"${ { titel: .title } }"', '/do/0/score/with', 'did you mean `title`?'],
  ])('%s is a warning', async (_, given, pointer, words) => {
    const found = await usesOf(score(given));
    const shown = found.filter((one) => one.startsWith('5:') && one.includes(` ${pointer}`) && one.includes(words));
    expect(shown).toHaveLength(1);
  });

  test.each([
    ['matches', '{ title: a, plan: free }'],
    ['is only known in a run', '{ title: "${ .title }", plan: "${ .title }" }'],
    ['is an expression', '"${ . }"'],
  ])('an input that %s has no warning', async (_, given) => {
    expect(await usesOf(score(given))).toEqual([]);
  });
});

describe('the fields of an output', () => {
  test.each([
    [
      'of a call',
      `${SCORED}  - next: { set: { of: "\${ .scor }" } }`,
      '/do/1/next/set/of',
      'The output of `computation/score` declares no field `scor`; did you mean `score`?',
    ],
    [
      'of an item',
      `${SCORED}  - next: { set: { of: "\${ .parts | map(.name) }" } }`,
      '/do/1/next/set/of',
      '`parts[]` in the output of `computation/score` declares no field `name`; its fields are `label`.',
    ],
    [
      'of an answer, in a switch',
      'do:\n  - ask: { call: interaction/approve }\n  - next: { switch: [{ yes: { when: .aproved, then: end } }] }',
      '/do/1/next/switch/0/yes/when',
      'did you mean `approved`?',
    ],
    [
      'that was exported to the context',
      `do:\n  - ask: { call: interaction/approve, export: { as: '\${ { answer: . } }' } }\n  - wait: { wait: PT1S }\n  - next: { set: { of: "\${ $context.answer.coment }" } }`,
      '/do/2/next/set/of',
      'did you mean `comment`?',
    ],
    [
      "of the workflow's input",
      `${INPUT}do:\n  - a: { set: { of: "\${ .titel }" } }`,
      '/do/0/a/set/of',
      "The workflow's input declares no field `titel`; did you mean `title`?",
    ],
    [
      'of an earlier step, once `set` has replaced it',
      `${SCORED}  - a: { set: { x: 1 } }\n  - b: { set: { of: "\${ .score }" } }`,
      '/do/2/b/set/of',
      'The output of the step `a` has no field `score`; its fields are `x`.',
    ],
    [
      'of the item of a loop',
      `${SCORED}  - a: { for: { each: part, in: .parts }, do: [{ b: { set: { x: "\${ $part.lable }" } } }] }`,
      '/do/1/a/do/0/b/set/x',
      '`parts[]` in the output of `computation/score` declares no field `lable`; did you mean `label`?',
    ],
    [
      'in a branch',
      `${SCORED}  - a: { fork: { branches: [{ b: { set: { x: "\${ .scor }" } } }] } }`,
      '/do/1/a/fork/branches/0/b/set/x',
      'did you mean `score`?',
    ],
    [
      'in a raised error',
      `${SCORED}  - a: { raise: { error: { type: a, status: 400, detail: '\${ "No \\(.scor)" }' } } }`,
      '/do/1/a/raise/error/detail',
      'did you mean `score`?',
    ],
    [
      'that a call is given, once',
      `${SCORED}  - a: { call: computation/score, with: { title: '\${ .titel }' } }`,
      '/do/1/a/with/title',
      'The output of `computation/score` declares no field `titel`',
    ],
    ['in the output of the workflow', `${SCORED}output: { as: .scores }`, '/output/as', 'did you mean `score`?'],
  ])('%s: a missing one is a warning', async (_, body, pointer, words) => {
    const found = await usesOf(body);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(` ${pointer} `);
    expect(found[0]).toContain(words);
  });

  test.each([
    ['a field that exists', `${SCORED}  - a: { set: { of: "\${ .score + 1 }" } }`],
    ['a field with a default', `${SCORED}  - a: { set: { of: "\${ .scor // 0 }" } }`],
    [
      'a field that one of two ways provides',
      `do:\n  - a: { switch: [{ x: { when: .y, then: c } }] }\n  - b: { call: computation/score, with: { title: a } }\n  - c: { set: { of: "\${ .other }" } }`,
    ],
    [
      'a step that a later one returns to',
      `${SCORED}  - a: { set: { x: "\${ .n }" } }\n  - b: { set: { n: 1 }, then: a }`,
    ],
    ['an expression that is left to jq', `${SCORED}  - a: { set: { x: "\${ . as $o | $o.none }" } }`],
    ['the steps of a loop', `${SCORED}  - a: { for: { in: .parts }, do: [{ b: { set: { x: "\${ .other }" } } }] }`],
    [
      'what an error handler gets',
      `do:\n  - a: { try: [{ b: { call: computation/score, with: { title: a } } }], catch: { do: [{ c: { set: { x: "\${ .other }" } } }] } }`,
    ],
    [
      'a workflow with extensions',
      `use: { extensions: [{ e: { extend: all, after: [{ s: { set: { x: 1 } } }] } }] }\n${SCORED}  - a: { set: { x: "\${ .none }" } }`,
    ],
  ])('%s: no warning', async (_, body) => {
    expect(await usesOf(body)).toEqual([]);
  });
});

describe('the types of events', () => {
  const emit = (type: string): string => `do:\n  - a: { emit: { event: { with: { type: ${type} } } } }`;
  const on = (type: string): string => `schedule: { on: { one: { with: { type: ${type} } } } }\ndo: []`;

  test.each([
    [
      'a misspelling of a type that is received',
      emit('ticket.score'),
      'did you mean `ticket.scored`, which is received?',
    ],
    [
      'a misspelling of a type that is received, beside another one,',
      `${emit('order.paid')}\n  - b: { emit: { event: { with: { type: ticket.score } } } }`,
      'did you mean `ticket.scored`, which is received?',
    ],
    [
      'a misspelling of a type that is emitted',
      on('ticket.opend'),
      '/schedule/on/one/with/type No definition of the playbook emits events of type `ticket.opend`; did you mean `ticket.opened`',
    ],
  ])('%s is a warning', async (_, body, words) => {
    expect(await usesOf(body)).toEqual([expect.stringContaining(words)]);
  });

  test.each([
    ['a type that is received', emit('ticket.scored')],
    ['a type that only a run knows', emit('"${ .type }"')],
    ['a type that goes outside', emit('order.paid')],
    ['a type that comes from outside', on('order.paid')],
    ['a type that differs in a word', on('ticket.closed')],
    [
      'a type that ends a wait',
      `${emit('ticket.close')}\n  - b: { listen: { to: { any: [{ with: { type: x } }], until: { one: { with: { type: ticket.close } } } } } }`,
    ],
    [
      'a type, where the workflow itself takes any event until another',
      `${emit('ticket.score')}\n  - b: { listen: { to: { any: [], until: { one: { with: { type: x } } } } } }`,
    ],
    [
      'a type beside a similar one that it emits as well',
      `${emit('ticket.scored')}\n  - b: { emit: { event: { with: { type: ticket.score } } } }`,
    ],
    [
      'a type that is similar to the one that starts it',
      `${on('ticket.scored').replace('do: []', '')}${emit('ticket.score')}`,
    ],
    [
      'a type beside a similar one that it waits for as well',
      'do:\n  - b: { listen: { to: { any: [{ with: { type: ticket.opened } }, { with: { type: ticket.open } }] } } }',
    ],
    [
      'a type that the workflow itself waits for',
      `${emit('order.paid')}\n  - b: { listen: { to: { one: { with: { type: order.paid } } } } }`,
    ],
  ])('%s: no warning', async (_, body) => {
    expect(await usesOf(body)).toEqual([]);
  });

  test('a misspelling of a type that the workflow itself waits for is a warning at both places', async () => {
    const listen = '  - b: { listen: { to: { one: { with: { type: order.paid } } } } }';
    expect(await usesOf(`${emit('order.payd')}\n${listen}`)).toEqual([
      expect.stringContaining('did you mean `order.paid`, which is received?'),
      expect.stringContaining('did you mean `order.payd`, which is emitted?'),
    ]);
  });

  test('nothing is certain where some definition takes any event', async () => {
    const anyEvents = async () => ({ emits: [], receives: [], emitsAny: true, receivesAny: true });
    expect(await usesOf(emit('ticket.score'), { ...DECLARED, events: anyEvents })).toEqual([]);
  });
});

test('a call of a definition that does not exist names the one that was perhaps meant', async () => {
  const body = 'do:\n  - a: { call: computation/scor }';
  const context = { definitionExists: () => false, nearestDefinition: () => 'computation/score' };
  expect(await warningsOf(body, context)).toEqual([
    expect.stringContaining('The playbook has no active `computation/scor`; did you mean `computation/score`?'),
  ]);
});

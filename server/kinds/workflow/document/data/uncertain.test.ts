// Invariant 1 of trace.ts: nothing is reported about what is not certain.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../shared/json.ts';
import type { Declarations } from '../../../checked.ts';
import { createChecking } from '../checking.testing.ts';
import { SAMPLES } from '../samples.testing.ts';

const { checked } = createChecking();

const A = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
const B = { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false };

async function usesOf(body: string, output: JsonObject | undefined, input?: JsonObject): Promise<string[]> {
  const declarations: Declarations = {
    schemasOf: async () => ({ input, output }),
    events: async () => ({ emits: [], receives: [], emitsAny: false, receivesAny: false }),
  };
  const { checkUses } = await checked(body);
  return (await checkUses(declarations)).map(({ pointer, detail }) => `${pointer.replace('/source', '')} ${detail}`);
}

const reads = (expression: string): string =>
  `do:\n  - used: { call: computation/fun }\n  - read: { set: { it: '\${ ${expression} }' } }`;

test.each(Object.entries(SAMPLES))('the sample of %s has no warning', async (_, body) => {
  expect(await usesOf(body, undefined)).toEqual([]);
});

test.each<[string, JsonObject, string]>([
  ['a reference', { $ref: '#/$defs/a', $defs: { a: A } }, '.a'],
  ['a reference to an anchor', { $ref: '#a', $defs: { a: { ...B, $anchor: 'a' }, b: A } }, '.a'],
  [
    'a reference within a schema with an id',
    {
      type: 'object',
      properties: { x: { $id: 'https://a.example/x', properties: { y: { $ref: '#/$defs/s' } }, $defs: { s: A } } },
      additionalProperties: false,
      $defs: { s: B },
    },
    '.x.y.a',
  ],
  ['a reference to itself', { type: 'object', properties: { next: { $ref: '#' } } }, '.next.next.next.other'],
  ['alternatives', { anyOf: [A, B] }, '.a'],
  ['alternatives of which one is null', { anyOf: [A, { type: 'null' }] }, '.a'],
  ['exclusive alternatives', { oneOf: [A, B] }, '[.a, .b]'],
  ['alternatives of which one is open', { anyOf: [A, { type: 'object' }] }, '.c'],
  ['alternatives of which one is anything', { anyOf: [A, true] }, '.c'],
  [
    'schemas that all hold',
    { allOf: [{ type: 'object', properties: { a: true } }, { properties: { b: true } }] },
    '.b',
  ],
  [
    'a condition',
    { ...A, additionalProperties: true, if: { required: ['a'] }, then: { properties: { b: true } } },
    '.b',
  ],
  ['other properties', { ...A, additionalProperties: true }, '.b'],
  ['other properties with a schema', { ...A, additionalProperties: { type: 'number' } }, '.b'],
  ['properties by pattern', { ...A, patternProperties: { '^x': true } }, '.x1'],
  ['a constant', { const: { b: 1 } }, '.b'],
  ['a constant beside properties', { type: 'object', properties: { a: true }, const: { b: 1 } }, '.b'],
  ['enumerated objects', { enum: [{ a: 1 }, { b: 1 }] }, '.b'],
  ['a nullable object', { ...A, type: ['object', 'null'] }, '.a'],
  [
    'dependent schemas',
    { type: 'object', properties: { a: true }, dependentSchemas: { a: { properties: { b: true } } } },
    '.b',
  ],
  [
    'unevaluated properties',
    { type: 'object', properties: { a: true }, unevaluatedProperties: { type: 'string' } },
    '.b',
  ],
  ['no properties at all', { type: 'object' }, '.b'],
  ['no schema at all', {}, '.b'],
  ['a name of the prototype', { type: 'object', properties: { constructor: A } }, '.constructor.a'],
  ['items by place', { type: 'object', properties: { l: { prefixItems: [A], items: B } } }, '.l[0].a'],
  [
    'items of several kinds',
    { type: 'object', properties: { l: { type: 'array', items: { anyOf: [A, B] } } } },
    '.l[].b',
  ],
])('the output of a call with %s: a field that may exist has no warning', async (_, schema, expression) => {
  expect(await usesOf(reads(expression), schema)).toEqual([]);
});

test.each([
  ['a variable', '. as $whole | $whole.none'],
  ['a destructured variable', '. as {a: $x} | $x.none'],
  ['a reduction', 'reduce .a as $x ({}; .none)'],
  ['an object with renamed fields', '{ none: .a } | .none'],
  ['an object with a computed name', '{ (.a): 1 } | .none'],
  ['an object with its other fields', '(. + { none: 1 }) | .none'],
  ['a merged object', '(. * { none: 1 }) | .none'],
  ['entries', 'to_entries | map(.key) | .[0]'],
  ['changed entries', 'with_entries(.value) | .none'],
  ['an assignment', '(.none = 1) | .none'],
  ['an update', '(.a |= .none) | .none'],
  ['a path', 'getpath(["none"])'],
  ['a computed index', '.[.a]'],
  ['a computed name', '.["no" + "ne"]'],
  ['an optional field', '.none?'],
  ['a try', 'try .none catch null'],
  ['a test whether it exists', 'if has("none") then .none else 1 end'],
  ['a deletion', 'del(.none)'],
  ['a definition', 'def f: .none; f'],
  ['parsed text', '.a | fromjson | .none'],
  ['a parsed member', '(.a | fromjson).none'],
  ['all values', '.. | .none?'],
  ['a default', '.none // 1'],
  ['a default of a path', '.none.other // 1'],
  ['a default after a pipe', '(. | .none) // 1'],
  ['any of generated values', 'any({ none: 1 }; .none == 1)'],
  ['the first of', 'first({ none: 1 }) | .none'],
  ['an alternative', '(if .a then { none: 1 } else . end) | .none'],
  ['a comma', '[., { none: 1 }] | map(.none)'],
  ['a comment', '.a # .none'],
])('an expression with %s has no warning', async (_, expression) => {
  expect(await usesOf(reads(expression), A)).toEqual([]);
});

const listed = '{ "type": "array" }';
test.each([
  ['a loop over its items', '  - s: { for: { each: it, in: .l }, do: [{ t: { set: { x: "${ $it.none }" } } }] }'],
  [
    'a variable of a loop that is called like one of the language',
    '  - s: { for: { each: output, in: .l }, do: [{ t: { set: { x: "${ $output.none }" } } }] }',
  ],
  [
    'branches that read what others export',
    `  - c: { set: { k: 1 }, export: { as: . } }
  - s: { fork: { branches: [
      { one: { do: [{ e: { set: { none: 1 }, export: { as: '\${ $context + { none: . } }' } } }] } },
      { two: { do: [{ w: { wait: PT1S } }, { r: { set: { x: '\${ $context.none }' } } }] } }] } }`,
  ],
  [
    'what another branch exports',
    `  - c: { call: computation/fun, export: { as: . } }
  - s: { fork: { branches: [
      { one: { set: { none: 1 }, export: { as: . } } },
      { two: { set: { x: '\${ $context.none }' } } }] } }`,
  ],
  [
    'a listen that exports from its loop',
    `  - c: { set: { k: 1 }, export: { as: . } }
  - l: { listen: { to: { one: { with: { type: a } } } }, foreach: { item: it, do: [{ t: { set: { x: 1 } } }], export: { as: '\${ { none: . } }' } } }
  - r: { set: { x: '\${ $context.none }' } }`,
  ],
  [
    'an error after the first of two exports',
    `  - c: { set: { k: 1 }, export: { as: . } }
  - t:
      try:
        - one: { set: { none: 1 }, export: { as: . } }
        - two: { set: { other: 1 }, export: { as: . } }
      catch: {}
  - r: { set: { x: '\${ $context.none }' } }`,
  ],
  [
    'an error after the first of two exports, handled',
    `  - c: { set: { k: 1 }, export: { as: . } }
  - t:
      try:
        - one: { set: { none: 1 }, export: { as: . } }
        - two: { set: { other: 1 }, export: { as: . } }
      catch: { do: [{ h: { set: { k: 1 } } }] }
  - r: { set: { x: '\${ $context.none }' } }`,
  ],
  ['a step that is skipped', `  - s: { if: .a, set: { none: 1 } }\n  - r: { set: { x: '\${ .none }' } }`],
  [
    'a case that jumps over a step',
    `  - s: { switch: [{ y: { when: .a, then: r } }] }\n  - m: { set: { none: 1 } }\n  - r: { set: { x: '\${ .none }' } }`,
  ],
  [
    'a way back',
    `  - m: { set: { none: 1 } }\n  - r: { set: { x: '\${ .none }', y: '\${ .z }' } }\n  - b: { set: { none: 1, z: 1 }, then: r }`,
  ],
  ['a function of the document', `  - s: { call: own }\n  - r: { set: { x: '\${ .none }' } }`],
  [
    'an output that is renamed',
    `  - s: { set: { a: 1 }, output: { as: '\${ { none: .a } }' } }\n  - r: { set: { x: '\${ .none }' } }`,
  ],
  ['an input that is renamed', `  - s: { input: { from: '\${ { none: .a } }' }, set: { x: '\${ .none }' } }`],
  [
    'a function of the document that exports',
    `  - c: { set: { k: 1 }, export: { as: . } }\n  - s: { call: exporting }\n  - r: { set: { x: '\${ $context.none }' } }`,
  ],
  [
    'a loop around such a function',
    `  - c: { set: { k: 1 }, export: { as: . } }
  - s: { for: { in: '[1]' }, do: [{ t: { call: exporting } }] }
  - r: { set: { x: '\${ $context.none }' } }`,
  ],
  [
    'the earlier tries of what is tried again',
    `  - c: { set: { k: 1 }, export: { as: . } }
  - s:
      try: [{ t: { set: { x: '\${ $context.none }' } } }, { u: { set: { none: 1 }, export: { as: . } } }]
      catch: { retry: { limit: { attempt: { count: 1 } } } }`,
  ],
  ['what an event contains', `  - s: { listen: { to: { any: [] } } }\n  - r: { set: { x: '\${ .[0].none }' } }`],
  ['an emitted event', `  - s: { emit: { event: { with: { type: a } } } }\n  - r: { set: { x: '\${ .none }' } }`],
  [
    'a run that is not awaited',
    `  - s: { run: { workflow: { name: other }, await: false } }\n  - r: { set: { x: '\${ .a }' } }`,
  ],
  [
    'an HTTP response',
    `  - s: { call: http, with: { method: get, endpoint: 'https://a.example' } }\n  - r: { set: { x: '\${ .none }' } }`,
  ],
])('data that comes from %s has no warning', async (_, steps) => {
  const functions =
    'use: { functions: { own: { set: { none: 1 } }, exporting: { set: { none: 1 }, export: { as: . } } } }\n';
  const body = `${functions}do:\n  - used: { call: computation/fun }\n${steps}`;
  expect(await usesOf(body, { ...A, properties: { ...A.properties, l: JSON.parse(listed) } })).toEqual([]);
});

const PLAN = { enum: ['free', 'team'] };
test.each<[string, JsonObject, string]>([
  [
    'a reference',
    { $ref: '#/$defs/s', $defs: { s: { type: 'object', properties: { plan: PLAN } } } },
    '{ plan: free }',
  ],
  ['an unknown part that decides', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }, '{ a: "${ .a }" }'],
  ['unknown items', { type: 'object', properties: { l: { type: 'array', minItems: 3 } } }, '{ l: ["${ .a }"] }'],
  ['a constant', { type: 'object', properties: { a: { const: 'x' } } }, '{ a: "${ .a }" }'],
  ['a constant object with an unknown part', { const: { a: 'x' } }, '{ a: "${ .a }" }'],
  [
    'a description that reads like an issue',
    { type: 'object', properties: { a: { type: 'string', description: 'It has an unknown field `x`' } } },
    '{ a: "${ .a }" }',
  ],
  ['a list of objects with an unknown part', { enum: [{ a: 'x' }] }, '{ a: "${ .a }" }'],
  ['dynamic names', { type: 'object', required: ['x'] }, '"${ { (.a): 1 } }"'],
  ['the other fields of its input', { type: 'object', required: ['x'] }, '"${ . + { y: 1 } }"'],
  ['a nullable field', { type: 'object', properties: { plan: { ...PLAN, enum: ['free', null] } } }, '{ plan: null }'],
  [
    'a field that is absent or null',
    { type: 'object', properties: { a: { type: 'string' } } },
    '{ a: "${ .none // null }" }',
  ],
  ['no object', { type: 'string' }, '"${ .a }"'],
  ['a part of an unknown', { type: 'object', properties: { o: { required: ['x'] } } }, '{ o: { y: "${ .a }", x: 1 } }'],
])('an input with %s: one that may be valid has no warning', async (_, schema, given) => {
  const body = `do:\n  - first: { call: http, with: { method: get, endpoint: 'https://a.example' } }\n  - used: { call: computation/fun, with: ${given} }`;
  expect(await usesOf(body, undefined, schema)).toEqual([]);
});

test.each([
  [
    'a listed outcome of a tool call',
    '.ending',
    { type: 'object', properties: { ending: {}, text: {} }, additionalProperties: false },
  ],
  ['the report of a build', '.version', {}],
])('%s may be returned instead of the output', async (_, expression, otherOutput) => {
  const declarations: Declarations = {
    schemasOf: async () => ({ input: undefined, output: A, otherOutput }),
    events: async () => ({ emits: [], receives: [], emitsAny: false, receivesAny: false }),
  };
  const { checkUses } = await checked(reads(expression));
  expect(await checkUses(declarations)).toEqual([]);
});

// Definitions that are saved and then run: templates, programs, expressions, schemas, workflows, views.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { HostileCase } from '../hostile-case.ts';

interface Saved {
  name: string;
  type: DefinitionType;
  source: string;
  input?: string;
  isShort?: boolean;
}

const saveAndRun = ({ name, type, source, input = '{}', isShort = false }: Saved): HostileCase => ({
  name: `a run: ${name}`,
  isShort,
  async run({ send, at, newName }) {
    const definition = newName();
    await send('POST', `${at}/definitions/${type}`, { name: definition, source });
    await send('POST', `${at}/definitions/${type}/${definition}/run`, `{"input":${input}}`);
  },
});

const template = (name: string, text: string, isShort = false): Saved => ({
  name: `a template: ${name}`,
  type: 'interaction',
  source: `tell:\n  to: ada\n  message: ${JSON.stringify(text)}\n`,
  isShort,
});
const TEMPLATES: Saved[] = [
  template(
    'has_exp over a range',
    `{% assign a = (1..100000) %}{{ a | has_exp: 'x', 'a | has_exp: "y", "y == 0"' }}`,
    true,
  ),
  template(
    'find_exp over a range',
    `{% assign a = (1..100000) %}{{ a | find_exp: 'x', 'a | find_exp: "y", "y == 0"' }}`,
  ),
  template('where_exp over a range', `{% assign a = (1..20000) %}{{ a | where_exp: 'x', 'a contains x' | size }}`),
  template(
    'group_by_exp over a range',
    `{% assign a = (1..100000) %}{{ a | group_by_exp: 'x', 'x | modulo: 7' | size }}`,
  ),
  template('a range of millions', `{{ (1..1600000) | uniq | size }}`, true),
  template('loops in loops', '{% for a in (1..9999) %}{% for b in (1..9999) %}{% endfor %}{% endfor %}', true),
  template('loops that print', '{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}'),
  template(
    'a text that doubles',
    `{% assign a = 'x' %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a | size }}`,
    true,
  ),
  template(
    'a list that doubles',
    `{% assign a = 'x,x' | split: ',' %}${'{% assign a = a | concat: a %}'.repeat(30)}{{ a | size }}`,
  ),
  template(
    'replace that grows',
    `{% assign a = 'xxxxxxxxxx' %}${"{% assign a = a | replace: 'x', 'xxxxxxxxxx' %}".repeat(12)}{{ a | size }}`,
  ),
  template('sort of a range', `{{ (1..1000000) | reverse | sort | size }}`),
  template('join of a range', `{{ (1..1000000) | join: 'xxxxxxxxxx' | size }}`),
  template(
    'split by nothing',
    `{% assign a = 'x' %}${'{% assign a = a | append: a %}'.repeat(20)}{{ a | split: '' | size }}`,
  ),
  template(
    'contains over a range',
    `{% assign a = (1..100000) %}{% for x in a %}{% if a contains 0 %}{% endif %}{% endfor %}`,
  ),
  template('tablerow', '{% tablerow a in (1..9999999) %}{{ a }}{% endtablerow %}'),
  template('cycle and increment', '{% for a in (1..9999999) %}{% cycle 1, 2 %}{% increment b %}{% endfor %}'),
  template(
    'captures in captures',
    `${'{% capture a %}{{ a }}{{ a }}x'.repeat(30)}${'{% endcapture %}'.repeat(30)}{{ a | size }}`,
  ),
  template('a date of nonsense', `{{ 'now' | date: '${'%N%L%z'.repeat(5000)}' }}`),
  template(
    'url_encode of much',
    `{% assign a = '%' %}${'{% assign a = a | append: a %}'.repeat(22)}{{ a | url_encode | size }}`,
  ),
  template(
    'strip_html of brackets',
    `{% assign a = '<' %}${'{% assign a = a | append: a %}'.repeat(18)}{{ a | strip_html | size }}`,
  ),
  template(
    'truncatewords of much',
    `{% assign a = 'x ' %}${'{% assign a = a | append: a %}'.repeat(20)}{{ a | truncatewords: 1 }}`,
  ),
];

const program = (name: string, source: string, isShort = false): Saved => ({
  name: `a program: ${name}`,
  type: 'computation',
  source,
  isShort,
});
const PROGRAMS: Saved[] = [
  program('an endless loop', 'export default () => { for (;;); }', true),
  program('an endless recursion', 'const f = () => f() + 1; export default f', true),
  program('memory', "export default () => { const a = []; for (;;) a.push('x'.repeat(1 << 16)); }"),
  program('a text that doubles', "export default () => { let a = 'x'; for (;;) a += a; }"),
  program('a catastrophic pattern', "export default () => /^(a+)+$/.test('a'.repeat(40) + 'b')", true),
  program(
    'a large sort',
    'export default () => Array.from({length: 500000}, (_, i) => (i * 7919) % 500000).sort((a, b) => a - b).length',
  ),
  program('a built-in that never ticks', "export default () => Array(1 << 24).fill('x').join('').length"),
  program(
    'an output of 200,000 keys',
    'export default () => Object.fromEntries(Array.from({length: 80000}, (_, i) => [i, i]))',
    true,
  ),
  program('an output of a megabyte', "export default () => 'x'.repeat(1000000)"),
  program(
    'an output that nests',
    'export default () => { let a = 1; for (let i = 0; i < 100000; i++) a = [a]; return a; }',
  ),
  program(
    'an output of getters',
    "export default () => new Proxy({}, { ownKeys: () => Array.from({length: 100000}, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({enumerable: true, configurable: true, value: 1}) })",
  ),
  program('toJSON that never ends', 'export default () => ({ toJSON() { return { a: this } } })'),
  program(
    'a console of a megabyte',
    "export default () => { for (let i = 0; i < 100000; i++) console.log('x'.repeat(100)); return 1; }",
  ),
  program('promises', 'export default async () => { for (;;) await 0; }'),
  program('an error with a long message', "export default () => { throw new Error('x'.repeat(1000000)); }"),
  program(
    'an error of an error',
    "export default () => { let e = new Error('a'); for (let i = 0; i < 100000; i++) e = new Error('b', { cause: e }); throw e; }",
  ),
  program('big integers', 'export default () => String(2n ** 1000000n).length'),
  program('JSON of much', "export default () => JSON.stringify(JSON.parse('[' + '1,'.repeat(400000) + '1]')).length"),
  program(
    'generators',
    'export default () => { function* g() { for (;;) yield 1; } let n = 0; for (const x of g()) n += x; return n; }',
  ),
  program('a typed array', 'export default () => new Uint8Array(1 << 30).length'),
];

const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: hostile, version: 1.0.0 }\n";
const workflow = (name: string, steps: string, isShort = false): Saved => ({
  name: `a workflow: ${name}`,
  type: 'workflow',
  source: HEAD + steps,
  isShort,
});
const expression = (name: string, jq: string, isShort = false): Saved =>
  workflow(`an expression: ${name}`, `do:\n- a: { set: { x: ${JSON.stringify(`\${ ${jq} }`)} } }\n`, isShort);
const WORKFLOWS: Saved[] = [
  expression('a range without an end', '[range(1e9)]', true),
  expression('a function that calls itself', 'def f: f | f; f', true),
  expression('a text that doubles', 'reduce range(40) as $i ("x"; . + .) | length', true),
  expression('a text times a number', '"x" * 1e9 | length'),
  expression('combinations', '[[range(20)], [range(20)], [range(20)], [range(20)], [range(20)]] | combinations'),
  expression('a catastrophic pattern', '("a" * 40 + "b") | test("^(a+)+$")'),
  expression('a sort', '[range(1000000)] | sort_by(-.) | length'),
  expression('a list that nests', 'reduce range(100000) as $i (1; [.])', true),
  expression('until never', '0 | until(false; . + 1)'),
  expression('repeat', '[limit(1e8; repeat(1))] | length'),
  expression('paths', '[range(100000)] | [paths] | length'),
  expression('tojson of much', '[range(500000)] | tojson | length'),
  expression('gsub', '"x" * 100000 | gsub("x"; "yy") | length'),
  expression('splits', '"x," * 200000 | [splits(",")] | length'),
  expression('a large number', '[range(300)] | reduce .[] as $i (1; . * 1e300)'),
  expression('group_by', '[range(500000)] | group_by(. % 1000) | length'),
  expression('an error of much', 'error("x" * 1000000)'),
  expression('ltrimstr and ascii', '[range(200000) | tostring | ascii_downcase | ltrimstr("1")] | length'),
  expression('getpath', '[range(1000)] | [range(1000) as $i | getpath([$i])] | length'),
  expression('input as a whole many times', '[range(5000)] | map({a: ., b: [range(100)]}) | length'),
  workflow(
    'a loop of 10,000 turns',
    'do:\n- a: { for: { in: "${ [range(10000)] }" }, do: [{ b: { set: { x: 1 } } }] }\n',
    true,
  ),
  workflow(
    'loops in loops',
    'do:\n- a: { for: { in: "${ [range(100)] }" }, do: [{ b: { for: { in: "${ [range(100)] }" }, do: [{ c: { set: { x: 1 } } }] } }] }\n',
  ),
  workflow('steps that go round', 'do:\n- a: { set: { x: 1 }, then: b }\n- b: { set: { x: 2 }, then: a }\n', true),
  workflow(
    'a fork of 500 branches',
    `do:\n- f:\n    fork:\n      branches:\n${Array.from({ length: 500 }, (_, index) => `      - b${index}: { set: { x: 1 } }\n`).join('')}`,
  ),
  workflow(
    'a context that grows',
    'do:\n- a: { for: { in: "${ [range(500)] }" }, do: [{ b: { set: { x: "${ (.x // []) + [range(500)] }" } } }] }\n',
  ),
  workflow(
    'events that it sends itself',
    'do:\n- a: { for: { in: "${ [range(1000)] }" }, do: [{ b: { emit: { event: { with: { source: "/h", type: "hostile.emitted" } } } } }] }\n',
  ),
  workflow(
    'runs of itself',
    'do:\n- a: { for: { in: "${ [range(1000)] }" }, do: [{ b: { call: computation/honest, with: { n: 1 } } }] }\n',
    true,
  ),
];

const schema = (name: string, document: object, input: string, isShort = false): Saved => ({
  name: `a schema: ${name}`,
  type: 'interaction',
  source: JSON.stringify({ tell: { to: 'ada', message: 'Hello' }, input: document }),
  input,
  isShort,
});
const numbers = (count: number): string => `[${Array.from({ length: count }, (_, index) => index).join(',')}]`;
const SCHEMAS: Saved[] = [
  schema('items that are unique', { uniqueItems: true }, numbers(40_000), true),
  schema(
    'unique objects',
    { uniqueItems: true },
    `[${Array.from({ length: 15_000 }, (_, index) => `{"a":${index}}`).join(',')}]`,
  ),
  schema('a pattern', { items: { pattern: '^(a|a)*b$' } }, `["${'a'.repeat(200_000)}"]`, true),
  schema(
    'many patterns',
    { items: { anyOf: Array.from({ length: 100 }, (_, index) => ({ pattern: `^(a|b)*c${index}$` })) } },
    `["${'ab'.repeat(50_000)}"]`,
  ),
  schema(
    'a reference to itself',
    { $ref: '#/$defs/a', $defs: { a: { items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } } },
    `${'['.repeat(500)}${']'.repeat(500)}`,
    true,
  ),
  schema(
    'one of many',
    { items: { oneOf: Array.from({ length: 300 }, (_, index) => ({ const: index })) } },
    numbers(40_000),
  ),
  schema(
    'keys that are none',
    { additionalProperties: false, properties: { a: {} } },
    `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    true,
  ),
  schema('contains', { contains: { const: -1 } }, numbers(40_000)),
  schema(
    'names of properties',
    { propertyNames: { pattern: '^(x|y)*z$' } },
    `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  ),
  schema(
    'dependent schemas',
    {
      dependentSchemas: Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`k${index}`, { required: [`x${index}`] }]),
      ),
    },
    `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  ),
  schema('not of not', { items: { not: { not: { not: { type: 'string' } } } } }, numbers(40_000)),
  schema(
    'unevaluated items',
    { anyOf: [{ prefixItems: [{}, {}] }, { prefixItems: [{}] }], unevaluatedItems: false },
    numbers(40_000),
  ),
];

const recall = (name: string, evolve: string, answer: string): HostileCase => ({
  name: `a view: ${name}`,
  async run({ send, at, newName }) {
    const definition = newName();
    const source = `export const reads = [{ events: {} }]; export const initial = { n: 0 }; export function evolve(state, event) { ${evolve} } export function answer(state) { ${answer} }`;
    const publish = () =>
      send('POST', `${at}/events`, { event: { source: '/hostile', type: 'viewed', data: { n: 1 } } });
    await publish();
    await send('POST', `${at}/definitions/recall`, { name: definition, source });
    await Promise.all(Array.from({ length: 10 }, publish));
    await send('POST', `${at}/definitions/recall/${definition}/run`, {});
    // There are 32 at most.
    await send('POST', `${at}/definitions/recall/${definition}/retire`);
  },
});
const VIEWS: HostileCase[] = [
  { ...recall('a state of a megabyte', "return { a: 'x'.repeat(1000000) };", 'return state.a.length;'), isShort: true },
  recall('a state of 100,000 keys', 'for (let i = 0; i < 100000; i++) state[i] = i; return state;', 'return state.n;'),
  { ...recall('that never ends', 'for (;;);', 'return state.n;'), isShort: true },
  recall(
    'a built-in that never ticks',
    "state.n = Array(1 << 23).fill('x').join('').length; return state;",
    'return state.n;',
  ),
  recall('an answer that never ends', 'return state;', 'for (;;);'),
  recall('an answer of a megabyte', 'return state;', "return 'x'.repeat(1000000);"),
];

export const RUN_CASES: readonly HostileCase[] = [
  ...[...TEMPLATES, ...PROGRAMS, ...WORKFLOWS, ...SCHEMAS].map(saveAndRun),
  ...VIEWS,
  {
    name: '50 hostile programs at once',
    async run({ send, at, newName }) {
      const name = newName();
      await send('POST', `${at}/definitions/computation`, { name, source: 'export default () => { for (;;); }' });
      const runs = Array.from({ length: 50 }, () => send('POST', `${at}/definitions/computation/${name}/run`, {}));
      await Promise.all(runs);
    },
  },
];

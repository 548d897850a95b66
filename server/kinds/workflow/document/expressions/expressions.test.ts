import { describe, expect, test } from 'vitest';
import { createChecking } from '../checking.testing.ts';
import type { WorkflowDocument } from '../dsl.ts';
import { SAMPLES, workflow } from '../samples.testing.ts';
import { readTestSource } from '../../../../lib/yaml/sources.testing.ts';
import { walk } from '../walk.ts';
import { textsOf } from './texts.ts';

const { issuesOf } = createChecking();

describe('given an expression that cannot be read', () => {
  test.each([
    ['`if`', 'do:\n  - a: { if: .x >, wait: PT1S }', '/do/0/a/if'],
    ['`input.from`', 'input: { from: .x > }\ndo: []', '/input/from'],
    [
      'a member of `input.from`',
      "do:\n  - a: { wait: PT1S, input: { from: { x: '${ .x > }' } } }",
      '/do/0/a/input/from/x',
    ],
    ['`output.as`', 'output: { as: .x > }\ndo: []', '/output/as'],
    ['`export.as`', 'do:\n  - a: { wait: PT1S, export: { as: .x > } }', '/do/0/a/export/as'],
    ['`set`', "do:\n  - a: { set: { x: ['${ .x > }'] } }", '/do/0/a/set/x/0'],
    ['`with`', "do:\n  - a: { call: computation/score, with: '${ .x > }' }", '/do/0/a/with'],
    ['`wait`', "do:\n  - a: { wait: '${ .x > }' }", '/do/0/a/wait'],
    ['a timeout', "do: []\ntimeout: { after: '${ .x > }' }", '/timeout/after'],
    ['`for.in`', 'do:\n  - a: { for: { in: .x > }, do: [] }', '/do/0/a/for/in'],
    ['`while`', 'do:\n  - a: { for: { in: .x }, while: .x >, do: [] }', '/do/0/a/while'],
    ['a case', 'do:\n  - a: { switch: [{ c: { when: .x >, then: end } }] }', '/do/0/a/switch/0/c/when'],
    ['a catch', 'do:\n  - a: { try: [], catch: { when: .x > } }', '/do/0/a/catch/when'],
    ['a retry', 'do:\n  - a: { try: [], catch: { retry: { exceptWhen: .x > } } }', '/do/0/a/catch/retry/exceptWhen'],
    ['a named retry', 'do: []\nuse: { retries: { r: { when: .x > } } }', '/use/retries/r/when'],
    [
      'an error',
      "do:\n  - a: { raise: { error: { type: x, status: 400, detail: '${ .x > }' } } }",
      '/do/0/a/raise/error/detail',
    ],
    [
      'an emitted event',
      "do:\n  - a: { emit: { event: { with: { type: x, data: '${ .x > }' } } } }",
      '/do/0/a/emit/event/with/data',
    ],
    [
      'a filter',
      "do:\n  - a: { listen: { to: { one: { with: { data: '${ .x > }' } } } } }",
      '/do/0/a/listen/to/one/with/data',
    ],
    [
      '`correlate.from`',
      'do:\n  - a: { listen: { to: { one: { with: { type: x }, correlate: { c: { from: .x > } } } } } }',
      '/do/0/a/listen/to/one/correlate/c/from',
    ],
    ['`until`', 'do:\n  - a: { listen: { to: { any: [], until: .x > } } }', '/do/0/a/listen/to/until'],
    [
      'a filter of `until`',
      "do:\n  - a: { listen: { to: { any: [], until: { one: { with: { data: '${ .x > }' } } } } } }",
      '/do/0/a/listen/to/until/one/with/data',
    ],
    [
      'a filter of the schedule',
      "do: []\nschedule: { on: { one: { with: { data: '${ .x > }' } } } }",
      '/schedule/on/one/with/data',
    ],
    ['an extension', 'do: []\nuse: { extensions: [{ e: { extend: all, when: .x > } }] }', '/use/extensions/0/e/when'],
    [
      'an authentication',
      "do: []\nuse: { authentications: { x: { bearer: { token: '${ .x > }' } } } }",
      '/use/authentications/x/bearer/token',
    ],
    [
      '`foreach.output`',
      'do:\n  - a: { listen: { to: { any: [] } }, foreach: { output: { as: .x > } } }',
      '/do/0/a/foreach/output/as',
    ],
    [
      'the input of a workflow',
      "do:\n  - a: { run: { workflow: { name: other, input: { x: '${ .x > }' } } } }",
      '/do/0/a/run/workflow/input/x',
    ],
  ])('in %s, it is reported there', async (_, body, pointer) => {
    const issues = await issuesOf(body);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toContain(` ${pointer} The expression is not valid: jq, at column`);
  });

  test('an empty one and two in one text are reported as such', async () => {
    expect((await issuesOf("do:\n  - a: { if: '', wait: PT1S }"))[0]).toContain('write `.` for the input itself');
    expect((await issuesOf("do:\n  - a: { set: { x: '${ .a } ${ .b }' } }"))[0]).toContain(
      'A string can contain only one `${ }`',
    );
  });

  test('a single word is refused with the form of a text', async () => {
    expect((await issuesOf('do:\n  - a: { set: ignore }'))[0]).toContain(
      'For the text itself, write \'${ "ignore" }\'',
    );
  });

  test('in loose mode a text that is no expression stays one', async () => {
    const body = "evaluate: { mode: loose }\ndo:\n  - a: { set: { x: '.x >', y: '${ .y }' } }";
    expect(await issuesOf(body)).toEqual([]);
  });

  test('over several lines an expression is one', async () => {
    expect(
      await issuesOf('do:\n  - a:\n      set: |\n        ${\n          # the total\n          .x + 1\n        }\n'),
    ).toEqual([]);
  });
});

describe('given an argument', () => {
  /** By argument, the places of a document in which it is there: the standard's table. */
  const PLACES: Record<string, (expression: string) => string> = {
    'workflow input.from': (expression) => `input: { from: ${expression} }\ndo: []`,
    if: (expression) => `do:\n  - a: { if: ${expression}, wait: PT1S }`,
    'input.from': (expression) => `do:\n  - a: { input: { from: ${expression} }, wait: PT1S }`,
    task: (expression) => `do:\n  - a: { set: { x: '\${ ${expression} }' } }`,
    'output.as': (expression) => `do:\n  - a: { wait: PT1S, output: { as: ${expression} } }`,
    'export.as': (expression) => `do:\n  - a: { wait: PT1S, export: { as: ${expression} } }`,
    'workflow output.as': (expression) => `output: { as: ${expression} }\ndo: []`,
  };
  const all = Object.keys(PLACES);
  const without = (...locations: string[]): string[] => all.filter((location) => !locations.includes(location));

  test.each([
    ['$context', without('workflow input.from')],
    ['$input', ['task', 'output.as', 'export.as']],
    ['$output', ['export.as']],
    ['$secrets', all],
    ['$task', without('workflow input.from', 'workflow output.as')],
    ['$workflow', all],
    ['$runtime', all],
    ['$authorization', ['task', 'output.as', 'export.as']],
    ['$item', []],
  ])('%s is there where the standard has it', async (argument, locations) => {
    const found: string[] = [];
    for (const location of all)
      if ((await issuesOf(PLACES[location]?.(argument) ?? '')).length === 0) found.push(location);
    expect(found).toEqual(locations);
  });

  test('where it is not there, the issue says what is', async () => {
    const [issue] = await issuesOf('do:\n  - a: { if: $output.x, wait: PT1S }');
    expect(issue).toContain(
      '$output is not defined. `$output` is not available here; the available variables are $context, $task,',
    );
  });
});

test.each([
  ['$secret.x', '$secret is not defined. Did you mean `$secrets`?'],
  ['$ctx.x', '$ctx is not defined. Did you mean `$context`?'],
  ['$inputs.x', '$inputs is not defined. Did you mean `$input`?'],
  ['$wf.id', 'Did you mean `$workflow`?'],
  ['$auth', 'Did you mean `$authorization`?'],
  ['$Context', 'Did you mean `$context`?'],
  ['$outputs', '`$output` is not available here; the available variables are $context,'],
  ['$nothing', 'The available variables are $context,'],
  ['. as $y | $y + $secret', 'Did you mean `$secrets`?'],
])('an unknown variable is reported with the one that was meant: %s', async (expression, words) => {
  const [issue] = await issuesOf(`do:\n  - a: { set: { x: '\${ ${expression} }' } }`);
  expect(issue).toContain(words);
});

describe('given variables of loops, catches and events', () => {
  test.each([
    [
      'those of loops around a step',
      'do:\n  - a: { for: { each: x, in: .x }, do: [{ b: { for: { in: $x }, do: [{ c: { set: { y: "${ [$x, $item, $index] }" } } }] } }] }',
      true,
    ],
    ['those of a loop in its `while`', 'do:\n  - a: { for: { each: x, at: i, in: .x }, while: $x > $i, do: [] }', true],
    ['those of a loop in its `in`', 'do:\n  - a: { for: { each: x, in: $x }, do: [] }', false],
    [
      'those of a loop after it',
      'do:\n  - a: { for: { each: x, in: .x }, do: [] }\n  - b: { set: { y: "${ $x }" } }',
      false,
    ],
    [
      'a caught error in its catch',
      'do:\n  - a: { try: [], catch: { when: $error.status > 1, retry: { when: $error }, do: [{ b: { set: { y: "${ $error }" } } }] } }',
      true,
    ],
    [
      'a caught error by its own name alone',
      'do:\n  - a: { try: [], catch: { as: problem, when: $error.status > 1 } }',
      false,
    ],
    [
      'a caught error in what was tried',
      'do:\n  - a: { try: [{ b: { set: { y: "${ $error }" } } }], catch: {} }',
      false,
    ],
    [
      'a caught error in a named retry',
      'use: { retries: { r: { when: $problem } } }\ndo:\n  - a: { try: [], catch: { as: problem, retry: r } }',
      true,
    ],
    [
      'a caught error in a named retry, under another name',
      'use: { retries: { r: { when: $problem } } }\ndo:\n  - a: { try: [], catch: { retry: r } }',
      false,
    ],
    [
      'an event in `foreach`',
      'do:\n  - a: { listen: { to: { any: [] } }, foreach: { item: e, do: [{ b: { set: { y: "${ $e }" } } }], output: { as: $e }, export: { as: $index } } }',
      true,
    ],
    [
      'an event in the filter',
      'do:\n  - a: { listen: { to: { one: { with: { data: "${ $item }" } } } }, foreach: { do: [] } }',
      false,
    ],
    [
      'a loop around a call of a function',
      'use: { functions: { f: { set: { y: "${ $x }" } } } }\ndo:\n  - a: { for: { each: x, in: .x }, do: [{ b: { call: f } }] }',
      false,
    ],
    [
      'a loop around a wait',
      'do:\n  - a: { for: { in: .x }, do: [{ b: { wait: "${ $item.pause }", timeout: { after: "${ $item.most }" } } }] }',
      true,
    ],
  ])('%s', async (_, body, isThere) => {
    expect((await issuesOf(body)).length === 0).toBe(isThere);
  });
});

test('no text of a sample that is an expression is passed over', () => {
  for (const body of Object.values(SAMPLES)) {
    const source = workflow(body);
    const found = textsOf(walk(readTestSource(source).value as unknown as WorkflowDocument)).filter(({ text }) =>
      text.startsWith('${'),
    );
    expect(found.length).toBe(source.split('${').length - 1);
  }
});

test.each([
  ['.a && .b', 'In jq, write `and` for `&&`.'],
  ['.a ?? 1', 'In jq, write `//` for `??`.'],
  ['.a === 1 || .b', 'In jq, write `or` for `||`, and `==` for `===`.'],
  ['.a ? 1 : 2', 'In jq, write `if ... then ... else ... end` for `? :`.'],
  ['!.a', 'In jq, write `| not` behind the value for `!`.'],
])('given %s in the operators of another language, then those of jq are named', async (expression, words) => {
  expect(await issuesOf(`do:\n  - a: { if: '${expression}', wait: PT1S }`)).toEqual([expect.stringContaining(words)]);
});

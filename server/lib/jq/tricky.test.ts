// Expressions with surprising results: the result must be the same with and without the subset.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { createExpressions, type Expressions } from './index.ts';

let expressions: Expressions;
beforeAll(() => {
  expressions = createExpressions();
});
afterAll(() => expressions.close());

const VARIABLES: Record<string, Json> = { x: { y: [1, 2] }, nothing: null };
/** Expressions with a comment are left to jq. */
const BY_JQ = ' #';
/** An error of jq. */
const ERROR = Symbol('error');

const PROGRAMS: [expression: string, input: Json, expected: Json | typeof ERROR][] = [
  // Alternatives: after null and false, the right side counts; an error is raised.
  ['.a // "d"', { a: false }, 'd'],
  ['.a // "d"', { a: 0 }, 0],
  ['.a // .b // "d"', {}, 'd'],
  ['[.[] // 9]', [null, false], [9]],
  ['[.[] // 9]', [null, 1, false, 2], [1, 2]],
  ['empty // 1', null, 1],
  ['1 // empty | . + 1', null, 2],
  ['.a.b // 1', { a: 1 }, ERROR],
  ['false // false', null, false],
  // Paths.
  ['.a.b.c', null, null],
  ['.[-1]', [1, 2], 2],
  ['.[5]', [1], null],
  ['.[-5]', [1], null],
  ['.["a"].b', { a: { b: 1 } }, 1],
  ['."a b"."c"', { 'a b': { c: 1 } }, 1],
  ['.__proto__', {}, null],
  ['.constructor', {}, null],
  ['{__proto__: 1} | .__proto__', null, 1],
  ['{"__proto__": {a: 1}} | .a', null, null],
  ['$x.y[1]', null, 2],
  ['$nothing.a.b', null, null],
  // Objects.
  ['{a: 1, a: 2}', null, { a: 2 }],
  ['{a, "b c", $x, if}', { a: 1, 'b c': 2, if: 3 }, { a: 1, 'b c': 2, x: { y: [1, 2] }, if: 3 }],
  ['{a: 1 | . + 1}', null, { a: 2 }],
  ['{a: 1,}', null, { a: 1 }],
  ['"\\({b: 1, "1": 2})"', null, '{"b":1,"1":2}'],
  ['{a: {b: 1}} + {a: {c: 2}}', null, { a: { c: 2 } }],
  ['{a: {b: 1}} * {a: {c: 2}}', null, { a: { b: 1, c: 2 } }],
  // Binding of operators.
  ['1 + 2 * 3 - 4', null, 3],
  ['10 - 2 - 3', null, 5],
  ['.a + 5', { a: -2 }, 3],
  ['1, 2 | . + 1 | select(. > 2)', null, 3],
  ['true or false and false', null, true],
  ['1 == 1 and 2 == 2 | not', null, false],
  ['[1 - 1, 1 -1, 1-1]', null, [0, 0, 0]],
  ['[(1, 2) + (10, 20)]', null, [11, 12, 21, 22]],
  ['["\\(1, 2)-\\(3, 4)"]', null, ['1-3', '2-3', '1-4', '2-4']],
  ['[(true, false) and (true, false)]', null, [true, false, false]],
  ['[(true, false) or (true, false)]', null, [true, true, false]],
  // Null and zero.
  ['null + 1', null, 1],
  ['1 - null', null, ERROR],
  ['[] | add', null, null],
  ['null | add', null, ERROR],
  ['{"a": 1, "b": 2} | add', null, 3],
  ['null | length', null, 0],
  ['true | length', null, ERROR],
  ['length', -5, 5],
  ['1 / 0', null, ERROR],
  ['[.[0] % 3, 5 % .[1], 5.9 % 2.9, .[2] % 2]', [-5, -3, -4], [-2, 2, 1, 0]],
  ['null | not', null, true],
  ['0 | not', null, false],
  // Numbers.
  ['"\\(0.1 + 0.2)"', null, '0.30000000000000004'],
  ['1.0', null, 1],
  ['1e1000', null, Number.MAX_VALUE],
  ['100000000000000000000', null, 100000000000000000000],
  ['"\\(3 / 3)"', null, '1'],
  ['"\\(. + 0)"', 1e17, '1e+17'],
  ['"\\(.)"', 9007199254740992, '9007199254740992'],
  // Order: null, false, true, numbers, texts, lists, objects.
  ['[null < false, false < true, true < 0, 1 < "a", "z" < [], [9] < {}]', null, [true, true, true, true, true, true]],
  ['"\uffee" < "😀"', null, true],
  ['[1, 2] < [1, 2, 0]', null, true],
  ['{a: 2} < {b: 1}', null, true],
  ['{a: 2} < {a: 1, b: 0}', null, true],
  ['{a: 1, b: 2} == {b: 2, a: 1}', null, true],
  ['1 == 1.0', null, true],
  // Texts.
  ['length', '😀é', 2],
  ['"a\\u00e9\\ud83d\\ude00\\/\\n"', null, 'aé😀/\n'],
  ['"\\(.)"', { a: [null, 'x"', '\u007f'] }, '{"a":[null,"x\\"","\\u007f"]}'],
  ['"a" + null', null, 'a'],
  ['"ab" * 0', null, ''],
  ['"a,b" / ","', null, ['a', 'b']],
  ['"a" - "b"', null, ERROR],
  // Deciding.
  ['if empty then 1 else 2 end', null, null],
  ['[if (true, null) then 1 else 2 end]', null, [1, 2]],
  ['if . then "yes" end', 0, 'yes'],
  ['if .a then 1 elif .b then 2 else 3 end', { b: {} }, 2],
  ['map(select(.a != null) | .a)', [{ a: 1 }, {}, { a: 2 }], [1, 2]],
  ['[[1, 2] - [2, 3], [1] + [2]]', null, [[1], [1, 2]]],
];

test.each(PROGRAMS)('%s on %j', async (expression, input, expected) => {
  for (const text of [expression, expression + BY_JQ]) {
    const evaluation = await expressions.evaluate(text, input, VARIABLES, 0);
    expect(evaluation.ok ? evaluation.value : ERROR, text).toEqual(expected);
  }
});

test('most of them need no worker', () => {
  const atOnce = PROGRAMS.filter(([expression, input]) => {
    const evaluation = expressions.evaluate(expression, input, VARIABLES, 0);
    return !(evaluation instanceof Promise);
  });
  expect(atOnce.length / PROGRAMS.length).toBeGreaterThan(0.7);
});

test('given a name like `__proto__`, then it is a member and nothing else', async () => {
  const input = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}') as Json;
  for (const text of ['.', '. + {b: 2}', '{__proto__, a}', '. #']) {
    const evaluation = await expressions.evaluate(text, input, {}, 0);
    if (!evaluation.ok) throw new Error(evaluation.detail);
    const { value } = evaluation;
    expect(Object.keys(value as object)).toContain('__proto__');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { polluted?: boolean }).polluted).toBeUndefined();
  }
});

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../shared/json.ts';
import { compileExpression } from './index.ts';

/** The results, or `jq` if the expression is left to jq. */
function run(expression: string, input: Json = null, variables: Record<string, Json> = {}): readonly Json[] | 'jq' {
  return compileExpression(expression)?.(input, variables) ?? 'jq';
}

const ROWS = Array.from({ length: 20_000 }, (_, at) => ({ id: `k${at}`, number: at }));
const OBJECT = Object.fromEntries(ROWS.map(({ id, number }) => [id, number]));
const LONG = 'x'.repeat(1_000_000);

describe('what would hold the main thread is left to jq', () => {
  test.each([
    ['results of results', '[$rows[] | $rows[]] | length'],
    ['doubling without an end', `[${'(., .) | '.repeat(40)}.]`],
    ['doubled results that are thrown away', `${'(., .) | '.repeat(40)}empty`],
    ['objects compared often', '[$rows[] | $object == $object2] | length'],
    ['objects copied often', '[$rows[] | $object + {z: 1}] | length'],
    ['names counted often', '[$rows[] | $object | length] | length'],
    ['long texts compared often', '[$rows[] | $long == $long2] | length'],
    ['much to do for each of many', `$rows | map(${Array(200).fill('.number + 1').join(' + ')}) | length`],
    ['much to write', '"\\($rows)" | length'],
    ['a text that grows large', '$long + $long'],
    ['a result that grows large', `[., .] | ${'[., .] | '.repeat(30)}.`],
  ])('%s', (_, expression) => {
    const variables = { rows: ROWS, object: OBJECT, object2: { ...OBJECT }, long: LONG, long2: `${LONG.slice(1)}y` };
    expect(run(expression, 1, variables)).toBe('jq');
  });
});

describe('what the subset is not sure of is left to jq', () => {
  test.each([
    ['errors', '.a.b', { a: 1 }],
    ['a variable that is not there, though it is not read', 'if true then 1 else $missing end', null],
    ['numbers that jq keeps as they were written', '1.0', null],
    ['numbers that jq writes with an exponent', '"\\(.)"', 1e17],
    ['what is no number', '. * 10', 1e308],
    ['names that JavaScript would move', '{b: 1} + .', { 1: 2 }],
    ['functions that it does not have', 'ascii_upcase', 'a'],
    ['assignments', '.a = 1', {}],
    ['slices', '.[1:]', [1, 2]],
    ['errors that are caught', '.a?', {}],
    ['names that are computed', '.[$x]', {}],
    ['objects of several results', '{a: (1, 2)}', null],
    ['lists without items of others', '[1, 2] - [1]', null],
    ['definitions', 'def f: 1; f', null],
    ['comments', '1 # one', null],
    ['a very long text', `1${' + 1'.repeat(2000)}`, null],
    ['brackets in brackets without an end', `${'['.repeat(500)}1${']'.repeat(500)}`, null],
  ])('%s', (_, expression, input) => {
    expect(run(expression, input)).toBe('jq');
  });
});

test('given more than two results, then two are given and no error behind them counts', () => {
  expect(run('1, 2, 3')).toEqual([1, 2]);
  expect(run('1, 2, .a.b', { a: 1 })).toEqual([1, 2]);
  expect(run('1, .a.b', { a: 1 })).toBe('jq');
});

test('given results that are changed, then the next ones are as the first', () => {
  const program = compileExpression('{list: [], object: {}}');
  const [first] = program?.(null, {}) ?? [];
  const { list, object } = first as { list: Json[]; object: Record<string, Json> };
  list.push(1);
  object.a = 1;
  expect(program?.(null, {})).toEqual([{ list: [], object: {} }]);
});

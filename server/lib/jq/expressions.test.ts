import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { createExpressions, type Evaluation, type Expressions, wholeExpression } from './index.ts';

// A time zone in which one hour of the year is missing; jq's time must still be UTC.
process.env.TZ = 'America/New_York';

const NOW = Date.UTC(2026, 2, 1, 12, 30, 15, 250);

let expressions: Expressions;
beforeAll(() => {
  expressions = createExpressions({ workers: 1, deadlineMs: 1000 });
});
afterAll(() => expressions.close());

type Variables = Readonly<Record<string, Json>>;

async function evaluate(expression: string, input: Json = null, variables: Variables = {}): Promise<Evaluation> {
  return expressions.evaluate(expression, input, variables, NOW);
}

async function value(expression: string, input: Json = null, variables: Variables = {}): Promise<Json> {
  const evaluation = await evaluate(expression, input, variables);
  if (!evaluation.ok) throw new Error(evaluation.detail);
  return evaluation.value;
}

async function failure(expression: string, input: Json = null, variables: Variables = {}): Promise<string> {
  const evaluation = await evaluate(expression, input, variables);
  return evaluation.ok ? `It gave ${JSON.stringify(evaluation.value)}.` : evaluation.detail;
}

describe('an expression gives one value', () => {
  test('given an expression of the subset, then the value is there at once', () => {
    expect(expressions.evaluate('.a.b', { a: { b: 7 } }, {}, NOW)).toEqual({ ok: true, value: 7 });
  });

  test('given what only jq can do, then the value is promised', async () => {
    const evaluation = expressions.evaluate('.a | ascii_upcase', { a: 'b' }, {}, NOW);
    expect(evaluation).toBeInstanceOf(Promise);
    expect(await evaluation).toEqual({ ok: true, value: 'B' });
  });

  test.each(['empty', '.[] | select(false)', 'empty # by jq'])('no result is null: %s', async (expression) => {
    expect(await value(expression, [1, 2])).toBeNull();
  });

  test.each(['1, 2', '.[]', '.[] # by jq', 'repeat(1)', '1, 2, error("x") # by jq', '1, 2, .a'])(
    'several are an error: %s',
    async (expression) => {
      expect(await failure(expression, [1, 2])).toBe(
        'The expression returns more than one result; collect them into a list.',
      );
    },
  );

  test('a result of more than 4 MiB is an error', async () => {
    // On a slow machine, this much takes longer than the deadline of the other tests.
    const patient = createExpressions({ workers: 1, deadlineMs: 30_000 });
    onTestFinished(() => patient.close());
    const tooLarge = { ok: false, detail: 'The result is larger than 4 MiB.' };
    expect(await patient.evaluate('"x" * 5000000', null, {}, NOW)).toEqual(tooLarge);
    expect(await patient.evaluate('[.,.,.,.,.]', 'x'.repeat(1_000_000), {}, NOW)).toEqual(tooLarge);
  });
});

describe('errors are in the words of jq', () => {
  test.each([
    ['.a.b', { a: 1 }, 'Cannot index number with string ("b")'],
    ['.[0]', {}, 'Cannot index object with number (0)'],
    ['.a + 1', { a: 'x' }, 'string ("x") and number (1) cannot be added'],
    ['1 / 0', null, 'number (1) and number (0) cannot be divided because the divisor is zero'],
    ['error("my words")', null, 'my words'],
    ['error({code: 1})', null, 'The expression raised {"code":1}.'],
    ['error(null)', null, 'The expression raised null.'],
    ['error("")', null, 'The expression raised an error without a message.'],
  ])('%s on %j', async (expression, input, words) => {
    expect(await failure(expression, input)).toBe(words);
  });

  test('they have at most 300 characters and none cut in two', async () => {
    const words = await failure('error("😀" * 1000)');
    expect(Array.from(words)).toHaveLength(300);
    expect(words.isWellFormed()).toBe(true);
  });

  test('what cannot be a name of a variable is one', async () => {
    expect(await failure('$a-b', null, { 'a-b': 1 })).toBe('`$a-b` cannot be the name of a variable.');
    expect(await failure('$ENV', null, { ENV: 1 })).toContain('cannot be the name');
  });
});

describe('a check says what is wrong with a text', () => {
  test.each([
    ['.a', [], undefined],
    ['$x + $y.z', ['x', 'y'], undefined],
    ['def f: 1; f', [], undefined],
    ['.a # a comment', [], undefined],
    ['$y', ['x'], 'jq, at column 1: $y is not defined'],
    ['.a | nosuch(1)', [], 'jq, at column 6: nosuch/1 is not defined'],
    ['.a b', [], 'jq, at column 4: syntax error, unexpected IDENT, expecting end of file'],
    ['.a |\n.b c', [], 'jq, at line 2, column 4: syntax error, unexpected IDENT, expecting end of file'],
    ['', [], 'The expression is empty.'],
    [' \n', [], 'The expression is empty.'],
    ['.a\0', [], 'The expression contains a NUL character.'],
    ['"\ud83d"', [], 'The expression contains half of a surrogate pair.'],
    ['1 + '.repeat(5000), [], 'The expression is longer than 16,384 characters.'],
    ['$__loc__', [], '`$__loc__` is switched off: leave it out.'],
    ['.', ['a', 'b-c'], '`$b-c` cannot be the name of a variable.'],
  ])('%j with %j', async (expression, variables, issue) => {
    expect(await expressions.check(expression, variables)).toBe(issue);
  });

  test('given a text that was checked, then its evaluation says the same', async () => {
    expect(await failure('.a b')).toBe(await expressions.check('.a b', []));
  });
});

describe('nothing of a text reaches out of its brackets', () => {
  test.each([
    '1)) , (2',
    '1)))] | [((( 2',
    '.) | (.',
    '1]',
    '"',
    '"\\(1',
    'import "a" as a; 1',
    'include "a"; 1',
    'module {}; 1',
    'def f: 1;',
    '# only a comment',
    '1 as $x |',
  ])('%j', async (expression) => {
    expect(await failure(expression)).toMatch(/^jq, at column/);
  });

  test('a comment that would continue in the next line ends with the expression', async () => {
    expect(await value('1 # \\')).toBe(1);
  });

  test('given functions of its own by the names that stand around it, then they change nothing', async () => {
    expect(await value('def limit(a; b): 5; def now: 6; now')).toBe(6);
    expect(await value('label $out | 1, break $out')).toBe(1);
  });

  test('variables are values, not text', async () => {
    expect(await value('[$x, $y] # by jq', null, { x: '") | halt', y: { a: [1] } })).toEqual(['") | halt', { a: [1] }]);
  });
});

describe('the surroundings are out of reach', () => {
  test.each([
    'env',
    'input',
    'inputs',
    'debug',
    'debug("x")',
    'stderr',
    'halt',
    'halt_error',
    'halt_error(1)',
    'input_filename',
    'input_line_number',
    'get_search_list',
    'get_prog_origin',
    'get_jq_origin',
    '"a" | modulemeta',
  ])('%s is switched off', async (expression) => {
    expect(await failure(expression)).toMatch(/is switched off$/);
  });

  test('`$ENV` is null', async () => {
    expect(await value('$ENV')).toBeNull();
  });

  test('given a time, then `now` is that time', async () => {
    expect(await value('now')).toBe(NOW / 1000);
    expect(await value('now | todate')).toBe('2026-03-01T12:30:15Z');
  });

  test('local time is UTC, whatever the machine has', async () => {
    // In New York this hour does not exist.
    expect(await value('"2026-03-08T02:30:00Z" | fromdate | todate')).toBe('2026-03-08T02:30:00Z');
    expect(await value('0 | localtime')).toEqual([1970, 0, 1, 0, 0, 0, 4, 0]);
    expect(await value('0 | strflocaltime("%H:%M")')).toBe('00:00');
  });
});

describe('an expression cannot take more than its share', () => {
  test.each([
    ['[range(1e9)]', /longer than 1000 ms|too much memory/],
    ['def f: f; f', /longer than 1000 ms/],
    ['[limit(1e9; repeat(1))] | length', /longer than 1000 ms|too much memory/],
    ['def f: 1 + f; f', /longer than 1000 ms|too much memory/],
    ['reduce range(700) as $i (null; [.])', /nested too deeply/],
    ['reduce range(1e5) as $i (null; [.])', /nested too deeply/],
    [`${'def f: '.repeat(1500)}1${'; f'.repeat(1500)}`, /nested too deeply|too much memory/],
  ])('%.40s', async (expression, words) => {
    expect(await failure(expression)).toMatch(words);
    // The next evaluation gets a new worker.
    expect(await value('1 # by jq')).toBe(1);
  });

  test('given one that never ends, when others wait, then they are answered', async () => {
    const endless = failure('def f: f; f');
    const others = [1, 2, 3].map((number) => value('. # by jq', number));
    expect(await Promise.all(others)).toEqual([1, 2, 3]);
    expect(await endless).toBe('The expression took longer than 1000 ms.');
  });

  test('given an expression of the subset that doubles and doubles, then it is bounded as any other', async () => {
    const doubled = `"xxxxxxxxxx" | ${'. + . | '.repeat(40)}length`;
    expect(await failure(doubled)).toMatch(/longer than 1000 ms|too much memory|too long/);
    expect(await failure(`[.,.] | ${'[.,.] | '.repeat(40)}length`)).toBe('It gave 2.');
    expect(await failure(`[.,.] | ${'[.,.] | '.repeat(40)}tostring | length`)).toMatch(/longer than|too much memory/);
    expect(await failure(`${'(.,.) | '.repeat(40)}empty`)).toMatch(/longer than 1000 ms/);
    // Each second is processor time, and may take ten seconds on a busy machine.
  }, 60_000);
});

test('given expressions that are closed, then what needs jq is refused, and what the subset knows is not', async () => {
  const closing = createExpressions({ workers: 1 });
  const waiting = [closing.check('.a #', []), closing.check('.b #', [])].map((check) => check.then(String, String));
  await closing.close();
  for (const answer of await Promise.all(waiting)) expect(answer).toContain('stopping');
  await expect(closing.check('.c #', [])).rejects.toThrow('stopping');
  expect(await closing.check('.c + $x', ['x'])).toBeUndefined();
});

test('an evaluation does not wait for the many checks of a document', async () => {
  const expressions = createExpressions();
  onTestFinished(() => expressions.close());
  const playbookKey = { org: 'local', playbook: 'desk' };
  await expressions.check('ascii', [], playbookKey);
  let done = 0;
  const checks = Array.from({ length: 1000 }, async (_, index) => {
    await expressions.check(`[limit(${index}; range(10))]`, [], playbookKey);
    done += 1;
  });
  const value = await expressions.evaluate('[limit(1; .[])]', [1, 2], {}, 0, playbookKey);
  const doneBefore = done;
  await Promise.all(checks);
  expect(value).toEqual({ ok: true, value: [1] });
  expect(doneBefore).toBeLessThan(500);
});

test.each([
  ['${ .a }', '.a'],
  ['  ${.a}\n', '.a'],
  ['${ {a: 1} }', '{a: 1}'],
  ['${ "${ .a }" }', '"${ .a }"'],
  ['${\n.a |\n.b\n}', '.a |\n.b'],
  ['a ${ .a }', undefined],
  ['${ .a } b', undefined],
  ['.a', undefined],
  ['${}', undefined],
  ['', undefined],
])('the expression of %j is %j', (text, expected) => {
  expect(wholeExpression(text)).toBe(expected);
});

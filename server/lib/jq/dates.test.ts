import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { createExpressions, type Expressions } from './index.ts';
import { createInstance } from './instance.ts';

let expressions: Expressions;
beforeAll(() => {
  expressions = createExpressions({ workers: 1, deadlineMs: 5000 });
});
afterAll(() => expressions.close());

async function result(expression: string, input: Json = null): Promise<Json> {
  const evaluation = await expressions.evaluate(expression, input, {}, Date.UTC(2026, 0, 1));
  return evaluation.ok ? evaluation.value : `error: ${evaluation.detail}`;
}

describe('an instant keeps its fraction and its offset', () => {
  test.each<[expression: string, input: Json, expected: Json]>([
    ['fromdate', '2026-11-28T15:03:57.183Z', 1795878237.183],
    ['fromdateiso8601', '2026-11-28T15:03:57.5Z', 1795878237.5],
    ['fromdate', '2026-11-28T15:03:57Z', 1795878237],
    ['fromdate', '2026-11-28T15:03:57.183+02:00', 1795871037.183],
    ['fromdate', '2026-11-28T15:03:57-0330', 1795890837],
    ['fromdate', '2026-11-28t15:03:57z', 1795878237],
    ['fromdate', '1969-12-31T23:59:59.5Z', -0.5],
    ['fromdate', '1969-12-31T23:59:59Z', -1],
    ['fromdate', '0099-01-01T00:00:00Z', -59042995200],
    ['fromdate | todate', '2026-11-28T15:03:57.183Z', '2026-11-28T15:03:57Z'],
    ['date', 1795878237.183, '2026-11-28T15:03:57Z'],
    ['fromdate | dateadd("seconds"; 90) | todate', '2026-11-28T15:03:57.5Z', '2026-11-28T15:05:27Z'],
    ['datesub("seconds"; 0.25)', 1795878237.5, 1795878237.25],
    ['gmtime | mktime', 1795878237.183, 1795878237.183],
    ['gmtime | mktime', -0.25, -0.25],
    ['gmtime', -0.5, [1969, 11, 31, 23, 59, 59.5, 3, 364]],
    ['todate', -1.5, '1969-12-31T23:59:58Z'],
    ['todateiso8601', 1795878237.999, '2026-11-28T15:03:57Z'],
    ['gmtime | todate', 1795878237.183, '2026-11-28T15:03:57Z'],
    ['mktime', [2026, 10, 28, 15, 3, 57.5, 0, 0], 1795878237.5],
    ['mktime', [2026, 10, 28], 1795824000],
    ['mktime', [2026, 12, 1, 0, 0, 0], 1798761600],
    ['mktime', [2026, -1, 31, 24, 0, -0.5], 1767225599.5],
    ['mktime', [2024, 2, 0], 1709164800],
    ['mktime', [1971, -12, 1, 0, 0, -1], -1],
    ['mktime', [2026, 0, 1, 0, 0, 4e9], 5767225600],
    ['gmtime | mktime', 8.64e12, 8.64e12],
    ['gmtime | mktime', -8.64e12, -8.64e12],
    ['todate', [2026, 12, 1], '2027-01-01T00:00:00Z'],
    ['todate', [2026, 1, 30], '2026-03-02T00:00:00Z'],
    ['todate', [2026, 0, 1, 0, 0, -0.5], '2025-12-31T23:59:59Z'],
    ['strftime("%A %j")', [2026, 10, 28, 0, 0, 0, 1, 5], 'Saturday 332'],
    ['strftime("%H:%M %z %Z %%Z")', 1795878237.183, '15:03 +0000 UTC %Z'],
    ['strftime("%-d. %^b %Y, %l:%M %P")', 1796085837, '1. DEC 2026, 12:43 am'],
    ['strftime("%k:%M %l %%k")', 1796028000, ' 8:40  8 %k'],
  ])('%s of %j', async (expression, input, expected) => {
    expect(await result(expression, input)).toEqual(expected);
  });

  test('from any time of RFC 3339, the instant is that of JavaScript', async () => {
    const times = fc.record({
      at: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
      offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
      digits: fc.integer({ min: 0, max: 3 }),
    });
    const texts = fc.sample(times, { numRuns: 200, seed: 1 }).map(({ at, offset, digits }) => {
      const local = new Date(at).toISOString().slice(0, 23);
      const minutes = Math.abs(offset);
      const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
      return `${local.slice(0, digits === 0 ? 19 : 20 + digits)}${offset < 0 ? '-' : '+'}${clock}`;
    });
    expect(await result('map(fromdate)', texts)).toEqual(texts.map((text) => Date.parse(text) / 1000));
    expect(
      await result(
        'map(gmtime | mktime)',
        texts.map((text) => Date.parse(text) / 1000),
      ),
    ).toEqual(texts.map((text) => Date.parse(text) / 1000));
  });
});

describe('strptime reads what its format says', () => {
  test.each<[text: string, format: string, time: string]>([
    ['2026-11-28T15:03:57+0200', '%Y-%m-%dT%H:%M:%S%z', '2026-11-28T13:03:57Z'],
    ['2026-11-28T00:30:00+02:00', '%FT%T%z', '2026-11-27T22:30:00Z'],
    ['2026-11-28T15:03:57Z', '%Y-%m-%dT%H:%M:%S%z', '2026-11-28T15:03:57Z'],
    ['2026-11-28T15:03:57Z', '%Y-%m-%dT%H:%M:%SZ', '2026-11-28T15:03:57Z'],
    ['2026-11-28T15:03:57Z', '%Y-%m-%dT%H:%M:%S%Z', '2026-11-28T15:03:57Z'],
    ['-0500 28.11.2026 15:03', '%z %d.%m.%Y %H:%M', '2026-11-28T20:03:00Z'],
    ['Sat, 28 Nov 2026 15:03:57 +0500', '%a, %d %b %Y %H:%M:%S %z', '2026-11-28T10:03:57Z'],
    ['Saturday, November 28, 2026', '%A, %B %d, %Y', '2026-11-28T00:00:00Z'],
    ['sep 5 2026', '%b %e %Y', '2026-09-05T00:00:00Z'],
    ['11/28/26 12:05 AM', '%D %I:%M %p', '2026-11-28T00:05:00Z'],
    ['11/28/26 12:05 pm', '%D %I:%M %p', '2026-11-28T12:05:00Z'],
    ['11/28/26 03:03:57 PM', '%x %r', '2026-11-28T15:03:57Z'],
    ['2026-332', '%Y-%j', '2026-11-28T00:00:00Z'],
    ['2024-366', '%Y-%j', '2024-12-31T00:00:00Z'],
    ['28.11.68', '%d.%m.%y', '2068-11-28T00:00:00Z'],
    ['28.11.69', '%d.%m.%y', '1969-11-28T00:00:00Z'],
    ['1795878237', '%s', '2026-11-28T15:03:57Z'],
    ['20261128', '%Y%m%d', '2026-11-28T00:00:00Z'],
    ['(28) [11] 2026%', '(%d) [%m] %Y%%', '2026-11-28T00:00:00Z'],
    ['2026年11月28日', '%Y年%m月%d日', '2026-11-28T00:00:00Z'],
    ['2024-02-29', '%F', '2024-02-29T00:00:00Z'],
    ['1.5.2026 7:05', '%-d.%-m.%Y %_H:%M', '2026-05-01T07:05:00Z'],
  ])('%s by %s', async (text, format, time) => {
    expect(await result('.[1] as $format | .[0] | strptime($format) | todate', [text, format])).toBe(time);
    expect(await result('.[1] as $format | .[0] | strptime($format) | mktime', [text, format])).toBe(
      Date.parse(time) / 1000,
    );
  });

  test.each<[text: string, format: string, words: string]>([
    ['2026-02-30', '%Y-%m-%d', 'date "2026-02-30" does not exist: there is no such day'],
    ['2023-366', '%Y-%j', 'does not exist'],
    ['28 Nov 2026 15:03 CET', '%d %b %Y %H:%M %Z', 'does not match format "%d %b %Y %H:%M %Z"'],
    ['2026-11-28T15:03:57', '%Y-%m-%dT%H:%M:%S%z', 'does not match format'],
    ['2026-13-01', '%Y-%m-%d', 'does not match format'],
    ['2026 47 6', '%Y %U %w', 'strptime/1 does not support "%U"'],
    ['2026-11-28x', '%Y-%m-%d', 'does not match format'],
  ])('%s by %s is an error', async (text, format, words) => {
    expect(await result('.[1] as $format | .[0] | strptime($format)', [text, format])).toContain(words);
  });

  test('what follows a space is kept, as in jq', async () => {
    expect(await result('strptime("%Y-%m-%d")', '2026-11-28 and more')).toEqual([
      2026,
      10,
      28,
      0,
      0,
      0,
      6,
      331,
      ' and more',
    ]);
  });
});

describe('what is no time is an error', () => {
  test.each<[expression: string, input: Json, words: string]>([
    ['fromdate', '2026-02-30T00:00:00Z', 'does not exist'],
    ['fromdate', '2026-11-28T15:03:57+02:60', 'does not match format'],
    ['fromdate', '2026-11-28T15:03:57.Z', 'does not match format'],
    ['fromdate', '2026-11-28', 'does not match format'],
    ['fromdate', 'tomorrow', 'date "tomorrow" does not match format "%Y-%m-%dT%H:%M:%S%z"'],
    ['todate', 1e15, 'too large for a time in seconds'],
    ['nan | gmtime', null, 'too large for a time in seconds'],
    ['mktime', [1e10, 0, 1, 0, 0, 0], 'mktime: the time is too large, in seconds'],
    ['mktime', [2026, 1e10, 1], 'mktime: the time is too large, in seconds'],
    ['mktime', [], 'mktime: [] has no year, month and day; write [year, month from 0, day, hour, minute, second]'],
    ['mktime', [2026], 'mktime: [2026] has no month and day'],
    ['mktime', [2026, 10], 'mktime: [2026,10] has no day'],
    ['todate', [2026, 10], 'strftime/1: [2026,10] has no day'],
    ['mktime', [2026, 1.5, 1, 0, 0, 0], 'mktime: the month 1.5 is not a whole number'],
    ['strftime("%H")', [2026, 1, 1, 12, 30.5, 0], 'strftime/1: the minute 30.5 is not a whole number'],
    ['mktime', [2026, null, 1], 'mktime requires parsed datetime inputs'],
    ['todate', [2026, 0, 1, 0, 0, 0, 'Sat'], 'strftime/1 requires parsed datetime inputs'],
    ['todate', 1795878237000, 'strftime/1: the year 58879 is not between 0 and 9999'],
    ['todate', [-1, 11, 31], 'strftime/1: the year -1 is not between 0 and 9999'],
    ['dateadd("months"; 1)', 0, 'dateadd: the unit "months" is not "seconds"'],
    ['datesub("days"; 1)', 0, 'datesub: the unit "days" is not "seconds"'],
    ['mktime', ['2026', 10], 'mktime requires parsed datetime inputs'],
    ['fromdate', 1, 'strptime/1 requires string inputs and arguments'],
    ['todate', 'x', 'strftime/1 requires parsed datetime inputs'],
    ['strftime("%H:%M:%S.%L")', 1, 'strftime/1 does not support "%L"'],
    ['strftime("%Y %+")', 1, 'strftime/1 does not support "%+"'],
    ['strftime("%3N")', 1, 'strftime/1 does not support "%3N"'],
  ])('%s of %j', async (expression, input, words) => {
    expect(await result(expression, input)).toContain(words);
  });
});

const PRINTS = '`debug` is switched off: leave it out; the history of a run has the output of each step.';

describe('a function that always fails is refused by the check', () => {
  test.each([
    [
      '.a | strflocaltime("%H:%M")',
      '`strflocaltime` is switched off: an expression has the same result on every machine; write `strftime`, which is in UTC.',
    ],
    [
      'if .a then localtime else 1 end',
      '`localtime` is switched off: an expression has the same result on every machine; write `gmtime`, which is in UTC.',
    ],
    ['def f: debug; f', PRINTS],
    ['"\\(.a | debug("x"))"', PRINTS],
    ['env.HOME', '`env` is switched off: pass the value in the input, or use `$secrets` for a secret.'],
    ['$ENV.HOME', '`$ENV` is switched off: pass the value in the input, or use `$secrets` for a secret.'],
    ['def f: [$ENV]; f', '`$ENV` is switched off: pass the value in the input, or use `$secrets` for a secret.'],
    ['"$ENV" # $ENV', undefined],
    ['halt_error("x")', '`halt_error` is switched off: write `error("...")`, which can be caught.'],
    ['first(inputs)', '`inputs` is switched off: write `.` for the input.'],
    ['.a | gamma', '`gamma` is switched off: write `lgamma`.'],
    ['input_line_number', '`input_line_number` is switched off: leave it out.'],
    ['.localtime + {debug: "env | input"}.debug', undefined],
    ['def debug: .; debug # env', undefined],
    ['.a | strftime("%H:%M")', undefined],
  ])('%s', async (expression, words) => {
    expect(await expressions.check(expression, [])).toBe(words);
  });

  test('every other function of jq is there', async () => {
    const file = createRequire(import.meta.url).resolve('jq-wasm/jq.wasm');
    const jq = await createInstance(await WebAssembly.compile(readFileSync(file)));
    const program = '[builtins[] | select(test("/0$"))[:-2]] | join("\\n")';
    const outcome = jq.run(program, 'null', ['-r']);
    const names = outcome.kind === 'ran' ? outcome.result.stdout.split('\n') : [];
    expect(names.length).toBeGreaterThan(100);
    const missing = names.filter((name) => {
      if (name === 'repeat' || name === 'recurse') return false;
      const ran = jq.run(`try ${name} catch .`, '1');
      return ran.kind === 'ran' && ran.result.stdout.includes('not found at build time');
    });
    expect(missing).toEqual(['gamma']);
  });
});

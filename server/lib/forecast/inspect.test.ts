import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refused } from '../rejection.ts';
import { inspect } from './inspect.ts';
import { chunksOf } from './panels.testing.ts';

async function faultOf(text: string | Uint8Array): Promise<string> {
  const fault: unknown = await inspect(chunksOf(text)).then(
    (summary) => expect.fail(JSON.stringify(summary)),
    (error: unknown) => error,
  );
  if (!(fault instanceof Refused)) throw fault;
  const { reason, issues = [] } = fault.rejection;
  expect(reason).toBe('invalid_input');
  expect(issues.map(({ pointer }) => pointer)).toEqual(['']);
  return issues[0]?.detail ?? '';
}

test('a dataset is summed up', async () => {
  const text =
    'series,period,tickets,promo\na,2024-01,1,0\na,2024-04,2,1\na,2024-05,,1\nb,2024-02,3,\nb,2024-03,,\nb,2024-04,5,\n';
  expect(await inspect(chunksOf(text))).toEqual({
    rows: 6,
    series: 2,
    columns: ['tickets', 'promo'],
    period: 'month',
    first: '2024-01',
    last: '2024-04',
    // February and March of a, March of b; a's May comes after its last value.
    missing: 3,
    values: {
      tickets: { first: '2024-01', last: '2024-04', missing: 3 },
      promo: { first: '2024-01', last: '2024-05', missing: 2 },
    },
  });
});

test('columns and rows may come in any order', async () => {
  const text = 'region,tickets,period,series\nnorth,2,2024-Q2,a\nnorth,1,2023-Q4,a\n';
  expect(await inspect(chunksOf(text))).toEqual({
    rows: 2,
    series: 1,
    columns: ['region', 'tickets'],
    period: 'quarter',
    first: '2023-Q4',
    last: '2024-Q2',
    missing: 1,
    values: { tickets: { first: '2023-Q4', last: '2024-Q2', missing: 1 } },
  });
});

test.each([
  ['CRLF', 'series,period,v\r\na,2024,1\r\n'],
  ['a byte order mark', '\uFEFFseries,period,v\na,2024,1\n'],
  ['quotes', '"series","period","v"\n"a","2024","1"\n'],
  ['no line break at the end', 'series,period,v\na,2024,1'],
  ['empty lines', 'series,period,v\n\na,2024,1\n\n'],
])('a file may have %s', async (_, text) => {
  expect(await inspect(chunksOf(text))).toMatchObject({ rows: 1, columns: ['v'], first: '2024', last: '2024' });
});

const H = 'series,period,v\n';
test.each([
  ['', 'Line 1: the file is empty'],
  [H, 'Line 1: no rows follow'],
  ['series,v\na,1\n', 'Line 1: the header has no column `period`'],
  ['series,period\na,2024\n', 'Line 1: the header has no column but'],
  ['series,period,v,v\na,2024,1,1\n', 'Line 1: the header has the column `v` twice'],
  ['series,period,\na,2024,1\n', 'Line 1: the header has the column ``'],
  [`${H}a,2024-01,1\na,2024,1\n`, 'Line 3: `2024` is a year, and the first row has a month'],
  [`${H}a,2024-01,1\na,January,1\n`, 'Line 3: `January` is not a period'],
  [`${H}a,,1\n`, 'Line 2: the column `period` is empty'],
  [`${H},2024,1\n`, 'Line 2: the column `series` is empty'],
  [`${H}a,2024,1\nb,2024,2\na,2025,3\na,2024,4\n`, 'Line 5: the series `a` already has a row for `2024`'],
  [`${H}a,2024,1\na,2025,1e999\n`, 'Line 3: `1e999` in the column `v` is not a finite number'],
  [`${H}a,2024,1\na,2025,-1e38\n`, 'Line 3: `-1e38` in the column `v` is too large'],
  [`${H}a,2024,1\na,2025,NaN\n`, 'Line 3: `NaN` in the column `v` is not a finite number'],
  [`${H}a,2024,-Infinity\n`, 'Line 2: `-Infinity` in the column `v` is not a finite number'],
  [`${H}a,2024,1\na,2025,many\n`, 'Line 3: `many` in the column `v` is not a number'],
  [`${H}a,2024,0x10\n`, 'Line 2: `0x10` in the column `v` is not a number'],
  ['series,period,v,w\na,2024,1,2\na,2025,1,inf\n', 'Line 3: `inf` in the column `w` is not a finite number'],
  [`${H}a,2024,1\nb,2024,\nb,2025,\n`, 'Line 3: the series `b` has no value'],
  [`${H}a,2024,1,2\n`, 'Line 2: there are 4 fields where the header has 3'],
  [`${H}a,2024,1\n"b\r\nc",2024\n`, 'Line 3: there are 2 fields'],
  [`${H}"b\r\nc",2024,1\na,2024,x\n`, 'Line 4: `x`'],
  [`${H}a,2024,"1\n`, 'Line 2: a quoted field that begins here'],
  [`${H}a,2024,1"2\n`, 'Line 2: a quote is inside a field'],
  [`${H}a,2024,"1"2\n`, 'Line 2: a closing quote'],
  [`${H}a,2024,1\na\0,2025,1\n`, 'Line 3: there is a NUL character'],
  [`${H}a,0001-01-01T00,1\na,9999-12-31T23,1\n`, 'Line 2: the series together span 87'],
])('%j is refused: %s', async (text, detail) => {
  expect(await faultOf(text)).toContain(detail);
});

test('a row has at most 64 KiB', async () => {
  expect(await faultOf(`${H}a,2024,1\na,2025,"${'x'.repeat(70_000)}"\n`)).toContain('Line 3: the row is longer');
});

test('a text that is not UTF-8 is refused with its line', async () => {
  const cut = Buffer.concat([Buffer.from(`${H}ä,2024,1\n`), Buffer.from([0xc3])]);
  expect(await faultOf(cut)).toContain('Line 3: the text is not UTF-8');
  const latin = Buffer.from(`${H}ä,2024,1\nb,2024,1\n`, 'latin1');
  expect(await faultOf(latin)).toMatch(
    /^Line 2: the text is not UTF-8; .* The byte at offset \d+ \(0x\w\w\) is not valid\.$/,
  );
});

test('the 10,001st series is refused', async () => {
  const rows = Array.from({ length: 10_001 }, (_, series) => `s${series},2024,1\n`);
  expect(await inspect(chunksOf(H + rows.slice(1).join('')))).toMatchObject({ series: 10_000 });
  expect(await faultOf(H + rows.join(''))).toContain('Line 10002: this is the series 10001');
});

test('any cut of the file into chunks gives the same summary', async () => {
  const text =
    '\uFEFFseries,"period",v\r\n"ä ""1"", x",2024-W01,1.5\r\n🦉,2024-W03,-2e3\r\n"ä ""1"", x",2024-W04,\r\n🦉,2024-W01,0\r\n';
  const bytes = Buffer.from(text);
  const whole = await inspect(chunksOf(bytes));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length)), async (cuts) => {
      expect(await inspect(chunksOf(bytes, cuts))).toEqual(whole);
    }),
  );
});

test('a record of empty fields without an end is refused before it takes much memory', async () => {
  let isLeft = true;
  async function* commas(): AsyncGenerator<Uint8Array> {
    for (let kib = 0; kib < 2048; kib += 64) yield Buffer.alloc(64 * 1024, ',');
    isLeft = false;
  }
  await expect(inspect(commas())).rejects.toMatchObject({
    rejection: { issues: [{ detail: expect.stringMatching(/^Line 1: the row is longer/) }] },
  });
  expect(isLeft).toBe(true);
  expect(await faultOf(`series,period,v\n${'\n'.repeat(2 ** 20)}a,2024,x\n`)).toMatch(/^Line 1048578/);
});

describe('dates stand for the longest period that they fit', () => {
  const periodOf = async (...labels: string[]) => {
    const { period, first, last } = await inspect(
      chunksOf(`series,period,v\n${labels.map((at) => `a,${at},1\n`).join('')}`),
    );
    return [period, first, last];
  };

  test.each([
    ['first days of months', ['2024-01-01', '2024-02-01', '2024-04-01'], ['month', '2024-01', '2024-04']],
    ['last days of months', ['2024-01-31', '2024-02-29', '2024-03-31'], ['month', '2024-01', '2024-03']],
    ['first days of quarters', ['2024-01-01', '2024-04-01', '2024-10-01'], ['quarter', '2024-Q1', '2024-Q4']],
    ['last days of quarters', ['2023-12-31', '2024-03-31'], ['quarter', '2023-Q4', '2024-Q1']],
    ['first days of years', ['2023-01-01', '2024-01-01'], ['year', '2023', '2024']],
    ['first days of fiscal years', ['2023-07-01', '2024-07-01'], ['year', '2023', '2024']],
    ['first working days of months', ['2026-01-01', '2026-02-02', '2026-03-02'], ['month', '2026-01', '2026-03']],
    ['last working days of months', ['2026-01-30', '2026-02-27', '2026-03-31'], ['month', '2026-01', '2026-03']],
    ['last working days of quarters', ['2025-12-31', '2026-03-31', '2026-06-30'], ['quarter', '2025-Q4', '2026-Q2']],
    ['the 15th of months', ['2024-01-15', '2024-02-15', '2024-04-15'], ['month', '2024-01', '2024-04']],
    ['the first weekend of a month', ['2026-08-01', '2026-08-02', '2026-08-03'], ['day', '2026-08-01', '2026-08-03']],
    ['Mondays that begin a month', ['2026-06-01', '2026-06-08', '2026-06-15'], ['week', '2026-W23', '2026-W25']],
    ['Mondays', ['2024-01-01', '2024-01-08', '2024-01-22'], ['week', '2024-W01', '2024-W04']],
    ['Sundays', ['2024-01-07', '2024-01-14'], ['week', '2024-W01', '2024-W02']],
    ['days', ['2024-01-01', '2024-01-02', '2024-02-01'], ['day', '2024-01-01', '2024-02-01']],
    ['first and last days', ['2024-01-01', '2024-02-29', '2024-04-30'], ['day', '2024-01-01', '2024-04-30']],
    ['one date', ['2024-01-01'], ['day', '2024-01-01', '2024-01-01']],
    ['midnights of days', ['2024-01-01T00', '2024-01-02T00', '2024-01-04T00'], ['day', '2024-01-01', '2024-01-04']],
    ['midnights of months', ['2024-01-01 00:00:00', '2024-02-01 00:00:00'], ['month', '2024-01', '2024-02']],
    ['full hours', ['2024-01-01T00:00Z', '2024-01-01 07:00:00+00:00'], ['hour', '2024-01-01T00', '2024-01-01T07']],
  ])('%s', async (_name, labels, expected) => {
    expect(await periodOf(...labels)).toEqual(expected);
  });

  test('and a month that occurs twice is refused', async () => {
    expect(await faultOf('series,period,v\na,2024-01-01,1\na,2024-01-01,2\na,2024-02-01,3\n')).toBe(
      'Line 3: the series `a` already has a row for `2024-01`.',
    );
  });
});

describe('files of other programs', () => {
  const EXPECTED = { rows: 2, period: 'month', values: { Sales: { first: '2024-01' } } };

  test.each([
    ['semicolons and decimal commas', 'series;period;Sales\na;2024-01;1,5\na;2024-02;-,5\n'],
    ['a declared separator', '\uFEFFsep=;\r\nseries;period;Sales\r\na;2024-01;1,5\r\na;2024-02;2\r\n'],
    ['a declared separator in quotes', '"sep=\t"\nseries\tperiod\tSales\na\t2024-01\t1\na\t2024-02\t2\n'],
    ['tabs and decimal commas', 'series\tperiod\tSales\na\t2024-01\t1,5\na\t2024-02\t2,125\n'],
    ['semicolons and decimal points', 'series;period;Sales\na;2024-01;1.5\na;2024-02;2\n'],
    ['tabs', '\uFEFFseries\tperiod\tSales\na\t2024-01\t1.5\na\t2024-02\t2\n'],
    ['bars and decimal commas', 'series|period|Sales\na|2024-01|1,5\na|2024-02|2,125\n'],
    ['spaces around fields', ' Series , "Period" ,Sales \n a , 2024-01 , 1 \n a ,2024-02, 2\n'],
    ['tabs and a last column without values', 'series\tperiod\tSales\tnote\na\t2024-01\t1\t\na\t2024-02\t2\t\n'],
    ['days with dots', 'series;period;Sales\na;1.1.2024;1,5\na;01.02.2024;2\n'],
    ['months with dots', 'series;period;Sales\na;01.2024;1,5\na;2.2024;2\n'],
    ['slashes behind the year', 'series,period,Sales\na,2024/01/31,1\na,2024/02/29,2\n'],
    ['capitals', 'Series,PERIOD,Sales\na,2024-01,1.5\na,2024-02,2\n'],
    ['empty lines first', '\r\n\r\nSeries;Period;Sales\r\na;2024-01;1\r\na;2024-02;2\r\n'],
    ['quoted names with commas', '"Series";"Period";"Sales"\n"a, b";2024-01;1\n"a, b";2024-02;2\n'],
  ])('with %s are read', async (_name, text) => {
    expect(await inspect(chunksOf(text))).toMatchObject(EXPECTED);
  });

  test.each([
    [
      'two decimal signs',
      'series;period;v\na;2024-01;1,5\na;2024-02;2.5\n',
      /^Line 3: `2\.5` in the column `v` has another decimal sign/,
    ],
    [
      'a comma between tabs that may group digits',
      'series\tperiod\tv\na\t2024-01\t1,234\n',
      /^Line 2: `1,234` in the column `v` has a comma that may separate thousands or decimals/,
    ],
    ['a fault behind a declared separator', 'sep=;\nseries;period;v\na;2024-01;x\n', /^Line 3: `x` in the column/],
    ['grouped digits', 'series;period;v\na;2024-01;1.234,5\n', /^Line 2: `1\.234,5` in the column `v` is not a number/],
    [
      'a decimal comma between commas',
      'series,period,v\na,2024-01,"1,5"\n',
      /^Line 2: `1,5` in the column `v` is not a number/,
    ],
    [
      'another name for the series',
      'unique_id,ds,y\na,2024-01,1\n',
      /^Line 1: the header has no column `series`, but `unique_id`, `ds`, `y`; rename/,
    ],
    [
      'two names that differ by case',
      'Series,SERIES,period,v\na,b,2024-01,1\n',
      /^Line 1: the header has no column `series`/,
    ],
    ['another separator', 'series:period:v\na:2024-01:1\n', /Commas, semicolons, tabs or bars separate columns\./],
    ['a month before its day', 'series,period,v\na,01/31/2024,1\n', /^Line 2: `01\/31\/2024` is not a period/],
    ['a time with an offset', 'series,period,v\na,2024-03-31T03:00:00+02:00,1\n', /\. Times are full hours in UTC\.$/],
    [
      'an hour that a clock repeats',
      'series,period,v\na,2024-10-27T02,1\na,2024-10-27 02:00,2\n',
      /already has a row for `2024-10-27T02`\. Hours are in UTC, where none is repeated\.$/,
    ],
    ['a day that does not exist', 'series,period,v\na,31.04.2024,1\n', /^Line 2: `31\.04\.2024` is not a period/],
  ])('with %s are refused', async (_name, text, words) => {
    expect(await faultOf(text)).toMatch(words);
  });
});

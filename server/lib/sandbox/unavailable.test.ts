// What depends on locales, time zones or threads: refused when a program is saved, and in a run where the save could
// not see it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from './index.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox();
});
afterAll(() => sandbox.close());

const FORM = { exports: ['default'], keepsView: false, parameters: {} };

async function issuesOf(source: string): Promise<string[]> {
  const checked = await sandbox.check(source, FORM);
  if (checked === undefined || typeof checked === 'string') throw new Error(`The program was not checked: ${checked}.`);
  return checked.issues.map(({ line, column, detail }) => `${line}:${column} ${detail}`);
}

async function detailOf(body: string): Promise<string> {
  const source = `export default (input) => { ${body} }`;
  const ran = await sandbox.run({ source, input: '{}', now: 0, seed: 7, outputBytes: 1000 });
  if (typeof ran === 'string') throw new Error(`The program was not run: ${ran}.`);
  return ran.kind === 'stopped' ? ran.detail : ran.output;
}

describe('a program that uses a locale, a time zone or threads is refused', () => {
  test.each([
    [
      'the time in a time zone',
      'new Date(input.t).toLocaleString("en-US", { timeZone: "America/New_York" })',
      /^1:27 `toLocaleString` with a locale or options is not available: .*no time zones but UTC; .*`toISOString\(\)`/,
    ],
    ['options alone', '(0.5).toLocaleString(undefined, { style: "percent" })', /`toLocaleString`/],
    ['a date', 'new Date().toLocaleDateString("de")', /`toLocaleDateString`.*slice\(0, 10\)/],
    ['a time', 'new Date()?.toLocaleTimeString(["fr"])', /`toLocaleTimeString`/],
    ['a member by its text', 'input.price["toLocaleString"]("de")', /`toLocaleString`/],
    ['a call of the method', 'Number.prototype.toLocaleString.call(5, "de")', /`toLocaleString`/],
    ['a call with a list', 'Date.prototype.toLocaleString.apply(new Date(), ["de"])', /`toLocaleString`/],
    ['a method that is bound', 'Date.prototype.toLocaleString.bind(new Date(), "de")', /`toLocaleString`/],
    ['a comparison', 'input.sort((a, b) => a.localeCompare(b, "sv"))', /`localeCompare`.*a < b \? -1/],
    ['a comparison with options', '"a10".localeCompare("a9", undefined, { numeric: true })', /`localeCompare`/],
    ['upper case', '"i".toLocaleUpperCase("tr")', /use `toUpperCase\(\)`/],
    ['lower case', '"I".toLocaleLowerCase("tr")', /use `toLowerCase\(\)`/],
    ['Intl', 'new Intl.NumberFormat("de").format(5)', /^1:31 `Intl` is not available: /],
    ['Intl of the global object', 'new globalThis.Intl.NumberFormat("de")', /`Intl` is not available/],
    ['shared memory', 'new SharedArrayBuffer(8)', /use `ArrayBuffer`/],
    ['Atomics', 'Atomics.load(new Int32Array(1), 0)', /`Atomics` is not available/],
  ])('%s', async (_name, expression, words) => {
    const issues = await issuesOf(`export default (input) => ${expression}`);
    expect(issues).toEqual([expect.stringMatching(words)]);
  });

  test('also where it is taken from the global object', async () => {
    const source =
      'const { Intl: I, Math: M } = globalThis;\nexport default () => new I.NumberFormat("de").format(M.PI)';
    expect(await issuesOf(source)).toEqual([expect.stringMatching(/^1:7 `Intl` is not available/)]);
  });

  test.each([
    ['a look that has another value', 'const { Intl = null } = globalThis;\nexport default () => Intl'],
    [
      'the methods without arguments',
      'export default () => ["b".localeCompare("a"), new Date().toLocaleString(), (5).toLocaleString(undefined)]',
    ],
    [
      'a method of its own',
      'const names = { localeCompare: (a, b) => a - b };\nexport default () => names.localeCompare(1, 2)',
    ],
    [
      'a class with one',
      'class Money { toLocaleString(unit) { return unit; } }\nexport default () => new Money().toLocaleString("EUR")',
    ],
    ['a name of its own', 'export default (Intl) => Intl.a'],
    ['a look for it', 'export default () => (typeof Intl === "undefined" ? 0 : new Intl.Collator())'],
    ['a member of that name', 'export default (input) => input.Intl'],
  ])('but not %s', async (_name, source) => {
    expect(await issuesOf(source)).toEqual([]);
  });
});

describe('where a save could not see it, the run ends', () => {
  test.each([
    ['a name that is computed', 'const m = "toLocale" + "String"; return new Date()[m]("de");'],
    [
      'a method in a variable',
      'const { toLocaleString } = Date.prototype; return toLocaleString.apply(new Date(), ["de"]);',
    ],
    ['arguments spread', 'return new Date().toLocaleString(...["de"]);'],
    ['a list', 'const m = "toLocale" + "String"; return [new Date()][m]("de");'],
    ['a typed array', 'const m = "toLocale" + "String"; return new Float64Array(1)[m]("de");'],
    ['a BigInt', 'const m = "toLocale" + "String"; return (5n)[m]("de");'],
  ])('%s', async (_name, body) => {
    expect(await detailOf(body)).toMatch(/threw TypeError: `toLocaleString` with a locale or options is not available/);
  });

  test('and calls without a locale are what they were', async () => {
    const body =
      'return ["b".localeCompare("a") > 0, (1.5).toLocaleString(), ["ß".toLocaleUpperCase()], "".localeCompare.length];';
    expect(JSON.parse(await detailOf(body))).toEqual([true, '1.5', ['SS'], 1]);
  });
});

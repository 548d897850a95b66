import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonBounds, readJson } from './json-bounds.ts';

const bounds = jsonBounds({ '/input': 3, '/event/data': 2 }, 2);
const read = (text: string | Uint8Array) =>
  readJson(typeof text === 'string' ? new TextEncoder().encode(text) : text, bounds);
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 1 }), fc.boolean(), (value, isSpaced) => {
      const text = JSON.stringify({ value }, null, isSpaced ? 2 : 0);
      const reading = read(text);
      expect(reading).toMatchObject({ ok: true, issues: [] });
      expect(reading.ok && JSON.stringify(reading.value)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('a text is taken if and only if JSON.parse takes it', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'nul',
      ' ',
      '\n',
      '"\\u00',
      '41"',
    ),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join('');
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      const reading = read(text);
      expect(reading.ok || reading.detail.includes('twice')).toBe(isJson);
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['{"a":1,"a":2}', '"a" twice, at /a'],
  ['{"a":{"b":1,"\\u0062":2}}', '"b" twice, at /a/b'],
  ['{"a":1', 'line 1, column 7'],
  ['{\n"a" 1}', 'line 2, column 5'],
  ['\ufeff{}', 'line 1, column 1'],
  ['', 'ends unexpectedly'],
])('%s is no body, and the refusal says where', (text, words) => {
  expect(read(text)).toMatchObject({ ok: false, detail: expect.stringContaining(words) });
});

test('bytes that are not UTF-8 are refused', () => {
  expect(read(new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({ ok: false });
});

test.each([
  [`{"input":${nested(3)}}`, []],
  [`{"input":${nested(4)}}`, ['/input']],
  [`{"event":{"data":${nested(2)}}}`, []],
  [`{"event":{"data":${nested(3)}}}`, ['/event/data']],
  [`{"other":${nested(2)}}`, []],
  [`{"other":${nested(3)}, "more":${nested(900)}}`, ['/other', '/more']],
  ['{"n":[1e400]}', ['/n/0']],
  ['{"s":"\\ud800"}', ['/s']],
  ['{"a":{"\\udc00":1}}', ['/a']],
])('%.60s has issues at %j', (text, pointers) => {
  const reading = read(text);
  expect(reading.ok && reading.issues.map(({ pointer }) => pointer)).toEqual(pointers);
});

test('what nests too deep is left out, so that nothing recurses into it', () => {
  expect(read(`{"input":${nested(100_000)},"b":1}`)).toMatchObject({ ok: true, value: { b: 1 } });
});

test('of many issues fifty are reported, and one that says how many more there are', () => {
  const reading = read(`{"a":[${Array(200).fill('1e999').join()}]}`);
  const issues = reading.ok ? reading.issues : [];
  expect(issues).toHaveLength(51);
  expect(issues.at(-1)).toMatchObject({ pointer: '/a/50', detail: expect.stringContaining('150 more issues') });
});

test('__proto__ and constructor are plain data', () => {
  const reading = read('{"__proto__":{"polluted":1},"constructor":2}');
  expect(reading.ok && Object.keys(reading.value as object)).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test.each([
  ['one long text', `{"a":"${'x'.repeat(8_000_000)}"}`],
  ['objects in each other', `{"a":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}`],
  ['many issues below a long name', `{"${'x'.repeat(500_000)}":[${'1e999,'.repeat(10_000)}1]}`],
])('the time grows with the length alone: %s', (_what, text) => {
  const reading = read(text);
  expect(reading.ok && JSON.stringify(reading.issues).length).toBeLessThan(15_000);
});

test('a body may hold scalars alone', () => {
  const reading = readJson(new TextEncoder().encode('{"a":1,"b":[]}'), jsonBounds({}, 0));
  expect(reading).toMatchObject({ ok: true, value: { a: 1 }, issues: [{ pointer: '/b' }] });
});

test('values and names are counted before anything is built of them', () => {
  const bounds = jsonBounds({}, 64, 14);
  const readMany = (text: string) => readJson(new TextEncoder().encode(text), bounds);
  expect(readMany('{"a":[1,2,3],"b":{"c":{}},"d":"x","e":null}')).toMatchObject({ ok: true });
  expect(readMany('{"a":[1,2,3,4],"b":{"c":{}},"d":"x","e":null}')).toMatchObject({ ok: false, isTooMuch: true });
  // Nobody reads so far as to find that it is no JSON.
  expect(readMany(`[${'{},'.repeat(15)}`)).toMatchObject({ ok: false, isTooMuch: true });
});

const TOO_DEEP = { pointer: '/input', detail: '`input` nests more than 3 levels; send a flatter value.' };

test.each([
  ['text with brackets', '["]}\\"]"]', { ok: true, value: { b: [3] }, issues: [TOO_DEEP] }],
  ['members that are equal', '{"k":1,"k":2}', { ok: true, value: { b: [3] }, issues: [TOO_DEEP] }],
  ['brackets of another kind', '[1}', { ok: false, isTooMuch: false }],
  ['no closing bracket', '[1', { ok: false, isTooMuch: false }],
  ['a string that is not closed', '["]', { ok: false, isTooMuch: false }],
])('what nests too deeply is skipped to its end, with %s', (_what, deepest, expected) => {
  expect(read(`{"input":[1,[[[${deepest}]]],2],"b":[3]}`)).toMatchObject(expected);
});

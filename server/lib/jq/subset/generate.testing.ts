// Random expressions of the subset and values for them.
import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../../../../shared/json.ts';

const NAMES = ['a', 'b', 'B', 'é', 'a b', '__proto__', 'constructor', '', '1', '12', 'if', '😀', '\uffee'];

const numbers = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((hundredths) => hundredths / 100),
  fc.constantFrom(1e17, 1e16, 2 ** 53, 2 ** 53 + 2, 1e300, -1e-300, 0.0001, 0.00001, 1e15, 123456.789e3, 5e-324),
);
const texts = fc.oneof(
  fc.constantFrom(
    ...NAMES,
    'abc',
    'aé',
    '10',
    '-0',
    '1.50',
    '1e3',
    ' 1',
    '0x1',
    'nan',
    '\u0000',
    '\u007f\u0001"\\/',
    'line\nend',
    '\u2028',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);

/** Values with names and strings that often occur in the expressions. */
export const inputs: Arbitrary<Json> = fc
  .letrec<{ value: Json; list: Json; object: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom<Json>(null, false, true),
      numbers,
      texts,
      tie('list'),
      tie('object'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), texts), tie('value')), { maxLength: 5 })
      .map((members) => JSON.parse(toObject(members)) as Json),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)) as Json);

/** Parsed from JSON, so that `__proto__` is an ordinary member. */
function toObject(members: readonly [string, Json][]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}

const literal = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '0', '1', '2', '0.5', '10', '[]', '{}', '"a"', '"b"', '"é"', '"10"'),
  texts.filter((text) => text.isWellFormed() && !text.includes('\u0000')).map((text) => JSON.stringify(text)),
);
const field = fc.constantFrom(
  '.a',
  '.b',
  '.B',
  '."é"',
  '."a b"',
  '.if',
  '.__proto__',
  '.["a"]',
  '.constructor',
  '."1"',
);
const variable = fc.constantFrom('$x', '$list', '$o', '$o.a', '$o.a.b', '$list[0]');
const call = fc.constantFrom('length', 'type', 'not', 'add', 'empty');
const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
const operator = fc.constantFrom('+', '-', '*', '/', '%', 'and', 'or', '//', ',', '|', '|', '|');
const wrapped = fc.constantFrom(
  'map',
  'select',
  '[',
  '(',
  '"<\\(',
  '{a: (',
  '{a, $x, b: (',
  '[.[] | ',
  '[.[] | {a: (',
  '(.a, .b) | (',
  'select(',
  '[',
  'map(',
);
const CLOSING: Readonly<Record<string, string>> = {
  '[': ']',
  '"<\\(': ')>"',
  '{a: (': ')}',
  '{a, $x, b: (': ')}',
  '[.[] | ': ']',
  '[.[] | {a: (': ')}]',
  map: ')',
};
const path = fc.constantFrom('.a', '[0]', '[-1]', '[]', '.["a"]', '."é"', '.[0]', '.__proto__');

function close(opening: string, body: string): string {
  const isName = /^[a-z]+$/.test(opening);
  return `${opening}${isName ? '(' : ''}${body}${CLOSING[opening] ?? ')'}`;
}

const queriesOf = (maxDepth: number): Arbitrary<string> =>
  fc.letrec<{ query: string; term: string }>((tie) => ({
    term: fc.oneof(
      { maxDepth, depthSize: 'small' },
      fc.oneof(field, fc.constant('.'), literal, variable, call),
      fc.tuple(wrapped, tie('query')).map(([opening, body]) => close(opening, body)),
      fc.tuple(tie('term'), path).map(([of, step]) => (/[A-Za-z_)\]}"]$/.test(of) ? of + step : `(${of})${step}`)),
      fc.tuple(tie('query'), tie('query'), tie('query')).map(([a, b, c]) => `if ${a} then ${b} else ${c} end`),
      fc.tuple(tie('query'), tie('query')).map(([a, b]) => `{a: (${a}), "b c": (${b})}`),
      fc.tuple(tie('query'), tie('query')).map(([a, b]) => `"\\(${a})-\\(${b})"`),
    ),
    query: fc.oneof(
      { maxDepth, depthSize: 'small' },
      tie('term'),
      fc.tuple(tie('term'), operator, tie('query')).map(([a, sign, b]) => `${a} ${sign} ${b}`),
      fc.tuple(tie('term'), comparison, tie('term')).map(([a, sign, b]) => `${a} ${sign} ${b}`),
    ),
  })).query;

/** Half of them small, so that many have results. */
export const expressions: Arbitrary<string> = fc.oneof(queriesOf(1), queriesOf(3));

const TOKENS = [
  ...'. .. [ ] { } ( ) , | : ; ? // ?// + - * / % == != < <= > >= = |= and or not if then elif else end as def try'.split(
    ' ',
  ),
  ...'.a .b .if a b if $x $list $o length map select empty has any all 1 0 2.5 01 1. .5 1e3 "a" "\\(1)" "\\( ")" @text'.split(
    ' ',
  ),
  '[.[]',
  '.[',
  'map(',
  '{a:',
  '{"a"',
  'if . then',
  'end',
  ')',
  ']',
  '}',
  '.[1:',
  '. ',
  '#c\n',
  '"\\u00e9"',
  '"\\ud83d"',
];

const heaps = fc
  .array(fc.tuple(fc.constantFrom(...TOKENS), fc.constantFrom('', ' ')), { minLength: 1, maxLength: 9 })
  .map((tokens) => tokens.map(([token, space]) => token + space).join(''));

const damaged = fc
  .tuple(queriesOf(1), fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', '', ...TOKENS))
  .map(([query, offset, length, token]) => {
    const at = offset % (query.length + 1);
    return query.slice(0, at) + token + query.slice(at + length);
  });

/** Tokens in random order, with and without spaces; expressions with random deletions and insertions. */
export const soups: Arbitrary<string> = fc.oneof(heaps, damaged).filter((text) => text.isWellFormed());

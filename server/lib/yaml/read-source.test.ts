import { describe, expect, test } from 'vitest';
import { createFindings } from './findings.ts';
import { positionsIn } from './positions.ts';
import { readSource } from './read-source.job.ts';

const OTHERWISE = 'The document is an object.';

function issuesOf(source: string): { at: string; detail: string }[] {
  const read = readSource({ source, otherwise: OTHERWISE });
  return read.ok ? [] : read.issues.map(({ line, column, detail }) => ({ at: `${line}:${column}`, detail }));
}

describe('given a text that is no YAML 1.2 core document', () => {
  test.each([
    ['a: 1\na: 2', '2:1', 'twice'],
    ['a: !mine 1', '1:4', 'Tags'],
    ['a: !!binary aGk=', '1:4', 'Tags'],
    ['? [a]\n: b', '1:3', 'must be a string'],
    ['a:\n\t- b', '2:1', 'tabs'],
    ['a: 1\n---\nb: 2', '2:1', 'second document'],
    ['%YAML 1.1\n---\na: yes', '1:1', '%YAML'],
    ['a: @b', '1:4', 'quotes'],
    ['a: ${ .b: c }', '1:4', 'quotes'],
    ['a: { b: ${ .c } }', '1:10', 'quotes'],
    ['a: [1', '1:6', 'indentation'],
    ['a: "b', '1:6', 'missing'],
    ['a: *b', '1:1', 'anchor `&b`'],
    ['a: &a { b: *a }', '1:1', 'more than 200 levels'],
    ['a: .inf', '1:4', 'JSON cannot represent'],
    ['', '1:1', OTHERWISE],
    ['- a', '1:1', OTHERWISE],
  ])('%j is refused at %s', (source, at, words) => {
    const issues = issuesOf(source);
    expect(issues[0]?.detail).toContain(words);
    expect(issues[0]?.at).toBe(at);
  });

  test('one text without its quotes is reported once, however much behind it cannot be read', () => {
    const source = 'do:\n  - a:\n      with: { b: ${ .c } }\n      then: end\n  - d:\n      set: { e: ${ .f } }\n';
    expect(issuesOf(source)).toEqual([{ at: '3:19', detail: expect.stringContaining("`{ all: '${ .items }' }`") }]);
  });

  test('aliases that expand past 100 values are refused', () => {
    expect(issuesOf(`a: &a [x]\nb:\n${'- *a\n'.repeat(99)}`)).toEqual([]);
    expect(issuesOf(`a: &a [x]\nb:\n${'- *a\n'.repeat(101)}`)[0]?.detail).toContain('more than 100 values');
  });

  test('more than 20,000 values are refused before they are parsed', () => {
    for (const source of [
      `a: [${','.repeat(60_000)}]`,
      '- a\n'.repeat(16_000) + '- '.repeat(16_000),
      ': '.repeat(30_000),
    ]) {
      expect(issuesOf(source)).toEqual([{ at: '1:1', detail: expect.stringContaining('more than 20000 values') }]);
    }
    expect(issuesOf(`a: [${'1,'.repeat(19_000)}]`)).toEqual([]);
  });

  test('whatever nests by thousands is refused, not thrown', () => {
    for (const open of ['[', '{a: ', '- ', 'a:\n']) {
      expect(readSource({ source: `a: ${open.repeat(20_000)}`, otherwise: OTHERWISE }).ok).toBe(false);
      expect(readSource({ source: `${open.repeat(15_000)}1`, otherwise: OTHERWISE }).ok).toBe(false);
    }
    expect(issuesOf(`a: ${'['.repeat(199)}${']'.repeat(199)}`)).toEqual([]);
    expect(issuesOf(`a: ${'['.repeat(201)}${']'.repeat(201)}`)[0]?.detail).toContain('levels');
  });
});

test('merge keys, and integers that JSON does not keep exactly, are warnings', () => {
  const source = [
    'base: &b { x: 1 }',
    'a: { <<: *b, y: 2 }',
    '"<<": 1',
    'ids: [9007199254740991, 9007199254740993, "12345678901234567890", 0x20000000000001, -9007199254740992]',
    'numbers: [1e20, 12345678901234567890.5, 0.1]',
  ].join('\n');
  const read = readSource({ source, otherwise: OTHERWISE });
  if (!read.ok) throw new Error(read.issues[0]?.detail);
  const { warnings } = createFindings(positionsIn(read.positions), read.warnings);
  expect(warnings.map(({ pointer, line, column, detail }) => [`${line}:${column} ${pointer}`, detail])).toEqual([
    ['2:6 /source/a/<<', expect.stringContaining('`<<` merges nothing')],
    [
      '4:25 /source/ids/1',
      '9007199254740993 is larger than the integers that JSON keeps exactly, and is read as 9007199254740992; put it in quotes if it is an id.',
    ],
    ['4:67 /source/ids/3', expect.stringContaining('0x20000000000001')],
    ['4:85 /source/ids/4', expect.stringContaining('-9007199254740992')],
  ]);
  const many = readSource({ source: `a: [${'9007199254740993, '.repeat(5000)}]`, otherwise: OTHERWISE });
  expect(many.ok && many.warnings.length).toBe(20);
});

describe('given a document', () => {
  const source =
    'document:\n  name: x # the name\n"do":\n  - first:\n      set: { a: 1 }\n      then:\n  - *b\nuse: { c: &b { second: 2 } }';
  const read = readSource({ source: source.replace('- *b\n', '- { second: 2 }\n'), otherwise: OTHERWISE });
  const at = (pointer: string, part?: 'key' | 'value'): string => {
    if (!read.ok) throw new Error(read.issues[0]?.detail);
    const { line, column } = positionsIn(read.positions).positionOf(pointer, part);
    return `${line}:${column}`;
  };

  test('a scalar stands where it begins, anything larger at its name', () => {
    expect(at('/document/name')).toBe('2:9');
    expect(at('/document/name', 'key')).toBe('2:3');
    expect(at('/do')).toBe('3:1');
    expect(at('/do/0/first')).toBe('4:5');
    expect(at('/do/0/first/set')).toBe('5:7');
    expect(at('/do/0/first/set/a')).toBe('5:17');
    expect(at('/do/1')).toBe('7:5');
  });

  test('a value that is left out stands at its name, a place that is not there at its holder', () => {
    expect(at('/do/0/first/then')).toBe('6:7');
    expect(at('/do/0/first/missing')).toBe('4:5');
    expect(at('')).toBe('1:1');
  });

  test('keys are texts, and those of prototypes plain data', () => {
    const odd = readSource({ source: '200: a\nnull: b\n__proto__: { c: 1 }\n', otherwise: OTHERWISE });
    expect(odd.ok && Object.entries(odd.value)).toEqual([
      ['200', 'a'],
      ['null', 'b'],
      ['__proto__', { c: 1 }],
    ]);
  });

  test('a place behind an alias is found where its anchor stands', () => {
    const aliased = readSource({ source: 'a: &x\n  b: 1\nc: *x\n', otherwise: OTHERWISE });
    expect(aliased.ok && positionsIn(aliased.positions).positionOf('/c')).toEqual({ line: 3, column: 4 });
    expect(aliased.ok && positionsIn(aliased.positions).positionOf('/c/b')).toEqual({ line: 2, column: 6 });
  });
});

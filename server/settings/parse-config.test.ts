import { expect, test } from 'vitest';
import { parseConfig } from './parse-config.ts';

test.each([
  ['', {}],
  ['# nothing\n', {}],
  ['a: yes\nb: [1, x]\n', { a: 'yes', b: [1, 'x'] }],
  ['{"a": null}', { a: null }],
  ['%YAML 1.2\n---\na: 1', { a: 1 }],
  ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
  ['__proto__: 1', Object.fromEntries([['__proto__', 1]])],
])('%j is read', (text, value) => {
  expect(parseConfig(text)).toEqual({ ok: true, value });
});

test.each([
  ['a: s3cret\nb:\n  c: 1\n  c: s3cret', 'at line 4, column 3 has a key for the second time'],
  ['a: !s3cret x', 'at line 1, column 4 has a tag'],
  ['a: !!binary c3Ry', 'has a tag'],
  ['? [s3cret]\n: 1', 'a key that is not a text'],
  ['a:\n\tb: s3cret', 'at line 2, column 1 is indented by a tab'],
  ['a: 1\n---\nb: s3cret', 'at line 2, column 1 contains a second document'],
  ['a: [s3cret', 'is not YAML'],
  ['a: "s3cret', 'is not YAML'],
  ['a: s3cret: b', 'is not YAML'],
  ['a: @s3cret', 'is not YAML'],
  ['%YAML 1.1\n---\na: yes', 'another YAML than 1.2'],
  ['a: *s3cret', 'alias'],

  ['- s3cret', 'is not an object'],
  ['s3cret', 'is not an object'],
])('%j is refused without its text', (text, says) => {
  const parsed = parseConfig(text);
  expect(parsed).toEqual({ ok: false, says: expect.stringContaining(says) });
  expect(JSON.stringify(parsed)).not.toContain('s3cret');
});

test('nesting that exhausts the parser is refused', () => {
  expect(parseConfig(`a: ${'['.repeat(50_000)}`)).toMatchObject({ ok: false });
});

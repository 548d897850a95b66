import { expect, test } from 'vitest';
import { expand } from './environment.ts';

const environment = { A: 'one', B: '${A} "$&', EMPTY: '' };

test.each([
  ['plain $A {A}', 'plain $A {A}'],
  ['${A}', 'one'],
  ['<${A}-${A}>', '<one-one>'],
  ['${B}', '${A} "$&'],
])('%s is expanded once', (text, expanded) => {
  expect(expand(text, environment, 'x')).toBe(expanded);
});

test.each([
  ['${C}', 'x names the variable C, which is not set; set it in'],
  ['${EMPTY}', 'x names the variable EMPTY, which is not set'],
  ['${constructor}', 'x names the variable constructor, which is not set'],
  ['${A} ${A:-s3cret}', 'x contains ${ without the name of a variable'],
  ['${', 'x contains ${ without'],
])('%s stops with the name of the setting', (text, sentence) => {
  expect(() => expand(text, environment, 'x')).toThrow(sentence);
  expect(() => expand(text, environment, 'x')).not.toThrow(/s3cret|one/);
});

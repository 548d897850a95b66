import { expect, test } from 'vitest';
import { wholeExpression } from './index.ts';

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

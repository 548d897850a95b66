import { expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { answerTable } from './call-result.tsx';

const ROWS = [
  { id: 1, name: 'a' },
  { id: 2, seen: null },
];
const KEYS = ['id', 'name', 'seen'];

test.each<[string, Json]>([
  ['a list of flat objects', ROWS],
  ['an object that holds nothing but one', { items: ROWS }],
])('%s becomes a table with all members', (_what, answer) => {
  const table = answerTable(answer);
  expect(table?.columns.map(({ key }) => key)).toEqual(KEYS);
  expect(table?.rows).toEqual(ROWS);
});

test.each<[string, Json]>([
  ['a text', 'text'],
  ['an empty list', []],
  ['a list of texts', ['a', 'b']],
  ['objects that hold objects', [{ a: { b: 1 } }]],
  ['a list beside something else', { items: ROWS, total: 2 }],
  ['objects without members', [{}]],
  ['very many members', [Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`m${index}`, 1]))]],
])('%s does not become a table', (_what, answer) => {
  expect(answerTable(answer)).toBeUndefined();
});

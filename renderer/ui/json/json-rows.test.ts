import { expect, test } from 'vitest';
import { findInJson, type JsonRow, keyOf, openAtFirst, openTo, pathText, rowsOf } from './json-rows.ts';

const CLOSED = { open: new Set<string>(), shown: new Map<string, number>() };
const ORDER = {
  id: 'A1',
  items: [
    { sku: 'pen', price: 2 },
    { sku: 'ink', price: 7.5 },
  ],
  note: null,
};

const linesOf = (rows: readonly JsonRow[]): string[] =>
  rows.map(({ path, name, content, isFollowed }) => {
    const before = '  '.repeat(path.length) + (name === undefined ? '' : `${name}: `);
    const after = isFollowed ? ',' : '';
    switch (content.is) {
      case 'value':
        return `${before}${JSON.stringify(content.value)}${after}`;
      case 'parent':
        return `${before}${content.isOpen ? 'open' : 'closed'} ${content.size}`;
      case 'end':
        return `${before}${content.bracket}${after}`;
      case 'rest':
        return `${before}${content.remaining} more`;
    }
  });

test('a small value is open as a whole', () => {
  const rows = rowsOf(ORDER, { open: openAtFirst(ORDER), shown: new Map() });
  expect(linesOf(rows)).toEqual([
    'open 3',
    '  id: "A1",',
    '  items: open 2',
    '    open 2',
    '      sku: "pen",',
    '      price: 2',
    '    },',
    '    open 2',
    '      sku: "ink",',
    '      price: 7.5',
    '    }',
    '  ],',
    '  note: null',
    '}',
  ]);
});

test('a large value is opened level by level, and shows the first members of a long list', () => {
  const value = { many: Array.from({ length: 250 }, (_none, index) => ({ place: index })), few: [1] };
  const open = openAtFirst(value);
  expect([...open]).toEqual([keyOf([]), keyOf(['many']), keyOf(['few'])]);
  const rows = linesOf(rowsOf(value, { open, shown: new Map() }));
  expect(rows).toHaveLength(1 + 1 + 100 + 1 + 1 + 1 + 1 + 1 + 1);
  expect(rows).toContain('    150 more');
  const more = linesOf(rowsOf(value, { open, shown: new Map([[keyOf(['many']), 300]]) }));
  expect(more.filter((line) => line.includes('closed 1'))).toHaveLength(250);
});

test.each([[''], [0], [null], [[]], [{}], ['text']])('%j is one line', (value) => {
  expect(rowsOf(value, { open: openAtFirst(value), shown: new Map() })).toHaveLength(1);
});

test('a path is an expression of jq', () => {
  expect(pathText([])).toBe('.');
  expect(pathText(['items', 0, 'unit price'])).toBe('.items[0]."unit price"');
  expect(pathText([3, '__proto__'])).toBe('.[3].__proto__');
});

test('names and values are found in any case, and their lines can be shown', () => {
  const value = { Total: 12, lines: Array.from({ length: 300 }, (_none, index) => ({ text: `line ${index}` })) };
  expect(findInJson(value, 'total').paths).toEqual([['Total']]);
  expect(findInJson(value, '12').paths).toHaveLength(14);
  const [path] = findInJson(value, 'LINE 299').paths;
  expect(path).toEqual(['lines', 299, 'text']);
  const rows = rowsOf(value, openTo(value, path ?? [], CLOSED));
  expect(rows.some((row) => keyOf(row.path) === keyOf(path ?? []))).toBe(true);
});

test('the search ends after a thousand matches', () => {
  const found = findInJson(
    Array.from({ length: 5000 }, () => 'same'),
    'same',
  );
  expect(found).toMatchObject({ paths: { length: 1000 }, isCut: true });
  expect(findInJson(['same'], '')).toEqual({ paths: [], isCut: false });
});

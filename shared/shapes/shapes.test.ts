import { expect, test } from 'vitest';
import { Check } from 'typebox/value';
import type { TSchema } from 'typebox';
import { isShapeName, SHAPES, type ShapeName } from './index.ts';

const fits = (name: ShapeName, value: unknown): boolean => Check(SHAPES[name] as TSchema, value);

const VALID: Readonly<Record<ShapeName, readonly unknown[]>> = {
  series: [
    { lines: [] },
    { unit: 'EUR', lines: [{ name: 'Sales', points: [{ at: '2026-01', value: 3, low: 2, high: 4 }] }] },
    { lines: [{ name: 'Gap', points: [{ at: '2026-01', value: null }] }] },
  ],
  table: [{ columns: [{ key: 'a', title: 'A' }], rows: [{ a: 1 }, { a: [null], b: {} }] }],
  metric: [
    { label: 'Open', value: 3 },
    { label: 'State', value: 'good', unit: '' },
  ],
  markdown: [{ markdown: '# Hello' }],
  choice: [{ options: [{ id: 'a', label: 'A' }], chosen: 'a' }, { options: [] }],
  timeline: [{ entries: [{ at: '09:00', title: 'Opened', detail: 'By Ada.' }] }, { entries: [] }],
};

const INVALID: Readonly<Record<ShapeName, readonly unknown[]>> = {
  series: [
    {},
    { lines: [{ name: 'A' }] },
    { lines: [{ name: 'A', points: [{ at: 1, value: 2 }] }] },
    { lines: [], x: 1 },
  ],
  table: [{ columns: [], rows: [[1]] }, { columns: [{ key: 'a' }], rows: [] }, { columns: [] }],
  metric: [{ label: 'Open' }, { label: 'Open', value: null }, { label: 'Open', value: 1, note: 'x' }],
  markdown: ['# Hello', {}, { markdown: 1 }],
  choice: [{ options: ['a'] }, { options: [{ id: 'a', label: 'A', color: 'red' }] }, { chosen: 'a' }],
  timeline: [{ entries: [{ at: '09:00' }] }, { entries: {} }],
};

const names = Object.keys(VALID) as ShapeName[];

test.each(names)('%s accepts valid outputs and no others', (name) => {
  expect(VALID[name].map((value) => fits(name, value))).toEqual(VALID[name].map(() => true));
  expect(INVALID[name].map((value) => fits(name, value))).toEqual(INVALID[name].map(() => false));
});

test('each shape is plain JSON with a title and a description', () => {
  expect(Object.keys(SHAPES).toSorted()).toEqual(names.toSorted());
  for (const schema of Object.values(SHAPES)) {
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schema['title']).toBeTypeOf('string');
    expect(schema['description']).toMatch(/\.$/);
  }
});

test('only the exact name of a shape is recognised', () => {
  expect(isShapeName('series')).toBe(true);
  expect(isShapeName('constructor')).toBe(false);
  expect(isShapeName('Series')).toBe(false);
});

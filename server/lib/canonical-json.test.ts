import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { canonicalJson, jsonBytes } from './canonical-json.ts';

test.each([
  ['{"b":1,"a":2}', '{"a":2,"b":1}'],
  ['{"a":1.0,"b":1e2,"c":-0}', '{"a":1,"b":100,"c":0}'],
  ['{"é":1,"z":2,"Z":3,"😀":4}', '{"Z":3,"z":2,"é":1,"😀":4}'],
  ['{"b":[{"d":1,"c":2}]}', '{"b":[{"c":2,"d":1}]}'],
  ['{"constructor":1,"__proto__":{"b":1,"a":2}}', '{"__proto__":{"a":2,"b":1},"constructor":1}'],
  ['"\\ud800"', '"\\ud800"'],
  ['null', 'null'],
])('%s is written as %s', (text, canonical) => {
  expect(canonicalJson(JSON.parse(text) as Json)).toBe(canonical);
});

test('equal values are written alike, others are not', () => {
  const shuffled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([name, member]) => [name, shuffled(member)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as Json;
      expect(canonicalJson(shuffled(json))).toBe(canonicalJson(json));
      expect(JSON.parse(canonicalJson(json))).toEqual(json);
    }),
  );
});

test('values as deep as any that is taken are written', () => {
  const deep = JSON.parse('[{"a":'.repeat(600) + '1' + '}]'.repeat(600)) as Json;
  expect(canonicalJson(deep)).toBe(JSON.stringify(deep));
});

test.each([
  ['é', 4],
  [{ a: '😀' }, 12],
  [[1, 2], 5],
])('%j takes %i bytes', (value, bytes) => {
  expect(jsonBytes(value)).toBe(bytes);
});

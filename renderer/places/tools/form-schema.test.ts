import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { formSchema } from './form-schema.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

describe('a form is made', () => {
  test('of an object, without its patterns, which stay where they are names and values', () => {
    const named = { pattern: { type: 'string', pattern: '(a+)+$', default: { pattern: 'x' } } };
    expect(formSchema(object(named, { patternProperties: { a: {} } }))).toEqual(
      object({ pattern: { type: 'string', default: { pattern: 'x' } } }),
    );
  });

  test('of references that end, several to one place', () => {
    const pet = { $ref: '#/$defs/a~1b' };
    const schema = object({ one: pet, two: pet }, { $defs: { 'a/b': { type: 'string' } } });
    expect(formSchema(schema)).toEqual(schema);
  });
});

test.each<[string, JsonObject]>([
  ['nothing that is an object', { type: 'array', items: {} }],
  ['an object without named properties', { type: 'object' }],
  ['a reference to the whole', object({ child: { $ref: '#' } })],
  [
    'a reference that comes back to itself',
    object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { items: { $ref: '#/$defs/a' } } } }),
  ],
  [
    'two that lead to one another',
    object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
  ],
  ['a reference to nothing', object({ a: { $ref: '#/$defs/constructor' } })],
  ['a reference to elsewhere', object({ a: { $ref: 'https://example.com/a.json' } })],
  [
    'hundreds of parts',
    object(Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`p${index}`, { type: 'string' }]))),
  ],
])('given %s, then arguments are written as JSON', (_what, schema) => {
  expect(formSchema(schema)).toBeUndefined();
});

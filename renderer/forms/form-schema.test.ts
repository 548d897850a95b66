import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { formSchema, objectFormSchema } from './form-schema.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

describe('a form is made', () => {
  test('of an object, without its patterns, which stay where they are names and values', () => {
    const named = { pattern: { type: 'string', pattern: '(a+)+$', default: { pattern: 'x' } } };
    expect(formSchema(object(named, { patternProperties: { a: {} } }))).toEqual(
      object({ pattern: { type: 'string', default: { pattern: 'x' } } }),
    );
  });

  test('of what depends on other members, without patterns, whatever those are called', () => {
    const needs = (more: JsonObject): JsonObject =>
      object({ a: {} }, { dependencies: { default: object({ b: { type: 'string', ...more } }) } });
    expect(formSchema(needs({ pattern: '(a+)+$' }))).toEqual(needs({}));
  });

  test('without what would make references start elsewhere', () => {
    const inner = { $defs: { a: { type: 'string' } }, items: { $ref: '#/$defs/a' } };
    const schema = object({ a: { $id: 'https://example.com/', ...inner } }, { $defs: { a: {} } });
    expect(formSchema(schema)).toEqual(object({ a: inner }, { $defs: { a: {} } }));
    expect(formSchema(object({ a: { $recursiveRef: '#', allOf: [{ $dynamicRef: '#' }] } }))).toEqual(
      object({ a: { allOf: [{}] } }),
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
    'few parts that are drawn a million times',
    object(
      { a: { $ref: '#/$defs/d0' } },
      {
        $defs: {
          ...Object.fromEntries(
            Array.from({ length: 20 }, (_, index) => {
              const next = { $ref: `#/$defs/d${index + 1}` };
              return [`d${index}`, object({ one: next, two: next })];
            }),
          ),
          d20: { type: 'string' },
        },
      },
    ),
  ],
  [
    'a reference to a value that holds a pattern',
    object({ a: { default: { type: 'string', pattern: '(a+)+$' } }, b: { $ref: '#/properties/a/default' } }),
  ],
  [
    'a reference to names that make up a schema with a pattern',
    object({ a: { $ref: '#/$defs' } }, { $defs: { type: 'string', pattern: '(a+)+$' } as JsonObject }),
  ],
  [
    'hundreds of parts',
    object(Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`p${index}`, { type: 'string' }]))),
  ],
])('given %s, then values are written as JSON', (_what, schema) => {
  expect(objectFormSchema(schema)).toBeUndefined();
});

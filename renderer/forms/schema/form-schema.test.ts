import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { formOf } from './describe-field.ts';
import { formSchema, recursiveReferences } from './form-schema.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

describe('a form is generated', () => {
  test('from an object without its patterns, which stay where they are names or values', () => {
    const named = { pattern: { type: 'string', pattern: '(a+)+$', default: { pattern: 'x' } } };
    const form = object({ pattern: { type: 'string', default: { pattern: 'x' } } });
    expect(formSchema(object(named))).toEqual(form);
    const a: JsonObject = { type: 'number' };
    const extras = (more: JsonObject) => formSchema(object(named, { patternProperties: { '^(a+)+$': a }, ...more }));
    expect(extras({})).toEqual({ ...form, additionalProperties: true });
    expect(extras({ additionalProperties: false })).toEqual({ ...form, additionalProperties: a });
    expect(extras({ additionalProperties: { type: 'null' } })).toEqual({
      ...form,
      additionalProperties: { anyOf: [a, { type: 'null' }] },
    });
  });

  test('from dependent properties without patterns, whatever their names', () => {
    const needs = (more: JsonObject): JsonObject =>
      object({ a: {} }, { dependencies: { default: object({ b: { type: 'string', ...more } }) } });
    expect(formSchema(needs({ pattern: '(a+)+$' }))).toEqual(needs({}));
  });

  test('without keywords that change the base of references', () => {
    const inner = { $defs: { a: { type: 'string' } }, items: { $ref: '#/$defs/a' } };
    const schema = object({ a: { $id: 'https://example.com/', ...inner } }, { $defs: { a: {} } });
    expect(formSchema(schema)).toEqual(object({ a: inner }, { $defs: { a: {} } }));
    expect(formSchema(object({ a: { $recursiveRef: '#', allOf: [{ $dynamicRef: '#' }] } }))).toEqual(
      object({ a: { allOf: [{}] } }),
    );
  });

  test('with the formats that the service checks, and tuples in the words of JSON Schema 2020-12', () => {
    expect(formSchema(object({ a: { format: 'ipv4' }, format: { format: 'date' } }))).toEqual(
      object({ a: {}, format: { format: 'date' } }),
    );
    const tuple = { items: [{ type: 'string' }], additionalItems: false };
    expect(formSchema(object({ a: tuple, items: { enum: [1] } }))).toEqual(
      object({ a: { prefixItems: [{ type: 'string' }], items: false }, items: { enum: [1] } }),
    );
  });

  test('without keywords whose value is of another kind', () => {
    const wrong = { enum: 'x', required: 'a', minimum: true, properties: [], anyOf: {}, type: 5, title: 1, $ref: [] };
    expect(formSchema(object({ a: wrong }))).toEqual(object({ a: {} }));
    expect(formSchema(object({ a: null, b: { allOf: ['x', true], dependencies: { c: ['b'], d: 1 } } }))).toEqual(
      object({ a: true, b: { allOf: [true, true], dependencies: { c: ['b'], d: true } } }),
    );
  });

  test('from several references to one schema', () => {
    const pet = { $ref: '#/$defs/a~1b' };
    const schema = object({ one: pet, two: pet }, { $defs: { 'a/b': { type: 'string' } } });
    expect(formSchema(schema)).toEqual(schema);
  });
});

const tree: JsonObject = { $ref: '#/$defs/tree' };
const orNull: JsonObject = { anyOf: [tree, { type: 'null' }] };

test.each<[string, JsonObject, string[]]>([
  ['the root', object({ child: { $ref: '#' } }), ['#']],
  ['the items of a list', object({ all: { type: 'array', items: { $ref: '#' } } }), ['#']],
  ['a definition', object({ a: tree }, { $defs: { tree: object({ left: tree, right: orNull }) } }), ['#/$defs/tree']],
  [
    'two definitions that contain each other',
    object(
      { a: { $ref: '#/$defs/maybe' } },
      { $defs: { maybe: orNull, tree: object({ next: { $ref: '#/$defs/maybe' } }) } },
    ),
    ['#/$defs/maybe'],
  ],
  ['a property whose name is a keyword', object({ default: { $ref: '#' }, $defs: { $ref: '#' } }), ['#']],
  ['other fields', object({ name: {} }, { additionalProperties: { $ref: '#' } }), ['#']],
  [
    'lists in lists',
    object({ a: { type: 'array', uniqueItems: true, items: { $ref: '#/properties/a' } } }),
    ['#/properties/a'],
  ],
])(
  'given a reference from inside to %s, then there is a form, and the reference is recursive',
  (_what, schema, references) => {
    const form = formOf(schema) ?? {};
    expect([...(recursiveReferences(form) ?? [])]).toEqual(references);
  },
);

test.each<[string, JsonObject]>([
  ['a list of anything', { type: 'array' }],
  ['an object without named properties', { type: 'object' }],
  ['a schema without rules', { title: 'Anything' }],
  ['a schema that is itself in another place', object({ child: { $ref: '#' } }, { allOf: [{ $ref: '#' }] })],
  ['an alternative that is the whole', { anyOf: [{ type: 'string' }, { not: { $ref: '#' } }] }],
  [
    'two references to each other',
    object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
  ],
  ['a reference to nothing', object({ a: { $ref: '#/$defs/constructor' } })],
  ['a reference to another document', object({ a: { $ref: 'https://example.com/a.json' } })],
  [
    'few parts that would be rendered a million times',
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
    'a reference to a value that contains a pattern',
    object({ a: { default: { type: 'string', pattern: '(a+)+$' } }, b: { $ref: '#/properties/a/default' } }),
  ],
  [
    'a reference to names that form a schema with a pattern',
    object({ a: { $ref: '#/$defs' } }, { $defs: { type: 'string', pattern: '(a+)+$' } as JsonObject }),
  ],
  [
    'hundreds of parts',
    object(Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`p${index}`, { type: 'string' }]))),
  ],
])('given %s, then the value is edited as JSON', (_what, schema) => {
  expect(formOf(schema)).toBeUndefined();
});

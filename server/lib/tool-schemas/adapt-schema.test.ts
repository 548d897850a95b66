import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { adaptSchema, COMMON_RULES, type SchemaRules } from './index.ts';

const GEMINI: SchemaRules = { propertyNames: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, hasNoReferences: true, isSubset: true };
const adapted = (schema: JsonObject, rules: SchemaRules = COMMON_RULES) => {
  const result = adaptSchema(schema, rules);
  if (result === undefined) throw new Error('It was not adapted.');
  return result;
};
const text = { type: 'string' };

describe('given a schema that is no plain object at the top', () => {
  const byName = { type: 'object', properties: { name: text }, required: ['name'] };
  const byId = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

  test.each<[string, JsonObject]>([
    ['anyOf', { anyOf: [byName, byId] }],
    ['oneOf beside a type', { type: 'object', oneOf: [byName, byId] }],
    ['allOf', { type: 'object', allOf: [byName, byId] }],
    [
      'anyOf about what is required',
      { type: 'object', properties: { name: text, id: text }, anyOf: [{ required: ['name'] }, { required: ['id'] }] },
    ],
    ['not', { type: 'object', properties: { name: text }, not: { required: ['x'] } }],
    ['enum', { type: 'object', enum: [{ name: 'a' }] }],
    ['a reference to alternatives', { $ref: '#/$defs/either', $defs: { either: { anyOf: [byName, byId] } } }],
  ])('%s is wrapped, and arguments are understood in both forms', (_what, schema) => {
    const { schema: taken, wrapper, restore } = adapted(schema);
    expect(
      Object.keys(taken).filter(
        (keyword) => !['type', 'properties', 'required', 'additionalProperties', '$defs'].includes(keyword),
      ),
    ).toEqual([]);
    expect(taken).toMatchObject({ type: 'object', required: ['input'], properties: { input: {} } });
    expect(wrapper?.name).toBe('input');
    expect(restore({ input: { name: 'a' } })).toEqual({ name: 'a' });
    expect(restore({ name: 'a' })).toEqual({ name: 'a' });
    expect(restore({ input: '{"name":"a"}' })).toEqual({ name: 'a' });
    expect(restore({})).toEqual({});
  });

  test('the wrapper has the name of no property', () => {
    const { schema, restore } = adapted({ anyOf: [{ type: 'object', properties: { input: text } }, byId] });
    expect(schema).toMatchObject({ required: ['arguments'] });
    expect(restore({ arguments: { input: 'a' } })).toEqual({ input: 'a' });
    expect(restore({ input: 'a' })).toEqual({ input: 'a' });
  });

  test('references lead where they did', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' }, root: { $ref: '#' }, like: { $ref: '#/anyOf/0' } },
    };
    const { schema } = adapted({ anyOf: [{ $ref: '#/$defs/node' }], $defs: { node } });
    const at = '#/properties/input';
    expect(schema).toMatchObject({
      properties: {
        input: {
          anyOf: [{ $ref: `${at}/$defs/node` }],
          $defs: {
            node: {
              properties: { next: { $ref: `${at}/$defs/node` }, root: { $ref: at }, like: { $ref: `${at}/anyOf/0` } },
            },
          },
        },
      },
    });
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['no type', { properties: { a: text } }, { type: 'object', properties: { a: text } }],
    ['nothing', {}, { type: 'object', properties: {} }],
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    [
      'a type beside null',
      { type: ['object', 'null'], properties: { a: text } },
      { type: 'object', properties: { a: text } },
    ],
    [
      'a type in capitals',
      { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
      { type: 'object', properties: { a: text } },
    ],
    [
      'a reference to an object',
      { $ref: '#/definitions/a', definitions: { a: byName } },
      { ...byName, definitions: { a: byName } },
    ],
    ['a reference to itself', { $ref: '#' }, { type: 'object', properties: {} }],
  ])('%s becomes an object', (_what, schema, taken) => {
    expect(adapted(schema)).toMatchObject({ schema: taken, isObject: true });
    expect(adapted(schema).wrapper).toBeUndefined();
    expect(Object.keys(adapted(schema).schema).toSorted()).toEqual(Object.keys(taken).toSorted());
  });

  test('arguments of another type are no object', () => {
    expect(adapted({ type: 'string' })).toMatchObject({ isObject: false, schema: { properties: { input: text } } });
  });
});

describe('given names of properties that are refused', () => {
  const deep: JsonObject = {
    type: 'object',
    required: ['filter[x]', 'plain'],
    properties: {
      'filter[x]': { ...text, description: 'What to find.' },
      $top: { type: 'integer' },
      größe: { $ref: '#/$defs/size' },
      ['x'.repeat(70)]: text,
      plain: {
        type: 'array',
        items: {
          type: 'object',
          properties: { 'a b': { anyOf: [{ type: 'object', properties: { 'c/d': text } }, text] } },
        },
      },
      free: { type: 'object' },
      byKey: { type: 'object', additionalProperties: { type: 'object', properties: { 'e e': text } } },
    },
    $defs: {
      size: {
        type: 'object',
        properties: { 'h:m': text, inner: { $ref: '#/$defs/size' } },
        dependentRequired: { 'h:m': ['inner'] },
      },
    },
  };

  test('they are renamed at every depth, and described by their own names', () => {
    const { schema, names } = adapted(deep);
    expect(Object.fromEntries(names)).toEqual({
      'filter[x]': 'filter_x_',
      $top: '_top',
      größe: 'gro_e',
      ['x'.repeat(70)]: 'x'.repeat(64),
      'a b': 'a_b',
      'c/d': 'c_d',
      'e e': 'e_e',
      'h:m': 'h_m',
    });
    expect(schema).toMatchObject({
      required: ['filter_x_', 'plain'],
      properties: {
        filter_x_: { description: 'The property "filter[x]". What to find.' },
        gro_e: { $ref: '#/$defs/size' },
      },
      $defs: { size: { properties: { h_m: text }, dependentRequired: { h_m: ['inner'] } } },
    });
    const found = [...JSON.stringify(schema).matchAll(/"properties":\{"([^"]*)"/g)].map(([, name]) => name);
    for (const name of found) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  });

  const own: Json = {
    'filter[x]': 'a',
    $top: 3,
    größe: { 'h:m': 'b', inner: { 'h:m': 'c' } },
    plain: [{ 'a b': { 'c/d': 'd' } }, { 'a b': 'e' }],
    free: { filter_x_: 'kept', _top: 1 },
    byKey: { h_m: { 'e e': 'f' } },
  };
  const other: Json = {
    filter_x_: 'a',
    _top: 3,
    gro_e: { h_m: 'b', inner: { h_m: 'c' } },
    plain: [{ a_b: { c_d: 'd' } }, { a_b: 'e' }],
    free: { filter_x_: 'kept', _top: 1 },
    byKey: { h_m: { e_e: 'f' } },
  };
  test.each([
    ['their other names', other],
    ['their own names', own],
  ])('arguments by %s are understood, and free-form data keeps its names', (_what, args) => {
    expect(adapted(deep).restore(args)).toEqual(own);
    expect(adapted(deep, GEMINI).restore(args)).toEqual(own);
  });

  test('two that become the same get different names, and none takes the name of another property', () => {
    const { names, restore } = adapted({
      type: 'object',
      properties: { 'a[b]': text, 'a(b)': text, a_b_: text, 名: text, '': text },
    });
    const given = [...names.values(), 'a_b_'];
    expect(new Set(given).size).toBe(5);
    expect(restore(Object.fromEntries([...names].map(([name, one]) => [one, name])))).toEqual(
      Object.fromEntries([...names.keys()].map((name) => [name, name])),
    );
  });

  test('in a union that is wrapped, both are taken back', () => {
    const { schema, restore } = adapted({
      oneOf: [
        { type: 'object', properties: { '@type': { const: 'a' }, 'x y': text } },
        { type: 'object', properties: { n: text } },
      ],
    });
    expect(schema).toMatchObject({ properties: { input: { oneOf: [{ properties: { _type: {}, x_y: {} } }, {}] } } });
    expect(restore({ input: { _type: 'a', x_y: '1' } })).toEqual({ '@type': 'a', 'x y': '1' });
  });

  test('a provider that takes any name gets them', () => {
    expect(adapted(deep, {}).schema).toMatchObject({ properties: { 'filter[x]': text } });
  });
});

describe('given what is not valid in JSON Schema 2020-12', () => {
  const of = (schema: JsonObject): Json =>
    (adapted({ type: 'object', properties: { a: schema } }).schema['properties'] as JsonObject)['a'] ?? null;
  test.each<[string, JsonObject, JsonObject]>([
    ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
    ['a nullable array without items', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    [
      'a list of items',
      { type: 'array', items: [text, true], additionalItems: false },
      { type: 'array', prefixItems: [text, {}], items: false },
    ],
    ['an unknown type', { type: 'any', description: 'x' }, { description: 'x' }],
    ['a type of a language', { type: 'dict' }, { type: 'object' }],
    ['a required of its own', { type: 'string', required: true }, text],
    [
      'a boolean limit',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    ['a reference that leads nowhere', { $ref: 'https://example.com/x.json', description: 'x' }, { description: 'x' }],
    ['a pattern of another language', { type: 'string', pattern: '^\\p{L}(?<name>x)$' }, text],
    ['a pattern that all read', { type: 'string', pattern: '^[a-z]+$' }, { type: 'string', pattern: '^[a-z]+$' }],
    ['an empty enum', { type: 'string', enum: [] }, text],
    [
      'dependencies of both kinds',
      { type: 'object', dependencies: { a: ['b'], c: text } },
      { type: 'object', dependentRequired: { a: ['b'] }, dependentSchemas: { c: text } },
    ],
    ['a dialect', { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x', type: 'string' }, text],
  ])('%s is repaired', (_what, schema, taken) => {
    expect(of(schema)).toEqual(taken);
  });

  test('a property marked as required is required, one that may not exist is left out, and any is an object', () => {
    const properties = { a: { type: 'string', required: true }, b: false, c: true, d: 'text' };
    expect(adapted({ type: 'object', required: ['b', 'c'], properties })).toMatchObject({
      schema: { required: ['c', 'a'], properties: { a: text, c: {} } },
    });
    expect(Object.keys(adapted({ properties }).schema['properties'] as JsonObject)).toEqual(['a', 'c']);
  });
});

describe("given Gemini's part of JSON Schema", () => {
  test('references are replaced, also where they lead back', () => {
    const node = {
      type: 'object',
      description: 'A node.',
      properties: { name: text, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    };
    const { schema } = adapted(
      {
        type: 'object',
        properties: { root: { $ref: '#/$defs/node' }, other: { $ref: '#/properties/root', description: 'Another.' } },
        $defs: { node },
      },
      GEMINI,
    );
    expect(JSON.stringify(schema)).not.toMatch(/\$ref|\$defs/);
    expect(schema).toMatchObject({
      properties: {
        root: { properties: { children: { items: { type: 'object', description: 'A node.' } } } },
        other: { description: 'Another.', properties: { name: text } },
      },
    });
  });

  test('of references inside references, as many are replaced as leave the schema small', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const members = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', title: name, properties: members }]));
    const { schema } = adapted({ type: 'object', properties: members, $defs }, GEMINI);
    const written = JSON.stringify(schema);
    expect(written).not.toContain('$ref');
    expect(written.length).toBeLessThan(500_000);
    expect(schema).toMatchObject({ properties: { a: { properties: { b: { properties: { c: { title: 'c' } } } } } } });
  });

  test('a schema that is too large is not adapted', () => {
    const properties = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`p${index}`, {}]));
    expect(adaptSchema({ type: 'object', properties }, GEMINI)).toBeUndefined();
    expect(adaptSchema({ type: 'object', properties }, COMMON_RULES)).toBeDefined();
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['one value', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['values of other types', { enum: [true, { a: 1 }] }, {}],
    ['an empty text among values', { type: 'string', enum: ['', 'a'] }, { type: 'string', enum: ['a'] }],
    ['oneOf', { oneOf: [text, { type: 'null' }] }, { anyOf: [text, { type: 'null' }] }],
    [
      'alternatives beside properties',
      { type: 'object', properties: { a: text }, anyOf: [{ required: ['a'] }] },
      { type: 'object', properties: { a: text } },
    ],
    [
      'allOf',
      { allOf: [{ type: 'object', properties: { a: text }, required: ['a'] }, { properties: { b: text } }] },
      { type: 'object', properties: { b: text, a: text }, required: ['a'] },
    ],
    [
      'several types',
      { type: ['string', 'number'], description: 'x' },
      {
        description: 'x',
        anyOf: [
          { type: 'string', description: 'x' },
          { type: 'number', description: 'x' },
        ],
      },
    ],
    ['other keywords', { type: 'string', pattern: 'a', format: 'email', default: 'x', not: {} }, text],
    [
      'required names without a property',
      { type: 'object', properties: { a: text }, required: ['a', 'b'] },
      { type: 'object', properties: { a: text }, required: ['a'] },
    ],
  ])('%s is written otherwise', (_what, schema, taken) => {
    const { properties } = adapted({ type: 'object', properties: { x: schema } }, GEMINI).schema as {
      properties: JsonObject;
    };
    expect(properties['x']).toEqual(taken);
  });
});

test('a schema that every provider takes stays as it is', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'array', items: { $ref: '#/$defs/x' } } },
    additionalProperties: false,
    $defs: { x: { anyOf: [text, { type: 'null' }] } },
  };
  expect(adapted(schema).schema).toEqual(schema);
});

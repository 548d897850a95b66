// Schemas that refer to others by name, that combine others, and that no validator of 2020-12 takes.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { adaptSchema, COMMON_RULES, type SchemaRules } from './index.ts';

const GEMINI: SchemaRules = { propertyNames: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, hasNoReferences: true, isSubset: true };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const text = { type: 'string' };
const rules = [COMMON_RULES, GEMINI, { propertyNames: /^\w+$/, hasNoReferences: true }] satisfies SchemaRules[];

const adapted = (schema: JsonObject, rule: SchemaRules = COMMON_RULES) => {
  const result = adaptSchema(schema, rule);
  if (result === undefined) throw new Error('It was not adapted.');
  return result;
};

describe('given references by name', () => {
  const node = { type: 'object', properties: { 'a b': text } };
  test.each<[string, JsonObject]>([
    ['an anchor', { type: 'object', properties: { x: { $ref: '#node' } }, $defs: { n: { $anchor: 'node', ...node } } }],
    [
      'an id',
      { type: 'object', properties: { x: { $ref: 'node.json' } }, $defs: { n: { $id: 'node.json', ...node } } },
    ],
    [
      'an id of draft 4',
      { type: 'object', properties: { x: { $ref: '#node' } }, definitions: { n: { id: '#node', ...node } } },
    ],
    [
      "the document's own address",
      {
        $id: 'https://example.com/tool#',
        type: 'object',
        properties: { x: { $ref: 'https://example.com/tool#/$defs/n' } },
        $defs: { n: node },
      },
    ],
    ['a recursion by id', { $id: 'T0', type: 'object', properties: { ...node.properties, x: { $ref: 'T0' } } }],
    [
      'an item of a tuple of an older draft',
      { type: 'object', properties: { x: { $ref: '#/properties/y/items/0' }, y: { type: 'array', items: [node] } } },
    ],
  ])('%s, names below it are taken back', (_what, schema) => {
    for (const rule of rules) {
      const { schema: taken, restore } = adapted(schema, rule);
      expect(ajv.validate(taken, { x: { a_b: '1' } })).toBe(true);
      expect(ajv.validate(taken, { x: { a_b: 1 } })).toBe(schema['$id'] === 'T0' && rule !== COMMON_RULES);
      expect(restore({ x: { a_b: '1' } })).toEqual({ x: { 'a b': '1' } });
    }
  });

  test('properties beside a reference are added to those of what it names', () => {
    const base = { type: 'object', properties: { name: text }, required: ['name'] };
    const more = { $ref: '#/$defs/base', properties: { extra: text }, required: ['extra'] };
    const both = { required: ['extra', 'name'], properties: { name: text, extra: text } };
    for (const rule of rules) {
      expect(adapted({ ...more, unevaluatedProperties: false, $defs: { base } }, rule).schema).toMatchObject(both);
    }
    const inside = adapted({ type: 'object', properties: { a: more }, $defs: { base } }, GEMINI).schema;
    expect(inside).toMatchObject({ properties: { a: both } });
  });
});

describe('given what no validator takes', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['counts', { type: 'string', minLength: -1, maxLength: 1.5 }, text],
    ['a step of nothing', { type: 'number', multipleOf: 0 }, { type: 'number' }],
    ['flags in words', { type: 'string', deprecated: 'yes', readOnly: 1, writeOnly: null }, text],
    ['items that are no schema', { items: 'string' }, {}],
    ['a value twice', { enum: ['a', 'a', { b: 1 }, { b: 1 }] }, { enum: ['a', { b: 1 }] }],
    [
      'dependencies that are none',
      { dependentRequired: { a: 'b', c: ['d', 'd', 1] }, dependentSchemas: { a: 'b', c: text } },
      { dependentRequired: { c: ['d'] }, dependentSchemas: { c: text } },
    ],
  ])('%s are left out', (_what, schema, taken) => {
    const { properties } = adapted({ type: 'object', properties: { x: schema } }).schema as { properties: JsonObject };
    expect(properties['x']).toEqual(taken);
    for (const rule of rules) {
      expect(ajv.validateSchema(adapted({ type: 'object', properties: { x: schema } }, rule).schema)).toBe(true);
    }
  });

  test('a schema that is nested too deeply is not adapted', () => {
    let deep: JsonObject = text;
    for (let level = 0; level < 2000; level += 1) deep = { type: 'object', properties: { 'a b': deep } };
    for (const rule of rules) expect(adaptSchema(deep, rule)).toBeUndefined();
  });
});

describe("in Gemini's part of JSON Schema", () => {
  const of = (schema: JsonObject): Json =>
    (adapted({ type: 'object', properties: { x: schema } }, GEMINI).schema['properties'] as JsonObject)['x'] ?? null;

  test('values of several types are alternatives', () => {
    expect(of({ description: 'x', enum: ['a', 1, null] })).toEqual({
      description: 'x',
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'number', enum: [1] }, { type: 'null' }],
    });
    expect(of({ type: ['string', 'null'], enum: ['a', null] })).toEqual({
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }],
    });
    expect(of({ type: 'integer', enum: [1, 2] })).toEqual({ type: 'integer', enum: [1, 2] });
    expect(of({ const: true })).toEqual({ type: 'boolean' });
  });

  test('properties that a pattern names are not refused', () => {
    const byPattern = { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false };
    expect(of(byPattern)).toEqual({ type: 'object' });
  });
});

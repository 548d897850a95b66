import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { numberNotation } from '../text/number-text.ts';
import { blankValue } from './blank-value.ts';
import { type SchemaChecks, schemaChecks } from './checks.ts';
import { describeField } from './describe-field.ts';
import { fieldIssue } from './field-issue.ts';
import { formSchema } from './form-schema.ts';
import { switchedValue, variantOf, variantsOf } from './variants.ts';

function checksOf(schema: JsonObject): SchemaChecks {
  const root = formSchema(schema);
  if (root === undefined) throw new Error('The schema has no form.');
  return schemaChecks(root);
}

/** A field in a few words. */
function words(schema: Json, value: Json | undefined, checks: SchemaChecks): string {
  const { shape, isNullable } = describeField(schema, value, checks);
  const of = (part: Json | undefined): string => words(part ?? true, undefined, checks);
  const shown = (): string => {
    switch (shape.kind) {
      case 'constant':
        return `always ${JSON.stringify(shape.value)}`;
      case 'choice':
      case 'choices':
        return `${shape.kind} ${shape.options.map(({ value: one, title }) => title ?? JSON.stringify(one)).join('|')}`;
      case 'time':
        return shape.format;
      case 'list':
        return `[${[...shape.first.map(of), ...(shape.others === undefined ? [] : [`${of(shape.others)}...`])].join(', ')}]`;
      case 'object': {
        const named = [...shape.properties].map(
          ([name, property]) => `${name}${shape.required.has(name) ? '!' : ''}: ${of(property)}`,
        );
        return `{ ${[...named, ...(shape.isOpen ? [`...${of(shape.extras)}`] : [])].join(', ')} }`;
      }
      case 'variants':
        return shape.variants.map(({ title, schema: one }) => `${title}=${of(one)}`).join(' or ');
      default:
        return shape.kind;
    }
  };
  return `${shown()}${isNullable ? '?' : ''}`;
}

const fieldOf = (schema: JsonObject, value?: Json): string => {
  const checks = checksOf(schema);
  return words(checks.root, value, checks);
};

const text: JsonObject = { type: 'string' };
const kind = (value: Json, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { kind: { const: value }, ...more },
  required: ['kind'],
});

test.each<[JsonObject, string]>([
  [{ type: 'number' }, 'number'],
  [{ type: ['number', 'null'] }, 'number?'],
  [{ type: ['integer', 'number'] }, 'number'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number?'],
  [{ oneOf: [{ type: 'null' }, { type: 'object', properties: { a: text } }] }, '{ a: text }?'],
  [{ type: ['string', 'number'] }, 'Text=text or Number=number'],
  [{ type: ['string', 'number', 'null'] }, 'Text=text or Number=number?'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }, 'Text=text or Number=number?'],
  [{ const: 'x' }, 'always "x"'],
  [{ enum: [1, 2.5, null, 'a'] }, 'choice 1|2.5|null|"a"'],
  [{ type: 'number', enum: [1, 'a'] }, 'choice 1'],
  [{ oneOf: [{ const: 'a', title: 'Ay' }, { const: 2 }] }, 'choice Ay|2'],
  [{ anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }, { type: 'null' }] }, 'choice "a"|"b"|"c"|null'],
  [{ type: 'string', oneOf: [{ const: 'a' }, { const: 2 }] }, 'choice "a"'],
  [{ oneOf: [{ $ref: '#/$defs/a' }, { const: 'b' }], $defs: { a: { const: 'a', title: 'Ay' } } }, 'choice Ay|"b"'],
  [{ type: 'boolean' }, 'flag'],
  [{ type: 'null' }, 'null'],
  [{ format: 'date' }, 'date'],
  [{ type: 'string', format: 'date-time' }, 'date-time'],
  [{ type: 'string', format: 'email' }, 'text'],
  [{ type: 'string', format: 'ipv6' }, 'text'],
  [{ minimum: 1 }, 'number'],
  [{ maxLength: 1 }, 'text'],
  [{}, 'json'],
  [{ not: text }, 'json'],
  [{ type: 'array', items: text }, '[text...]'],
  [
    { type: 'array', items: { type: 'object', properties: { a: { type: 'array', items: text } } } },
    '[{ a: [text...] }...]',
  ],
  [{ type: 'array', prefixItems: [text, { type: 'number' }], items: false }, '[text, number]'],
  [{ prefixItems: [text], items: { type: 'number' } }, '[text, number...]'],
  [{ type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true }, 'choices "a"|"b"'],
  [{ type: 'array' }, 'json'],
  [{ type: 'object' }, 'json'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ ...number }'],
  [{ type: 'object', properties: { a: text }, required: ['a', 'b'] }, '{ a!: text, b!: json }'],
  [{ type: 'object', patternProperties: { '^a': text }, additionalProperties: false }, '{ ...text }'],
  [
    JSON.parse(
      '{"properties":{"constructor":{"type":"string"},"__proto__":{"type":"number"},"toString":{}}}',
    ) as JsonObject,
    '{ constructor: text, __proto__: number, toString: json }',
  ],
  [
    {
      type: 'object',
      allOf: [{ properties: { a: text } }, { $ref: '#/$defs/b' }],
      $defs: { b: { properties: { b: text }, required: ['b'] } },
    },
    '{ a: text, b!: text }',
  ],
  [{ oneOf: [kind('a', { x: text }), kind('b')] }, 'a={ kind!: always "a", x: text } or b={ kind!: always "b" }'],
  [
    { type: 'object', properties: { kind: { enum: ['a', 'b'] }, n: text }, oneOf: [kind('a'), kind('b', { m: text })] },
    'a={ kind!: always "a", n: text } or b={ kind!: always "b", n: text, m: text }',
  ],
  [{ properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, '{ a: text, b: text }'],
  [
    {
      anyOf: [
        { type: 'object', properties: { a: text }, required: ['a'] },
        { type: 'object', properties: { b: text } },
      ],
    },
    'With a={ a!: text } or Option 2={ b: text }',
  ],
])('%j is shown as %s', (schema, shown) => {
  expect(fieldOf(schema)).toBe(shown);
});

describe('fields that depend on others', () => {
  const billed: JsonObject = { properties: { billing: text }, required: ['billing'] };
  test.each<[string, JsonObject]>([
    ['dependentSchemas', { dependentSchemas: { card: billed } }],
    ['dependencies', { dependencies: { card: billed } }],
    ['if and then', { if: { required: ['card'] }, then: billed }],
    ['if and else', { if: { not: { required: ['card'] } }, else: billed }],
    ['a condition in allOf', { allOf: [{ if: { required: ['card'] }, then: billed }] }],
    ['a condition that is referred to', { $ref: '#/$defs/c', $defs: { c: { dependentSchemas: { card: billed } } } }],
  ])('appear with %s', (_how, rule) => {
    const schema: JsonObject = { type: 'object', properties: { card: text }, ...rule };
    expect(fieldOf(schema, {})).toBe('{ card: text }');
    expect(fieldOf(schema, { card: '1' })).toBe('{ card: text, billing!: text }');
  });

  test('are required with dependentRequired', () => {
    const schema: JsonObject = { properties: { card: text, billing: text }, dependentRequired: { card: ['billing'] } };
    expect(fieldOf(schema, {})).toBe('{ card: text, billing: text }');
    expect(fieldOf(schema, { card: '1' })).toBe('{ card: text, billing!: text }');
  });
});

test.each<[JsonObject, Json]>([
  [{ type: 'object', properties: { a: { default: 1.5 }, b: text } }, { a: 1.5 }],
  [
    { type: 'object', properties: { a: { const: 'x' }, b: { const: 2 }, c: { const: true } }, required: ['a', 'c'] },
    { a: 'x' },
  ],
  [
    { type: 'object', properties: { o: { type: 'object', properties: { a: { default: 1 } } } }, required: ['o'] },
    { o: { a: 1 } },
  ],
  [{ type: 'object', properties: { o: { type: 'object', properties: { a: { default: 1 } } } } }, {}],
  [{ type: 'object', properties: { l: { type: 'array', items: text } }, required: ['l'] }, { l: [] }],
  [{ type: 'object', properties: { l: { type: 'array', items: text, minItems: 1 } }, required: ['l'] }, {}],
  [{ type: 'object', properties: { o: { type: 'object', properties: { a: text } } }, required: ['o'] }, { o: {} }],
  [
    {
      type: 'object',
      properties: { o: { type: 'object', properties: { a: text }, required: ['a'] } },
      required: ['o'],
    },
    {},
  ],
  [{ type: 'object' }, {}],
  [{ type: 'number' }, null],
  [{ type: 'number', default: 3 }, 3],
  [{ type: 'array', items: text }, null],
  [
    JSON.parse('{"type":"object","properties":{"__proto__":{"default":1}}}') as JsonObject,
    JSON.parse('{"__proto__":1}') as Json,
  ],
])('a form for %j starts with %j', (schema, blank) => {
  expect(JSON.stringify(blankValue(schema, null))).toBe(JSON.stringify(blank));
});

describe('the form of a value', () => {
  const checks = checksOf({
    oneOf: [kind('a', { n: { type: 'number' }, x: text }), kind('b', { n: { type: 'number' } })],
  });
  const { shape } = describeField(checks.root, undefined, checks);
  const variants = shape.kind === 'variants' ? shape.variants : variantsOf([], checks);

  test.each<[Json | undefined, number | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ kind: 'b' }, 1],
    [{ kind: 'a', n: 'half typed' }, 0],
    [{ x: 'y' }, 0],
    ['text', undefined],
  ])('%j', (value, variant) => {
    expect(variantOf(variants, value, checks)).toBe(variant);
  });

  test('keeps what fits when another one is chosen', () => {
    const [, second] = variants;
    if (second === undefined) throw new Error('There is no second form.');
    expect(switchedValue(second, { kind: 'a', n: 1, x: 'y' }, {}, checks)).toEqual({ n: 1, kind: 'b' });
    expect(switchedValue(second, undefined, undefined, checks)).toEqual({ kind: 'b' });
  });
});

test.each<[JsonObject, Json, string | undefined]>([
  [{ type: 'number', maximum: 100 }, 101, 'Must be at most 100.'],
  [{ type: 'number', minimum: 0.5 }, 0, 'Must be at least 0,5.'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'Must be more than 0.'],
  [{ type: 'number', exclusiveMaximum: 1 }, 1, 'Must be less than 1.'],
  [{ type: 'number', multipleOf: 0.01 }, 19.999, 'Must be a multiple of 0,01.'],
  [{ type: 'number', multipleOf: 0.01 }, 19.99, undefined],
  [{ type: 'integer' }, 5.5, 'Must be a whole number.'],
  [{ type: 'integer' }, 5, undefined],
  [{ type: 'number' }, '19.99', 'Must be a number.'],
  [{ type: 'string', minLength: 2 }, 'a', 'Must have at least 2 characters.'],
  [
    { type: 'string', format: 'date-time' },
    '2026-11-15 00:00:00',
    'Must be a date and time such as 2026-01-31T07:00:00Z.',
  ],
  [{ type: 'string', format: 'duration' }, '2 hours', 'Must be an ISO 8601 duration such as P3D or PT2H.'],
  [{ type: 'string', format: 'hostname' }, '???', undefined],
  [{ type: 'boolean', const: true }, false, 'Must be true.'],
  [{ enum: ['a'] }, 'b', 'Choose one of the options.'],
  [{ oneOf: [{ const: 'a' }] }, 'b', 'Choose one of the options.'],
  [{ type: 'array', items: text, uniqueItems: true }, ['a', 'a'], 'Must not contain an item twice.'],
  [
    { type: 'array', items: text, contains: { const: 'x' } },
    ['a'],
    'Does not contain the items that the schema demands.',
  ],
  [
    { properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    {},
    'Fill in exactly one of `a`, `b`.',
  ],
  [{ type: ['number', 'null'] }, null, undefined],
])('%j against %j: %s', (schema, value, issue) => {
  const checks = checksOf(schema);
  expect(fieldIssue(describeField(checks.root, value, checks), value, checks, numberNotation(['de']))).toBe(issue);
});

describe('a schema that contains itself', () => {
  const node: JsonObject = { $ref: '#/$defs/node' };
  const link: JsonObject = { anyOf: [node, { type: 'null' }] };
  const schema = (more: JsonObject): JsonObject => ({
    ...node,
    $defs: { node: { type: 'object', properties: { name: { default: 'a' }, ...more }, required: Object.keys(more) } },
  });

  test('is described one level at a time', () => {
    expect(fieldOf(schema({ all: { type: 'array', items: { type: 'array', uniqueItems: true, items: text } } }))).toBe(
      '{ name: json, all!: [[text...]...] }',
    );
    const checks = checksOf(schema({ next: link, other: { type: 'array', items: node } }));
    const { shape } = describeField(checks.root, undefined, checks);
    const properties = shape.kind === 'object' ? [...shape.properties] : [];
    expect(properties.map(([name, property]) => [name, checks.isRecursive(property)])).toEqual([
      ['name', false],
      ['next', true],
      ['other', false],
    ]);
  });

  test('starts without what has no end, and with null where that is permitted', () => {
    expect(blankValue(schema({ next: node, other: { type: 'array', items: node } }), {})).toEqual({
      name: 'a',
      other: [],
    });
    expect(blankValue(schema({ next: link }), {})).toEqual({ name: 'a', next: null });
  });
});

// Read-only properties are not demanded of a request, however the document puts its schemas together.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { documentOf } from '../../../lib/openapi-client/testing.ts';
import { createSchemaChecker } from '../../../lib/schemas/index.ts';
import { checkArguments } from '../check-arguments.ts';
import { toolsOf } from './document-tools.ts';

const ID: JsonObject = { type: 'integer', readOnly: true };
const NAME: JsonObject = { type: 'string' };
const SCHEMAS: JsonObject = {
  Id: ID,
  Plain: { type: 'object', required: ['id', 'name'], properties: { id: ID, name: NAME } },
  Referred: { required: ['id', 'name'], properties: { id: { $ref: '#/components/schemas/Id' }, name: NAME } },
  Wrapped: {
    required: ['id', 'name'],
    properties: { id: { allOf: [{ $ref: '#/components/schemas/Id' }] }, name: NAME },
  },
  Demands: { required: ['id', 'name'], properties: { name: NAME } },
  Declares: { properties: { id: ID } },
  // The demand and the property stand in different parts.
  Apart: { allOf: [{ $ref: '#/components/schemas/Demands' }, { $ref: '#/components/schemas/Declares' }] },
  Around: { required: ['id', 'name'], allOf: [{ $ref: '#/components/schemas/Declares' }], properties: { name: NAME } },
  Within: {
    properties: { id: ID, name: NAME },
    anyOf: [{ required: ['id', 'name'] }, { required: ['id', 'name', 'x'] }],
  },
  Node: {
    required: ['id', 'name'],
    properties: { id: ID, name: NAME, child: { $ref: '#/components/schemas/Node' } },
  },
};

async function schemaOf(schema: JsonObject): Promise<JsonObject> {
  const document = await documentOf({
    openapi: '3.0.3',
    paths: {
      '/r': {
        post: { operationId: 'r', requestBody: { required: true, content: { 'application/json': { schema } } } },
      },
    },
    components: { schemas: SCHEMAS },
  });
  return (
    toolsOf(document, () => false)
      .get('r')
      ?.listed.inputSchema() ?? {}
  );
}

const schemas = createSchemaChecker();
const isValid = async (schema: JsonObject, body: JsonObject): Promise<boolean | null> =>
  (await checkArguments(schemas, schema, { body })).valid;

test.each(['Plain', 'Referred', 'Wrapped', 'Apart', 'Around', 'Within', 'Node'])(
  '%s demands the name and not the id',
  async (name) => {
    const schema = await schemaOf({ $ref: `#/components/schemas/${name}` });
    expect(await isValid(schema, { name: 'x' })).toBe(true);
    expect(await isValid(schema, { name: 'x', id: 1 })).toBe(true);
    expect(await isValid(schema, {})).toBe(false);
  },
);

test('at every depth, in lists, maps and circles', async () => {
  const plain = { $ref: '#/components/schemas/Plain' };
  const schema = await schemaOf({
    type: 'object',
    required: ['rows'],
    properties: {
      rows: { type: 'array', items: plain },
      by: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Apart' } },
      node: { $ref: '#/components/schemas/Node' },
    },
  });
  const node = { name: 'a', child: { name: 'b' } };
  expect(await isValid(schema, { rows: [{ name: 'x' }], by: { a: { name: 'y' } }, node })).toBe(true);
  expect(await isValid(schema, { rows: [{}] })).toBe(false);
  expect(await isValid(schema, { rows: [], node: { name: 'a', child: {} } })).toBe(false);
});

test('a part is demanded in full where nothing makes its property read-only', async () => {
  const schema = await schemaOf({
    type: 'object',
    properties: {
      apart: { $ref: '#/components/schemas/Apart' },
      alone: { $ref: '#/components/schemas/Demands' },
    },
  });
  expect(await isValid(schema, { apart: { name: 'x' } })).toBe(true);
  expect(await isValid(schema, { alone: { name: 'x' } })).toBe(false);
  expect(await isValid(schema, { alone: { name: 'x', id: 1 } })).toBe(true);
});

test('a demand of read-only properties alone is left out', async () => {
  const schema = await schemaOf({ type: 'object', required: ['id'], properties: { id: ID } });
  expect((schema['properties'] as JsonObject)['body']).toEqual({ type: 'object', properties: { id: ID } });
});

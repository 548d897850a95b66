// Small documents whose operations share large parts.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { documentOf } from '../../../lib/openapi-client/testing.ts';
import { toolsOf } from './document-tools.ts';

const OPERATIONS = 2000;

/** Every path is the same item. */
async function toolsSharing(item: JsonObject, operations = OPERATIONS) {
  const paths = Array.from({ length: operations }, (_, index) => [`/a${index}`, { $ref: '#/components/pathItems/X' }]);
  const document = await documentOf({
    openapi: '3.1.0',
    info: { title: 'Shared', version: '1' },
    paths: Object.fromEntries(paths) as JsonObject,
    components: { pathItems: { X: item } },
  });
  return toolsOf(document, () => false);
}

test.each([
  ['of 1,000 properties', 1000, '1000'],
  ['too large to be shown', 40_000, '"Not shown: the document describes too much here. Anything is taken."'],
])(
  'a schema %s that 2,000 operations share without a reference is converted once',
  async (_what, properties, shown) => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: properties }, (_, index) => [`f${index}`, {}])),
    };
    const tools = await toolsSharing({ post: { requestBody: { content: { 'application/json': { schema } } } } });
    const bodies = new Set(
      [...tools.values()].map(({ listed }) => {
        const { body } = listed.inputSchema()['properties'] as { body: JsonObject };
        return JSON.stringify(body['description'] ?? Object.keys(body['properties'] ?? {}).length);
      }),
    );
    expect(tools.size).toBe(OPERATIONS);
    expect([...bodies]).toEqual([shown]);
  },
);

test('operations may have 50,000 parameters together, those that they share counted for each', async () => {
  const parameters = Array.from({ length: 100 }, (_, index) => ({ name: `p${index}`, in: 'query' }));
  const item = { parameters, get: { responses: {} } };
  const tools = await toolsSharing(item, 500);
  expect(tools.get('get_a7')?.listed.argumentNames()).toHaveLength(100);
  await expect(toolsSharing(item, 501)).rejects.toThrow('more than 50000 parameters');
});

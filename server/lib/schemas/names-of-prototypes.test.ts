import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { checkSchemaDocument } from './check-document.ts';
import { compileUserSchema } from './compile.ts';

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

test.each([
  ['{"properties":{"__proto__":{"type":"string"}}}', '{"__proto__":1}', ['/__proto__']],
  ['{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}', '{"__proto__":"a"}', []],
  ['{"properties":{"a":{}},"additionalProperties":false}', '{"__proto__":1}', ['/__proto__']],
  ['{"required":["__proto__","constructor","toString"]}', '{}', ['', '', '']],
  ['{"required":["__proto__"]}', '{"__proto__":null}', []],
  ['{"dependentRequired":{"__proto__":["a"]}}', '{"__proto__":1}', ['']],
  ['{"dependentRequired":{"__proto__":["a"]}}', '{}', []],
  ['{"dependentSchemas":{"__proto__":{"required":["a"]}}}', '{"__proto__":1}', ['']],
  ['{"properties":{"constructor":{"type":"string"}}}', '{}', []],
  ['{"const":{"valueOf":1,"constructor":{}}}', '{"constructor":{},"valueOf":1}', []],
  ['{"const":{"valueOf":1}}', '{"valueOf":2}', ['']],
  ['{"enum":[{"toString":1}]}', '{"toString":2}', ['']],
  ['{"uniqueItems":true}', '[{"valueOf":1},{"valueOf":1}]', ['']],
  ['{"uniqueItems":true}', '[{"__proto__":1},{"__proto__":2}]', []],
])('%s against %s', (schema, value, pointers) => {
  expect(checkSchemaDocument(parse(schema), '').issues).toEqual([]);
  const issues = compileUserSchema(parse(schema), 'The input')(JSON.parse(value), '');
  expect(issues.map(({ pointer }) => pointer)).toEqual(pointers);
  expect(({} as JsonObject)['a']).toBeUndefined();
});

// The service compiles the schemas of an operation's path and fields when the operation is first called, and never those
// of its output, which clients compile. So without this test, a schema that does not compile would first fail for a caller.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { operationsOfRuntime } from '../../scripts/operations-of-runtime.ts';
import { documentationOperations } from '../interfaces/documentation/operations.ts';
import { createSearchIndex } from '../interfaces/documentation/search-index.ts';
import { defineOperation, makeCallable, type Operation } from './index.ts';

const ajv = addFormats.default(
  new Ajv2020({
    strictSchema: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    // The mark of a field that is not part of the contract: an extension of OpenAPI.
    keywords: ['x-addition'],
  }),
);
const operations: readonly Operation[] = [
  ...(await operationsOfRuntime()),
  ...documentationOperations({ pages: [], index: createSearchIndex([]), base: () => '' }),
];

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'given %s, then the schemas of its path, fields and output compile',
  (_, operation) => {
    expect(faultsOf(operation)).toEqual([]);
  },
);

const BROKEN = [
  ['an unknown type', { type: 'strng' }, 'type must be equal to one of the allowed values'],
  ['a keyword with a wrong value', { type: 'string', minLength: -1 }, 'must be >= 0'],
  ['a misspelled keyword', { type: 'string', maxLenght: 3 }, 'unknown keyword: "maxLenght"'],
  ['an unknown format', { type: 'string', format: 'dat' }, 'unknown format "dat"'],
  ['an invalid pattern', { type: 'string', pattern: '(' }, 'Unterminated group'],
  ['a reference to nothing', { $ref: '#/$defs/missing' }, "can't resolve reference"],
] as const;

test.each(BROKEN)('given a schema with %s, then it does not compile', (_, schema, message) => {
  const broken = Type.Unsafe<never>(schema);
  const operation = defineOperation({
    name: 'broken',
    tag: 'broken',
    title: 'Broken',
    description: 'An operation with a broken schema.',
    permissions: [],
    method: 'POST',
    route: '/broken/{name}',
    path: Type.Object({ name: broken }),
    fields: Type.Object({ field: broken }),
    output: Type.Object({ member: broken }),
    problems: [],
    hints: { readOnly: true, destructive: false, idempotent: true },
    mcp: false,
    handle: () => Promise.resolve({} as never),
  });
  const faults = faultsOf(operation);
  expect(faults.map(({ part }) => part)).toEqual(['path', 'fields', 'output']);
  for (const { message: found } of faults) expect(found).toContain(message);
});

/** The parts of an operation whose schema does not compile, in the service or in a strict client. */
function faultsOf(operation: Operation): { part: string; message: string }[] {
  const output =
    operation.answers === 'json' ? operation.output : operation.answers === 'text' ? {} : operation.eventSchema;
  const callable = makeCallable(operation);
  const parts: [part: string, compile: () => unknown][] = [
    ['path', () => [ajv.compile(operation.path), callable.checkPath({})]],
    ['fields', () => [ajv.compile(operation.fields), callable.checkFields({})]],
    ['output', () => ajv.compile(output)],
  ];
  return parts.flatMap(([part, compile]) => {
    try {
      compile();
      return [];
    } catch (error) {
      return [{ part, message: String(error) }];
    }
  });
}

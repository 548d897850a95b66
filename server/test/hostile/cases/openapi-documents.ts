// Documents of tool servers of the type `openapi`.
export interface OpenApiText {
  /** The tool server's name. */
  name: string;
  file: string;
  text: () => string;
}

const HEAD = { openapi: '3.1.0', info: { title: 'Hostile', version: '1' } };
const times = <T>(count: number, piece: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => piece(index));
const operation = (index: number, schema: object): [string, object] => [
  `/p${index}`,
  {
    post: {
      operationId: `op${index}`,
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 200: { description: 'Done.' } },
    },
  },
];
const withPaths = (paths: [string, object][], schemas: object = {}): string =>
  JSON.stringify({ ...HEAD, paths: Object.fromEntries(paths), components: { schemas } });

export const OPENAPI_DOCUMENTS: readonly OpenApiText[] = [
  {
    name: 'api-many',
    file: 'many.json',
    text: () => withPaths(times(1900, (index) => operation(index, { type: 'object' }))),
  },
  {
    name: 'api-references',
    file: 'references.json',
    text: () =>
      withPaths(
        times(50, (index) => operation(index, { $ref: '#/components/schemas/S0' })),
        Object.fromEntries(
          times(2000, (index) => [
            `S${index}`,
            {
              anyOf: [
                { $ref: `#/components/schemas/S${(index + 1) % 2000}` },
                { $ref: `#/components/schemas/S${(index * 7) % 2000}` },
              ],
            },
          ]),
        ),
      ),
  },
  {
    name: 'api-circle',
    file: 'circle.json',
    text: () =>
      withPaths([operation(0, { $ref: '#/components/schemas/A' })], {
        A: { $ref: '#/components/schemas/B' },
        B: { $ref: '#/components/schemas/A' },
      }),
  },
  {
    name: 'api-large',
    file: 'large.json',
    text: () => withPaths(times(1000, (index) => operation(index, { type: 'object', description: 'x'.repeat(7500) }))),
  },
  {
    name: 'api-dense',
    file: 'dense.json',
    text: () => `{"openapi":"3.1.0","paths":{},"x":[${'[],'.repeat(2_600_000)}[]]}`,
  },
  {
    name: 'api-keys',
    file: 'keys.json',
    text: () => `{"openapi":"3.1.0","paths":{},"x":{${times(500_000, (index) => `"k${index}":1`).join(',')}}}`,
  },
  {
    name: 'api-deep',
    file: 'deep.json',
    text: () =>
      `{"openapi":"3.1.0","paths":{"/a":{"get":{"operationId":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}}`,
  },
  {
    name: 'api-yaml',
    file: 'large.yaml',
    text: () =>
      `openapi: 3.1.0\npaths:\n${times(20_000, (index) => `  /p${index}: { get: { operationId: o${index} } }\n`).join('')}`,
  },
  {
    name: 'api-yaml-keys',
    file: 'keys.yaml',
    text: () => `openapi: 3.1.0\n${times(7000, (index) => `k${index}: 1\n`).join('')}`,
  },
  { name: 'api-yaml-brackets', file: 'brackets.yaml', text: () => `openapi: 3.1.0\nx: ${'['.repeat(60_000)}` },
];

// Generates the types and routes of the API's client from the OpenAPI document that the server serves, and what the studio
// shows of the server's other descriptions.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateApi } from 'swagger-typescript-api';
import { openapiDocument } from '../server/interfaces/openapi/index.ts';
import type { JsonObject } from '../shared/json.ts';
import { operationsOfRuntime } from './operations-of-runtime.ts';
import { DESCRIPTIONS_FILE, studioDescriptions } from './studio-descriptions.ts';

export const CLIENT_FILE = fileURLToPath(new URL('../shared/api/operations.generated.ts', import.meta.url));

/** What this reads of the document. */
interface Document {
  servers: readonly [{ url: string }];
  components: { schemas: { Problem: JsonObject } };
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  parameters: readonly { name: string; in: string; required: boolean; description?: string; schema: JsonObject }[];
  /** Any one of them is enough; an empty one says that local mode needs none. */
  security: readonly { bearer?: readonly string[] }[];
  requestBody?: { content: Readonly<Record<string, { schema?: ObjectSchema }>> };
  responses: Readonly<Record<string, { content: Readonly<Record<string, JsonObject>> }>>;
}

interface ObjectSchema {
  properties: JsonObject;
  required?: string[];
}

interface ApiOperation {
  name: string;
  title: string;
  method: string;
  path: string;
  permissions: readonly string[];
  input: JsonObject;
  /** The media type of an upload's body. */
  upload: string | undefined;
  /** The response, or the `data` of each event of a stream. */
  output: { as: 'answer' | 'event'; schema: JsonObject };
}

/** The source of the generated file; the same operations give the same text. */
export async function apiClient(): Promise<string> {
  const document = openapiDocument(await operationsOfRuntime(), '') as unknown as Document;
  const [{ url }] = document.servers;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => answersJson(described))
      .map(
        ([method, described]): ApiOperation => ({
          name: described.operationId,
          title: described.summary,
          method: method.toUpperCase(),
          path: `${url}${path}`,
          permissions: described.security.flatMap(({ bearer = [] }) => bearer),
          input: inputOf(described),
          upload: uploadOf(described),
          output: outputOf(described),
        }),
      ),
  );
  const { files, formatTSContent } = await generateApi({
    spec: {
      ...document,
      paths: {},
      components: { schemas: { Problem: document.components.schemas.Problem, ...schemasOf(operations) } },
    },
    output: false,
    generateClient: false,
    silent: true,
    // Whatever the document leaves open is JSON.
    codeGenConstructs: ({ Keyword }) => ({ Keyword: { ...Keyword, Any: 'Json' } }),
    primitiveTypeConstructs: { object: 'JsonObject' },
  });
  const [file] = files;
  return formatTSContent(
    [
      '// Generated from the OpenAPI document by `npm run api:client`. Do not edit.',
      "import type { Json, JsonObject } from '../json.ts';",
      '',
      withoutHeader(file?.fileContent ?? ''),
      ...typesByName(operations),
      ...routesByName(operations),
    ].join('\n'),
  );
}

/** Operations that answer with a text are left out: a client fetches their address. */
function answersJson({ responses }: DescribedOperation): boolean {
  const types = Object.keys(responses['200']?.content ?? responses['201']?.content ?? {});
  return types.includes('application/json') || types.includes('text/event-stream');
}

/** The media type of a body that is bytes and no JSON. */
function uploadOf({ requestBody }: DescribedOperation): string | undefined {
  return Object.keys(requestBody?.content ?? {}).find((mediaType) => mediaType !== 'application/json');
}

/** Path parameters and fields as one object, as the operation itself takes them. The org has a default in the client. */
function inputOf({ operationId, parameters, requestBody }: DescribedOperation): JsonObject {
  const body = requestBody?.content['application/json']?.schema;
  const given = parameters.filter((parameter) => parameter.in !== 'header');
  const members = given.map(({ name, description = '', schema }) => [name, { ...schema, description }] as const);
  const clash = given.find(({ name }) => body !== undefined && Object.hasOwn(body.properties, name));
  if (clash !== undefined) {
    throw new Error(
      `${operationId}: \`${clash.name}\` is a path parameter and a field of the body; rename one of them.`,
    );
  }
  const required = given.filter(({ name, required: isRequired }) => isRequired && name !== 'org');
  return {
    type: 'object',
    properties: { ...Object.fromEntries(members), ...body?.properties },
    required: [...required.map(({ name }) => name), ...(body?.required ?? [])],
  };
}

function outputOf({ operationId, responses }: DescribedOperation): ApiOperation['output'] {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  const answer = success?.['application/json']?.['schema'];
  if (answer !== undefined) return { as: 'answer', schema: answer as JsonObject };
  const event = success?.['text/event-stream']?.['x-event-schema'];
  if (event !== undefined) return { as: 'event', schema: event as JsonObject };
  throw new Error(`${operationId} has no response that the client can type; add the case to scripts/api-client.ts.`);
}

function schemasOf(operations: readonly ApiOperation[]): JsonObject {
  return Object.fromEntries(
    operations.flatMap(({ name, input, output }) => [
      [`${name}_input`, input],
      [`${name}_${output.as}`, output.schema],
    ]),
  );
}

/** The tool's own header switches off the type check. */
function withoutHeader(source: string): string {
  return source.slice(source.indexOf('export '));
}

function typesByName(operations: readonly ApiOperation[]): string[] {
  const lines = operations.flatMap(({ name, title, upload, output }) => {
    const type = name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [
      `/** ${title} */`,
      `${name}: { input: ${type}Input; ${memberOf(output, upload)}: ${type}${output.as === 'answer' ? 'Answer' : 'Event'} };`,
    ];
  });
  return ['/** What each operation takes and answers. */', 'export interface Operations {', ...lines, '}', ''];
}

/** An upload has a form of its own, so that no other request is taken for one. */
function memberOf(output: ApiOperation['output'], upload: string | undefined): string {
  return upload === undefined ? output.as : 'uploaded';
}

function routesByName(operations: readonly ApiOperation[]): string[] {
  const lines = operations.map(({ name, method, path, permissions, upload }) => {
    const body = upload === undefined ? '' : `, upload: '${upload}'`;
    return `${name}: { method: '${method}', path: '${path}', permissions: ${JSON.stringify(permissions)}${body} },`;
  });
  return ['export const ROUTES = {', ...lines, '} as const;'];
}

if (import.meta.main) {
  writeFileSync(CLIENT_FILE, await apiClient());
  writeFileSync(DESCRIPTIONS_FILE, studioDescriptions());
  console.log('Wrote shared/api/operations.generated.ts and shared/api/descriptions.generated.ts.');
}

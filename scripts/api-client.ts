// Generates the types and routes of the API's client from the OpenAPI document that the server serves, and what the studio
// shows of the server's other descriptions.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateApi } from 'swagger-typescript-api';
import type { TSchema } from 'typebox';
import { openapiDocument, plain } from '../server/interfaces/openapi/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../shared/json.ts';
import * as objects from '../shared/schemas/index.ts';
import * as parts from '../shared/schemas/parts.ts';
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

/** The types of a client, by their names in the components of a document. */
type Types = Map<string, JsonObject>;

/** The names of the schemas of `shared/schemas`, by their JSON. */
const NAMES = new Map(
  [...Object.entries<TSchema>(objects), ...Object.entries<TSchema>(parts)].map(([name, schema]) => [
    jsonOf(plain(schema)),
    name.replace(/Schema$/, ''),
  ]),
);

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
  const types: Types = new Map([['Problem', document.components.schemas.Problem]]);
  const members = operations.map((operation) => membersOf(operation, types));
  const { files, formatTSContent } = await generateApi({
    spec: { ...document, paths: {}, components: { schemas: Object.fromEntries(types) } },
    output: false,
    generateClient: false,
    generateUnionEnums: true,
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
      '/** What each operation takes and returns. */',
      'export interface Operations {',
      ...members,
      '}',
      '',
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

/** Path parameters and fields as one object, as the operation itself takes them; the org is the client's own. */
function inputOf({ operationId, parameters, requestBody }: DescribedOperation): JsonObject {
  const body = requestBody?.content['application/json']?.schema;
  const given = parameters.filter((parameter) => parameter.in !== 'header' && parameter.name !== 'org');
  const members = given.map(({ name, description = '', schema }) => [name, { ...schema, description }] as const);
  const clash = given.find(({ name }) => body !== undefined && Object.hasOwn(body.properties, name));
  if (clash !== undefined) {
    throw new Error(
      `${operationId}: \`${clash.name}\` is a path parameter and a field of the body; rename one of them.`,
    );
  }
  const required = given.filter((parameter) => parameter.required);
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

/** The operation's member of `Operations`. An upload has a form of its own, so that no other request is taken for one. */
function membersOf({ name, title, input, upload, output }: ApiOperation, types: Types): string {
  const hasInput = Object.keys(input['properties'] ?? {}).length > 0;
  const inputType = hasInput ? typeOf(input, `${name}_input`, types) : 'object';
  const outputType = typeOf(output.schema, `${name}_${output.as}`, types);
  const member = upload === undefined ? output.as : 'uploaded';
  return `/** ${title} */\n${name}: { input: ${inputType}; ${member}: ${outputType} };`;
}

/** The name of a schema's type, which it adds to the types. `otherwise`: its name if `shared/schemas` has none, in snake case. */
function typeOf(schema: JsonObject, otherwise: string, types: Types): string {
  const name =
    NAMES.get(jsonOf(schema)) ?? otherwise.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const members = Object.entries(schema).map(([key, part]) => [key, withReferences(part, types)] as const);
  if (!types.has(name)) types.set(name, Object.fromEntries(members));
  return name;
}

/** The value with a reference in place of each schema that has a name. */
function withReferences(value: Json, types: Types): Json {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, types));
  if (!isJsonObject(value)) return value;
  const name = NAMES.get(jsonOf(value));
  if (name === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withReferences(part, types)]));
  }
  const { description } = value;
  const $ref = `#/components/schemas/${typeOf(value, name, types)}`;
  return description === undefined ? { $ref } : { $ref, description };
}

/** The same for a schema wherever it stands. */
function jsonOf({ $id: _id, description: _description, ...rest }: JsonObject): string {
  return JSON.stringify(rest);
}

/** The tool's own header switches off the type check. */
function withoutHeader(source: string): string {
  return source.slice(source.indexOf('export '));
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

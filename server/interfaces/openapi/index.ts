// OpenAPI 3.1.1 documents, built from the operations. Schemas are JSON Schema 2020-12, each with its own `$id`.
import Type from 'typebox';
import type { TObject, TSchema } from 'typebox';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { type ProblemName, PROBLEMS } from '../../../shared/problems.ts';
import { PERMISSIONS } from '../../../shared/permissions.ts';
import { MIB, SCHEMA_BASE } from '../../../shared/product.ts';
import { ProblemSchema } from '../../../shared/schemas/index.ts';
import { SHAPES } from '../../../shared/shapes/index.ts';
import { isCommand, type Operation, type UploadForm } from '../../operations/index.ts';

/** Problems that any operation may return. */
export const ALWAYS: readonly ProblemName[] = [
  'bad_request',
  'unauthenticated',
  'invalid_input',
  'forbidden',
  'origin_not_allowed',
  'method_not_allowed',
  'client_closed_request',
  'internal',
  'unavailable',
];
/** The name of the security scheme. */
const BEARER = 'bearer';

const ORG: JsonObject = {
  name: 'org',
  in: 'path',
  required: true,
  description: 'The org of the credential; in local mode, `local`.',
  schema: { type: 'string' },
};
/** Problems that any command may return in addition. */
export const OF_COMMANDS: readonly ProblemName[] = ['content_too_large', 'unsupported_media_type'];

/** Problems that any upload may return in addition. */
export const OF_UPLOADS: readonly ProblemName[] = ['length_required'];

/** An API built from operations. */
export interface Api {
  title: string;
  version: string;
  description: string;
  /** The address of the server; every path is relative to it. */
  server: string;
  /** Whether paths begin with the org. */
  inOrg: boolean;
  /** How callers of a published server prove who they are; undefined: they need not. */
  credential: JsonObject | undefined;
  /** Problems that any of its operations may return. */
  problems: readonly ProblemName[];
  /** The part of a schema's `$id` that is the API's. */
  schemas: string;
  /** Shared schemas, by name. */
  components: Readonly<Record<string, JsonObject>>;
}

/** The document of the runtime. */
export function openapiDocument(operations: readonly Operation[], version: string): JsonObject {
  return documentOf(operations, {
    title: 'Cuebook',
    version,
    description: 'Playbooks, their definitions, runs and events. Every error is a problem document (RFC 9457).',
    server: '/v1',
    inOrg: true,
    credential: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key of a published server; in local mode, none is needed. What each permission lets a caller do: ${permissionWords()}.`,
    },
    problems: ALWAYS,
    schemas: 'runtime',
    components: Object.fromEntries(
      Object.entries(SHAPES).map(([name, schema]) => [`shape_${name}`, identified(`runtime/shapes/${name}`, schema)]),
    ),
  });
}

export function documentOf(operations: readonly Operation[], api: Api): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const path = `${isInOrg(operation, api) ? '/orgs/{org}' : ''}${operation.route}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, api) };
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name }));
  return {
    openapi: '3.1.1',
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: api.server }],
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    tags,
    paths,
    components: {
      ...(api.credential === undefined ? {} : { securitySchemes: { [BEARER]: api.credential } }),
      schemas: { Problem: identified(`${api.schemas}/problem`, ProblemSchema), ...api.components },
    },
  };
}

function isInOrg({ isOutsideOrgs = false }: Operation, { inOrg }: Api): boolean {
  return inOrg && !isOutsideOrgs;
}

function describe(operation: Operation, api: Api): JsonObject {
  const problems = [
    ...api.problems,
    ...(isCommand(operation) ? OF_COMMANDS : []),
    ...(operation.upload === undefined ? [] : OF_UPLOADS),
    'not_found' as const,
    ...operation.problems,
  ];
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.title,
    description: operation.description,
    ...(operation.addition === true ? { 'x-addition': true } : {}),
    parameters: [
      ...(isInOrg(operation, api) ? [ORG] : []),
      ...parameters(operation.path, 'path'),
      ...(isCommand(operation) ? [] : parameters(operation.fields, 'query')),
      ...headerParameters(operation),
    ],
    ...(isCommand(operation) ? { requestBody: requestBody(operation, api) } : {}),
    ...(api.credential === undefined ? {} : { security: securityOf(operation) }),
    responses: { ...success(operation, api), ...problemResponses(problems) },
  };
}

function permissionWords(): string {
  return Object.entries(PERMISSIONS)
    .map(([permission, words]) => `\`${permission}\`: ${words}`)
    .join('; ');
}

/** Any one of the permissions is enough, and in local mode nothing is needed (OpenAPI 3.1.1, section 4.8.30). */
function securityOf({ permissions }: Operation): JsonObject[] {
  return [...permissions.map((permission) => ({ [BEARER]: [permission] })), {}];
}

function parameters(schema: TObject, location: 'path' | 'query'): JsonObject[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = plain(property);
    return {
      name,
      in: location,
      required: location === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** Headers that set a field of the query string. */
function headerParameters({ headers, fields }: Operation): JsonObject[] {
  const byName = new Map(parameters(fields, 'query').map((parameter) => [parameter['name'], parameter]));
  return Object.entries(headers).map(([field, header]) => ({
    ...byName.get(field),
    name: header,
    in: 'header',
    description: `Same as \`${field}\`; takes precedence over it.`,
  }));
}

function requestBody({ name, fields, upload }: Operation, api: Api): JsonObject {
  // In OpenAPI 3.1 raw bytes have no schema.
  if (upload !== undefined)
    return { required: true, description: uploadWords(upload), content: { [upload.mediaType]: {} } };
  return {
    required: (fields.required ?? []).length > 0,
    content: { 'application/json': { schema: identified(`${api.schemas}/${name}/input`, fields) } },
  };
}

/** The description of an upload's body, with its maximum size. */
export function uploadWords({ description, bytes }: UploadForm): string {
  const most = bytes % MIB === 0 ? `${bytes / MIB} MiB (${bytes} bytes)` : `${bytes} bytes`;
  return `${description} At most ${most}. \`Content-Length\` is required; a larger body is refused before it is read.`;
}

function success(operation: Operation, api: Api): JsonObject {
  if (operation.answers === 'event-stream') {
    const schema = {
      type: 'string',
      description: 'Server-sent events. The `data` of each event is JSON that fits the schema given here.',
    };
    return {
      200: {
        description: 'The stream.',
        content: {
          'text/event-stream': {
            schema,
            'x-event-schema': identified(`${api.schemas}/${operation.name}/event`, operation.eventSchema),
          },
        },
      },
    };
  }
  if (operation.answers === 'text') {
    // As of OpenAPI 3.1, content of a binary media type has no schema.
    if (!operation.mediaType.startsWith('text/')) {
      return { 200: { description: 'The file.', content: { [operation.mediaType]: {} } } };
    }
    const schema = identified(`${api.schemas}/${operation.name}/output`, Type.String());
    return { 200: { description: 'The text.', content: { [operation.mediaType]: { schema } } } };
  }
  const schema = identified(`${api.schemas}/${operation.name}/output`, operation.output);
  if (operation.upload !== undefined) {
    // Each use of the schema needs its own `$id`.
    const known = identified(`${api.schemas}/${operation.name}/output/known`, operation.output);
    return {
      200: { description: 'It already exists.', content: { 'application/json': { schema: known } } },
      201: { description: 'Created.', content: { 'application/json': { schema } } },
    };
  }
  return { [operation.status]: { description: 'Success.', content: { 'application/json': { schema } } } };
}

/** The possible problems, by status and name. */
function problemResponses(names: readonly ProblemName[]): JsonObject {
  const byStatus = new Map<number, Set<ProblemName>>();
  for (const name of names) {
    const { status } = PROBLEMS[name];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(name));
  }
  const entries = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, of]) => {
      const words = [...of].map((name) => `\`${name}\`: ${PROBLEMS[name].title}.`).join(' ');
      const schema = { $ref: '#/components/schemas/Problem' };
      return [String(status), { description: words, content: { 'application/problem+json': { schema } } }] as const;
    });
  return Object.fromEntries(entries);
}

function identified(name: string, schema: TSchema | JsonObject): JsonObject {
  return { $id: `${SCHEMA_BASE}/${name}`, ...plain(schema) };
}

/** A schema as it stands in the documents. */
export function plain(schema: TSchema | JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), withMapsAsAdditionalProperties) as JsonObject;
}

/** How the schema library writes a map with arbitrary keys. */
const ANY_KEY = '^.*$';

/** Code generators recognize a map only by `additionalProperties`. */
function withMapsAsAdditionalProperties(_key: string, value: Json): Json {
  const patterns = isJsonObject(value) ? value['patternProperties'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(patterns) || !(ANY_KEY in patterns)) return value;
  const { patternProperties: _replaced, ...rest } = value;
  return { ...rest, additionalProperties: patterns[ANY_KEY] ?? {} };
}

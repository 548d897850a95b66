// The document holds for tools that are not ours: a validator takes it, and a client made from it compiles.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { PROBLEMS } from '../../../shared/problems.ts';
import { startServer, temporaryFolder, type TestServer } from '../../test/index.ts';

interface Described {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; schema: JsonObject }[];
  requestBody?: { content: Record<string, { schema?: JsonObject }> };
  responses: Record<string, { description: string; content: Record<string, JsonObject> }>;
  'x-addition'?: boolean;
}

interface Document {
  openapi: string;
  servers: unknown;
  tags: { name: string }[];
  jsonSchemaDialect: string;
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, JsonObject> };
}

const SCHEMAS = 'https://cuebook.dev/schemas/runtime/';

/** What the contract has of playbooks, computations, events, analytics, connections and tool servers; then our additions. */
const OPERATIONS = [
  'create_playbook',
  'list_playbooks',
  'get_playbook',
  'update_playbook',
  'retire_playbook',
  'create_definition',
  'list_definitions',
  'get_definition',
  'update_definition',
  'retire_definition',
  'run_definition',
  'send_run_event',
  'upload_dataset',
  'read_build_brief',
  'read_build_rows',
  'upload_candidate',
  'activate_version',
  'list_interactions',
  'answer_interaction',
  'get_run',
  'list_models',
  'list_runs',
  'cancel_run',
  'get_run_history',
  'list_playbook_events',
  'get_event',
  'publish_event',
  'get_playbook_analytics',
  'add_connection',
  'list_connections',
  'get_connection',
  'remove_connection',
  'read_link',
  'approve',
  'give_credential',
  'search',
  'search_in_org',
  'introspect',
  'validate',
  'dry_run',
  'execute',
];
const ADDITIONS = [
  'explain_run',
  'test_definition',
  'run_draft',
  'follow_draft',
  'rerun',
  'list_schedules',
  'list_schedule_times',
  'pause_schedule',
  'resume_schedule',
  'backfill_schedule',
  'list_definition_versions',
  'get_definition_version',
  'check_definition',
  'follow_events',
  'follow_run',
  'export_playbook',
  'apply_playbook',
  'export_playbook_archive',
  'plan_import',
  'import_playbook',
  'remove_connection_by_post',
  'list_model_providers',
  'list_model_prices',
  'get_model_usage',
  'find_local_models',
  'get_model_setup',
  'change_model_setup',
  'plan_tool_servers',
  'add_tool_servers',
  'test_model',
  'get_agent_setup',
  'get_caller',
  'set_provider_key',
  'list_series',
  'read_forecast',
  'list_versions',
];

let server: TestServer;
let text: string;
let document: Document;
let operations: { method: string; path: string; operation: Described }[];

beforeAll(async () => {
  server = await startServer();
  const answer = await server.get('/v1/openapi.json');
  text = answer.text;
  document = answer.body as Document;
  operations = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path: route, operation })),
  );
});

afterAll(() => server.close());

/** Every schema that a message or a component holds. */
function schemas(): JsonObject[] {
  const ofMessages = operations.flatMap(({ operation }) => [
    // The raw bytes of an upload have no schema.
    ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      schema === undefined ? [] : [schema],
    ),
    ...Object.values(operation.responses)
      .flatMap(({ content }) => Object.values(content))
      // Neither has a file that is returned.
      .map((media) => (media['x-event-schema'] ?? media['schema']) as JsonObject | undefined)
      .filter((schema) => schema !== undefined)
      .filter((schema) => !('$ref' in schema)),
  ]);
  return [...Object.values(document.components.schemas), ...ofMessages];
}

/** Every object in a value, itself too. */
function objectsIn(value: Json): JsonObject[] {
  if (value === null || typeof value !== 'object') return [];
  return [...(isJsonObject(value) ? [value] : []), ...Object.values(value).flatMap(objectsIn)];
}

describe('the OpenAPI document', () => {
  test('describes every response with a schema, except a file', () => {
    const without = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content }) =>
        Object.entries(content)
          .filter(([, media]) => media['schema'] === undefined && media['x-event-schema'] === undefined)
          .map(([mediaType]) => `${operation.operationId}: ${mediaType}`),
      ),
    );
    expect(without).toEqual(['export_playbook_archive: application/zip']);
  });

  test('given an independent validator, then it is a valid document of version 3.1.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(text) as Record<string, unknown>);
    expect(result).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.openapi).toBe('3.1.1');
    expect(document.servers).toEqual([{ url: '/v1' }]);
    expect(document.jsonSchemaDialect).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  test('given the contract, then each operation is there once under its name, ours marked as additions', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.toSorted()).toEqual([...OPERATIONS, ...ADDITIONS].toSorted());
    const added = operations.filter(({ operation }) => operation['x-addition'] === true);
    expect(added.map(({ operation }) => operation.operationId).toSorted()).toEqual(ADDITIONS.toSorted());
  });

  test('given an operation, then it has a title, a description and a tag that the document lists', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { operation } of operations) {
      expect(operation.summary).toMatch(/^[A-Z]/);
      expect(operation.description.length).toBeLessThan(1500);
      expect(tags).toEqual(expect.arrayContaining(operation.tags));
      expect(operation.tags).toHaveLength(1);
    }
  });

  test('given an operation, then its path names its parameters, and what reads takes a query, what changes a body', () => {
    for (const { method, path: route, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(inPath).toEqual([...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(operation.requestBody !== undefined).toBe(method !== 'get' && method !== 'delete');
      const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
      expect(method === 'get' ? [] : queries).toEqual([]);
    }
  });

  test('given follow_events, then the header that resumes it is a parameter', () => {
    const followed = operations.find(({ operation }) => operation.operationId === 'follow_events');
    expect(followed?.operation.parameters.filter((parameter) => parameter.in === 'header')).toMatchObject([
      { name: 'last-event-id', required: false },
    ]);
  });

  test('given an operation, then each problem stands under its own status', () => {
    for (const { operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const names = [...response.description.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
        expect(names.length).toBeGreaterThan(0);
        for (const name of names) expect(PROBLEMS).toHaveProperty([name, 'status'], Number(status));
        expect(response.content).toHaveProperty(['application/problem+json']);
      }
    }
  });

  test('given a schema, then it has an $id of its own below the base, and it compiles', () => {
    const ids = schemas().map((schema) => String(schema['$id']));
    for (const id of ids) expect(id.startsWith(SCHEMAS)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const schema of schemas()) expect(() => ajv.compile(schema)).not.toThrow();
  });

  test('given a reference, then it is to something in the document', () => {
    const targets = objectsIn(JSON.parse(text) as JsonObject)
      .map((holder) => holder['$ref'])
      .filter((target) => typeof target === 'string');
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(targets.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(targets));
  });
});

describe('a client generated from the document by a public tool', () => {
  test('given strict settings, then it compiles', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    try {
      const input = path.join(folder.path, 'openapi.json');
      writeFileSync(input, text);
      await generateApi({ input, output: folder.path, fileName: 'client.ts', silent: true, httpClientType: 'fetch' });
      const use = `import { Api } from './client.ts';
        const api = new Api({ baseUrl: 'http://127.0.0.1:4747/v1' });
        const made = await api.orgs.createPlaybook('local', { playbook: 'desk', name: 'Desk' });
        const status: 'active' | 'retired' = made.data.status;
        const { data } = await api.orgs.listRuns('local', 'desk', { limit: 1, status: 'failed' });
        export const left: [string, string[]] = [status, data.runs.map((run) => run.run_id)];
        // @ts-expect-error no such status
        await api.orgs.listRuns('local', 'desk', { status: 'done' });
      `;
      writeFileSync(path.join(folder.path, 'use.ts'), use);
      const compiler = path.join(
        path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
        'bin/tsc',
      );
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2024',
        lib: ['es2024', 'dom'],
        types: [],
        module: 'esnext',
        moduleResolution: 'bundler',
        allowImportingTsExtensions: true,
      };
      const settings = { compilerOptions, files: ['client.ts', 'use.ts'] };
      writeFileSync(path.join(folder.path, 'tsconfig.json'), JSON.stringify(settings));
      const args = [compiler, '-p', folder.path];
      const { stdout } = await promisify(execFile)(process.execPath, args).catch(
        (error: unknown) => error as { stdout: string },
      );
      expect(stdout).toBe('');
    } finally {
      folder.remove();
    }
  });
});

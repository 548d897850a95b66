// The operations, one page per tag, and a page that lists them all.
import type { Operation } from '../../server/operations/index.ts';
import { ALWAYS, OF_COMMANDS, OF_UPLOADS, uploadWords } from '../../server/interfaces/openapi/index.ts';
import type { ProblemName } from '../../shared/problems.ts';
import { fieldsTable, typeWords } from './fields.ts';
import { code, page, type ReferencePage, table } from './markdown.ts';
import { linkToSchema, plain } from './schemas.ts';

export function operationPages(operations: readonly Operation[]): ReferencePage[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))].toSorted();
  return [
    overview(operations),
    ...tags.map((tag) =>
      tagPage(
        tag,
        operations.filter((operation) => operation.tag === tag),
      ),
    ),
  ];
}

function tagPage(tag: string, operations: readonly Operation[]): ReferencePage {
  return page(
    `operations/${fileOf(tag)}`,
    `Operations: ${tag}`,
    `${operations.map(({ title }) => title).join('. ')}.`,
    'Paths are relative to `/v1/orgs/{org}`. [All operations](README.md) describes what applies to each of them.',
    operations.flatMap(described),
  );
}

/** The operations, by the link to each schema that they return. */
export function usersOfSchemas(operations: readonly Operation[]): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const operation of operations) {
    for (const link of JSON.stringify(described(operation)).match(/\[[\w ]+\]\(\.\.\/schemas\/[\w-]+\.md\)/g) ?? []) {
      users.set(link, [...new Set([...(users.get(link) ?? []), operation.name])]);
    }
  }
  return users;
}

function overview(operations: readonly Operation[]): ReferencePage {
  const rows = operations.map((operation) => [
    `[${code(operation.name)}](${fileOf(operation.tag)}#${operation.name})`,
    routeWords(operation),
    permissionWords(operation),
    operation.mcp ? 'yes' : '',
  ]);
  return page(
    'operations/README.md',
    'All operations',
    'Paths are relative to `/v1/orgs/{org}`, unless they begin with `/v1`; on a laptop, the org is `local`. A GET or DELETE takes its fields in the query string, every other method in a JSON body. `GET /v1/openapi.json` of a running server returns the OpenAPI document.',
    table(['operation', 'method and path', 'permission', 'MCP tool'], rows),
    '## Problems of every operation',
    `Any operation may return ${problemWords(ALWAYS)}; one that takes a body also ${problemWords(OF_COMMANDS)}. Each operation lists its further problems.`,
  );
}

function described(operation: Operation): string[] {
  const path = plain(operation.path);
  const fields = plain(operation.fields);
  const problems = [...operation.problems, ...(operation.upload === undefined ? [] : OF_UPLOADS)];
  const inQuery = operation.method === 'GET' || operation.method === 'DELETE';
  return [
    `## \`${operation.name}\``,
    `**${operation.title}.** ${routeWords(operation)}`,
    operation.description,
    `Permission: ${permissionWords(operation)}. ${mcpWords(operation)}${operation.addition === true ? ' Marked `x-addition` in the OpenAPI document.' : ''}`,
    ...section('In the path:', fieldsTable(path, linkToSchema)),
    ...(operation.upload === undefined
      ? []
      : [`The body is ${code(operation.upload.mediaType)}: ${uploadWords(operation.upload)}`]),
    ...section(inQuery ? 'In the query string:' : 'In the body:', fieldsTable(fields, linkToSchema)),
    ...answer(operation),
    ...(problems.length === 0 ? [] : [`Problems: ${problemWords(problems)}.`]),
  ];
}

function answer(operation: Operation): string[] {
  if (operation.answers === 'event-stream') {
    const schema = plain(operation.eventSchema);
    return [`Returns server-sent events; the \`data\` of each is: ${typeWords(schema, linkToSchema)}.`];
  }
  if (operation.answers === 'text') return [`Returns 200: ${code(operation.mediaType)}.`];
  const status = operation.upload === undefined ? String(operation.status) : '201 if it is new, else 200';
  const schema = plain(operation.output);
  const link = linkToSchema(schema);
  if (link !== undefined) return [`Returns ${status}: ${link}.`];
  const rows = fieldsTable(schema, linkToSchema);
  return rows.length === 0
    ? [`Returns ${status}: ${typeWords(schema, linkToSchema)}.`]
    : section(`Answers ${status}:`, rows);
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [title, ...rows];
}

function routeWords({ method, route, isOutsideOrgs = false }: Operation): string {
  return `${method} ${code(isOutsideOrgs ? `/v1${route}` : route)}`;
}

function permissionWords({ permissions }: Operation): string {
  return permissions.length === 0 ? 'none' : permissions.map(code).join(' or ');
}

function mcpWords({ mcp, hints }: Operation): string {
  const { readOnly, destructive, idempotent } = hints;
  const words = [
    readOnly ? 'read-only' : 'not read-only',
    ...(destructive ? ['destructive'] : []),
    ...(idempotent ? ['idempotent'] : []),
  ];
  return `${mcp ? 'An MCP tool' : 'Only over HTTP'}; ${words.join(', ')}.`;
}

function problemWords(names: readonly ProblemName[]): string {
  return [...new Set(names)].map((name) => `[${code(name)}](../problems.md#${name})`).join(', ');
}

function fileOf(tag: string): string {
  return `${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`;
}

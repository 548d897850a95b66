// The tools that a document describes.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { listOperations, type OpenApiDocument, type Operation } from '../../kernel/openapi-client/index.ts';
import type { ListedTool } from '../server.ts';
import { inputSchemaOf } from './input-schema.ts';

export interface DocumentTool {
  listed: ListedTool;
  /** Without the parameters that the entry gives itself. */
  operation: Operation;
}

const MOST_NAME = 64;

/** @param isGiven whether the entry gives a header or a query parameter of that name itself */
export function toolsOf(
  document: OpenApiDocument,
  isGiven: (place: 'header' | 'query', name: string) => boolean,
): Map<string, DocumentTool> {
  const tools = new Map<string, DocumentTool>();
  for (const described of listOperations(document)) {
    const parameters = described.parameters.filter(
      (parameter) =>
        !((parameter.in === 'header' || parameter.in === 'query') && isGiven(parameter.in, parameter.name)),
    );
    const operation = { ...described, parameters };
    const name = freeName(operation, tools);
    const readOnlyHint = operation.method === 'get' || operation.method === 'head';
    const inputSchema = inputSchemaOf(document, operation);
    tools.set(name, {
      listed: { name, description: wordsOf(operation), inputSchema, annotations: { readOnlyHint } },
      operation,
    });
  }
  return tools;
}

/** The `operationId`, else method and path (`get_invoices_id`); at most 64 characters, and no tool twice. */
function freeName({ id, method, path }: Operation, tools: ReadonlyMap<string, unknown>): string {
  const written = id ?? `${method}${path}`;
  const base = written.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '') || method;
  let name = base.slice(0, MOST_NAME);
  for (let number = 2; tools.has(name); number += 1) {
    const end = `_${number}`;
    name = `${base.slice(0, MOST_NAME - end.length)}${end}`;
  }
  return name;
}

function wordsOf({ summary, description, isDeprecated, method, path }: Operation): string {
  const words = [summary, description].filter((text) => text !== undefined && text.trim() !== '');
  const text = words.length === 0 ? `${method.toUpperCase()} ${path}` : words.map(ended).join(' ');
  return isDeprecated ? `Deprecated. ${text}` : text;
}

function ended(text: string | undefined): string {
  const trimmed = (text ?? '').trim();
  return /[.!?:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Whether the document refers to another one, or to a part of the network. Walks without recursion. */
export function refersElsewhere(root: JsonObject): boolean {
  const open: Json[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const item of next) open.push(item);
    if (!isJsonObject(next)) continue;
    for (const [name, value] of Object.entries(next)) {
      if (name === '$ref' && typeof value === 'string' && !value.startsWith('#')) return true;
      if (!DATA.has(name) && typeof value === 'object') open.push(value);
    }
  }
  return false;
}

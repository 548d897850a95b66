// The tools that a document describes.
import {
  type ListedOperation,
  listOperations,
  type OpenApiDocument,
  type Operation,
} from '../../../lib/openapi-client/index.ts';
import { lazily } from '../../../lib/lazily.ts';
import { type ListedTool, MOST_TOOLS, ServerFault } from '../server.ts';
import { argumentsOf, createInputSchemas } from './input-schema.ts';

export interface DocumentTool {
  listed: ListedTool;
  /** Without the parameters that the entry gives itself. */
  operation: () => Operation;
}

const MOST_NAME = 64;
/** A small document may give each of its operations the same thousand; searches look at every one. */
const MOST_PARAMETERS = 50_000;
/** Far past what anybody is shown. Operations may share their texts, and each has its words by itself. */
const MOST_WORDS = 16_384;

/**
 * What a tool takes is read when it is asked for: documents are large, and few of their tools are used.
 * @param isGiven whether the entry gives a header or a query parameter of that name itself
 * @throws ServerFault where the document has too many operations or parameters
 */
export function toolsOf(
  document: OpenApiDocument,
  isGiven: (location: 'header' | 'query', name: string) => boolean,
): Map<string, DocumentTool> {
  const inputSchemaOf = createInputSchemas(document);
  const tools = new Map<string, DocumentTool>();
  let parameters = 0;
  for (const described of listOperations(document)) {
    if (tools.size >= MOST_TOOLS) {
      const detail = `Its OpenAPI document has more than ${MOST_TOOLS} operations; use a document with only the operations that are needed.`;
      throw new ServerFault('failing', detail);
    }
    parameters += described.parameterCount;
    if (parameters > MOST_PARAMETERS) {
      const detail = `The operations of its OpenAPI document have more than ${MOST_PARAMETERS} parameters in total; use a document with only the operations that are needed.`;
      throw new ServerFault('failing', detail);
    }
    const operation = lazily(() => {
      const read = described.read();
      const asked = read.parameters.filter(
        (parameter) =>
          !((parameter.in === 'header' || parameter.in === 'query') && isGiven(parameter.in, parameter.name)),
      );
      return { ...read, parameters: asked };
    });
    const name = freeName(described, tools);
    const readOnlyHint = described.method === 'get' || described.method === 'head';
    tools.set(name, {
      listed: {
        name,
        description: wordsOf(described),
        argumentNames: () => argumentsOf(operation()).map((argument) => argument.name),
        inputSchema: () => inputSchemaOf(operation()),
        annotations: { readOnlyHint },
      },
      operation,
    });
  }
  return tools;
}

/** The `operationId`, else method and path (`get_invoices_id`); at most 64 characters, and no tool twice. */
function freeName({ id, method, path }: ListedOperation, tools: ReadonlyMap<string, unknown>): string {
  const written = id ?? `${method}${path}`;
  const beginning = written.slice(0, 4 * MOST_NAME);
  const base = beginning.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '') || method;
  let name = base.slice(0, MOST_NAME);
  for (let number = 2; tools.has(name); number += 1) {
    const end = `_${number}`;
    name = `${base.slice(0, MOST_NAME - end.length)}${end}`;
  }
  return name;
}

function wordsOf({ summary, description, isDeprecated, method, path }: ListedOperation): string {
  const words = [summary, description].filter((text) => text !== undefined && text.trim() !== '');
  const text = words.length === 0 ? `${method.toUpperCase()} ${path}` : words.map(ended).join(' ');
  return isDeprecated ? `Deprecated. ${text}` : text;
}

function ended(text: string | undefined): string {
  const trimmed = (text ?? '').slice(0, MOST_WORDS).trim();
  return /[.!?:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

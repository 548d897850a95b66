// From what an MCP server sends to what every kind of tool server gives.
import { isUtf8 } from 'node:buffer';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { countValues } from '../../../lib/json-bounds.ts';
import { isShallow } from '../depth.ts';
import {
  type ToolAnnotations,
  type ToolResult,
  type FailedCall,
  type ListedTool,
  MOST_TOOLS,
  type ResultPart,
} from '../server.ts';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const MOST_NAME = 128;

/** A tool of a list as plain data, which a worker can make. */
interface DescribedTool extends Pick<ListedTool, 'name' | 'description' | 'annotations'> {
  argumentNames: readonly string[];
  /** The input schema as JSON. */
  schema: string;
}

/** What a page of a list holds. */
export interface DescribedList {
  tools: readonly DescribedTool[];
  /** Entries that cannot be used, and why. */
  leftOut: readonly string[];
}

/** Values and names of members in one schema. */
const MOST_SCHEMA_VALUES = 10_000;
/** Of all tools of a page. */
const MOST_ARGUMENTS = 50_000;

/** Entries past the number of tools that a server may have are left to the next page, which is not read. */
export function describeTools(entries: readonly Json[]): DescribedList {
  const tools: DescribedTool[] = [];
  const leftOut: string[] = [];
  let argumentCount = 0;
  for (const entry of entries.slice(0, MOST_TOOLS + 1)) {
    const tool = describeTool(entry);
    if ('leftOut' in tool) leftOut.push(tool.leftOut);
    else if (argumentCount + tool.argumentNames.length > MOST_ARGUMENTS) {
      leftOut.push(`${tool.name}, with which the listed tools take more than ${MOST_ARGUMENTS} arguments`);
    } else {
      argumentCount += tool.argumentNames.length;
      tools.push(tool);
    }
  }
  return { tools, leftOut };
}

export function listedTool({ argumentNames, schema, ...described }: DescribedTool): ListedTool {
  return { ...described, argumentNames: () => argumentNames, inputSchema: () => JSON.parse(schema) as JsonObject };
}

/** The tool, or why the entry is none that can be used. */
function describeTool(value: Json): DescribedTool | { leftOut: string } {
  const tool = isJsonObject(value) ? value : {};
  const { name, description, inputSchema } = tool;
  if (typeof name !== 'string' || name === '') return { leftOut: 'a tool without a name' };
  // Without any of the name: where it is cut, a secret in it would no longer be found.
  if (name.length > MOST_NAME) return { leftOut: `a tool whose name has more than ${MOST_NAME} characters` };
  if (!isJsonObject(inputSchema)) return { leftOut: `${name}, which has no input schema` };
  if (!isShallow(inputSchema)) return { leftOut: `${name}, whose input schema nests too deeply` };
  if (countValues(inputSchema, MOST_SCHEMA_VALUES) > MOST_SCHEMA_VALUES) {
    return { leftOut: `${name}, whose input schema has more than ${MOST_SCHEMA_VALUES} values` };
  }
  const annotations = annotationsOf(tool['annotations']);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    argumentNames: namesOf(inputSchema),
    schema: JSON.stringify(inputSchema),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function namesOf(schema: JsonObject): string[] {
  const properties = Object.hasOwn(schema, 'properties') ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function annotationsOf(value: Json | undefined): ToolAnnotations | undefined {
  if (!isJsonObject(value)) return undefined;
  const given = HINTS.flatMap((hint) => (typeof value[hint] === 'boolean' ? [[hint, value[hint]] as const] : []));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** @param requestIdName the member of `_meta` that holds the server's own id of the request */
export function answeredOf(result: JsonObject, requestIdName: string | undefined): ToolResult | FailedCall {
  if (!isShallow(result)) {
    return { kind: 'failed', because: 'server_failure', detail: "The server's result nests too deeply to be read." };
  }
  const { _meta: meta, resultType: _era, ...whole } = result;
  const content = Array.isArray(result['content']) ? result['content'] : [];
  const structured = result['structuredContent'];
  const requestId =
    requestIdName !== undefined && isJsonObject(meta) && Object.hasOwn(meta, requestIdName)
      ? meta[requestIdName]
      : undefined;
  return {
    kind: 'answered',
    isError: result['isError'] === true,
    parts: content.map(partOf),
    ...(structured === undefined ? {} : { structured }),
    whole,
    ...(typeof requestId === 'string' ? { requestId } : {}),
  };
}

function partOf(block: Json): ResultPart {
  if (!isJsonObject(block)) return { text: '[unknown content]', isText: false };
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'text' && typeof text === 'string') return { text, isText: true };
  switch (type) {
    case 'image':
    case 'audio': {
      const bytes = typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0;
      return placeholder(`${type} ${textOr(mimeType, 'of no named type')}, ${bytes} bytes`);
    }
    case 'resource_link':
      return placeholder(`link to the resource ${textOr(uri, 'without a name')}`);
    case 'resource':
      return resourcePart(isJsonObject(resource) ? resource : {});
    default:
      return placeholder(`${textOr(type, 'unknown')} content`);
  }
}

/** The text of an embedded resource is content like any other text, also as bytes of a type of texts. */
function resourcePart({ uri, mimeType, text, blob }: JsonObject): ResultPart {
  if (typeof text === 'string') return { text, isText: true, isEmbedded: true };
  const name = `resource ${textOr(uri, 'without a name')}`;
  if (typeof blob !== 'string') return placeholder(name);
  const bytes = TEXT_TYPE.test(textOr(mimeType, '')) ? Buffer.from(blob, 'base64') : undefined;
  if (bytes !== undefined && isUtf8(bytes)) return { text: bytes.toString(), isText: true, isEmbedded: true };
  return placeholder(`${name}, ${textOr(mimeType, 'of no named type')}, ${Buffer.byteLength(blob, 'base64')} bytes`);
}

const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)\b)/i;

function placeholder(words: string): ResultPart {
  return { text: `[${words}]`, isText: false };
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

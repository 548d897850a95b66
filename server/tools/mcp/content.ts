// From what an MCP server sends to what every kind of tool server gives.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { isShallow } from '../depth.ts';
import { type Annotations, type Answered, type Failed, type ListedTool, type Part } from '../server.ts';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const MOST_NAME = 128;

/** A tool of a list, or why the entry is none that can be used. */
export function listedTool(value: Json): ListedTool | { leftOut: string } {
  const tool = isJsonObject(value) ? value : {};
  const { name, description, inputSchema } = tool;
  if (typeof name !== 'string' || name === '') return { leftOut: 'a tool without a name' };
  // Without any of the name: where it is cut, a secret in it would no longer be found.
  if (name.length > MOST_NAME) return { leftOut: `a tool whose name has more than ${MOST_NAME} characters` };
  if (!isJsonObject(inputSchema)) return { leftOut: `${name}, which has no input schema` };
  if (!isShallow(inputSchema)) return { leftOut: `${name}, whose input schema nests too deeply` };
  const annotations = annotationsOf(tool['annotations']);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    argumentNames: () => namesOf(inputSchema),
    inputSchema: () => inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function namesOf(schema: JsonObject): string[] {
  const properties = Object.hasOwn(schema, 'properties') ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function annotationsOf(value: Json | undefined): Annotations | undefined {
  if (!isJsonObject(value)) return undefined;
  const given = HINTS.flatMap((hint) => (typeof value[hint] === 'boolean' ? [[hint, value[hint]] as const] : []));
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** @param requestIdName the member of `_meta` that holds the server's own id of the request */
export function answeredOf(result: JsonObject, requestIdName: string | undefined): Answered | Failed {
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

function partOf(block: Json): Part {
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
      return placeholder(`resource ${textOr(isJsonObject(resource) ? resource['uri'] : undefined, 'without a name')}`);
    default:
      return placeholder(`${textOr(type, 'unknown')} content`);
  }
}

function placeholder(words: string): Part {
  return { text: `[${words}]`, isText: false };
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

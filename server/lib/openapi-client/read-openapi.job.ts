// Parses the text of an OpenAPI document in a worker, and removes what is not used.
//
// 1. The result is JSON of at most 250,000 values and names and 200 levels, which the main thread parses in about 50 ms.
// 2. Only the media types of responses are kept, unless the document refers to other parts of a response.
// 3. Nothing here recurses into a document before its depth is known.
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { decodeUtf8 } from '../utf8.ts';
import { member, type OpenApiDocument, objectOf } from './document.ts';
import { METHODS } from './operation.ts';

export type OpenApiReading =
  | {
      ok: true;
      /** The document as JSON. */
      json: string;
      version: OpenApiDocument['version'];
      /** Whether it refers to other documents. */
      refersElsewhere: boolean;
    }
  | { ok: false; detail: string };

/** The number of aliases that are expanded, so that a small text cannot become a large document. */
const MOST_ALIASES = 100;
const MOST_VALUES = 250_000;
const MOST_LEVELS = 200;

export function readOpenApi(bytes: Uint8Array): OpenApiReading {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return unusable(`it ${decoded.fault.replace(/\.$/, '')}`);
  const { text } = decoded;
  const read = /^\s*[{[]/.test(text) ? parseJson(text) : parseYaml(text);
  if (!read.ok) return read;
  const root = read.value;
  if (!isJsonObject(root)) return unusable('it is not an object');
  const version = versionOf(member(root, 'swagger'), member(root, 'openapi'));
  if (version === undefined) return unusable('it has neither `swagger: "2.0"` nor `openapi: 3.x`');
  const { isIntoResponses, refersElsewhere } = referencesIn(root);
  if (!isIntoResponses) trimResponses(root);
  const excess = excessOf(root);
  if (excess !== undefined) return unusable(excess);
  return { ok: true, json: JSON.stringify(root), version, refersElsewhere };
}

function unusable(detail: string): { ok: false; detail: string } {
  return { ok: false, detail };
}

type Parsed = { ok: true; value: Json } | { ok: false; detail: string };

function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch {
    return unusable('it is not valid JSON');
  }
}

function parseYaml(text: string): Parsed {
  try {
    // Detecting duplicate keys takes quadratic time; the last one counts, as in JSON.
    const options = { maxAliasCount: MOST_ALIASES, schema: 'core', logLevel: 'error', uniqueKeys: false } as const;
    return { ok: true, value: parse(text, options) as Json };
  } catch {
    return unusable('it is neither JSON nor YAML');
  }
}

/** Version 3.2 extends 3.1 and changes nothing that is read here. */
function versionOf(swagger: Json | undefined, openapi: Json | undefined): OpenApiDocument['version'] | undefined {
  // YAML reads an unquoted 2.0 or 3.0 as a number.
  if (swagger === '2.0' || swagger === 2) return '2.0';
  if (openapi === 3) return '3.0';
  const number = /^3\.([0-2])(\.|$)/.exec(String(openapi));
  if (number === null) return undefined;
  return number[1] === '0' ? '3.0' : '3.1';
}

/** Members that contain data, in which `$ref` has no meaning. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-example', 'x-examples']);

function referencesIn(root: JsonObject): { refersElsewhere: boolean; isIntoResponses: boolean } {
  let refersElsewhere = false;
  let isIntoResponses = false;
  const open: Json[] = [root];
  // An alias in YAML may refer to a node that contains it.
  const seen = new Set<Json>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || seen.size === seen.add(next).size) continue;
    if (Array.isArray(next)) for (const item of next) open.push(item);
    if (!isJsonObject(next)) continue;
    for (const [name, value] of Object.entries(next)) {
      if (name === '$ref' && typeof value === 'string') {
        refersElsewhere ||= !value.startsWith('#');
        // To a part of a response.
        isIntoResponses ||= /\/responses\/[^/]+\/./.test(value);
      }
      if (!DATA.has(name) && typeof value === 'object') open.push(value);
    }
  }
  return { refersElsewhere, isIntoResponses };
}

function trimResponses(root: JsonObject): void {
  const responses = [objectOf(objectOf(root, 'components'), 'responses'), objectOf(root, 'responses')];
  for (const item of Object.values(objectOf(root, 'paths'))) {
    if (!isJsonObject(item)) continue;
    for (const method of METHODS) responses.push(objectOf(objectOf(item, method), 'responses'));
  }
  for (const byStatus of responses) {
    for (const [status, response] of Object.entries(byStatus)) {
      if (!isJsonObject(response) || Object.hasOwn(response, '$ref')) continue;
      const types = Object.keys(objectOf(response, 'content')).map((type) => [type, {}]);
      // `defineProperty`, because a status may be named `__proto__`.
      Object.defineProperty(byStatus, status, { value: { content: Object.fromEntries(types) as JsonObject } });
    }
  }
}

function excessOf(root: JsonObject): string | undefined {
  let values = 0;
  let level: Json[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return `it is nested more than ${MOST_LEVELS} levels`;
    const below: Json[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      const children = Object.values(value);
      values += Array.isArray(value) ? children.length : 2 * children.length;
      if (values > MOST_VALUES)
        return `it contains more than ${MOST_VALUES} values; use one with only the operations that are needed`;
      for (const child of children) below.push(child);
    }
    level = below;
  }
  return undefined;
}

// The schema of what a tool takes: one object with a member for each parameter, and `body` for a body.
//
// 1. It stands on its own: schemas of the document that it refers to are put under `$defs`, each once, however they
//    refer to each other. Nothing is written out, so that circles stay circles.
// 2. It is bounded: past 500 schemas, what more it refers to is anything.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { tokensOf } from '../../kernel/json-pointer.ts';
import type { OpenApiDocument, Operation } from '../../kernel/openapi-client/index.ts';
import { convertSchema, mapSchemas } from './convert-schema.ts';

const MOST_DEFS = 500;
const MOST_LEVELS = 60;

export function inputSchemaOf({ root }: OpenApiDocument, operation: Operation): JsonObject {
  const defs = new Map<string, { name: string; schema: JsonObject }>();

  function place(schema: JsonObject, level = 0): JsonObject {
    if (level > MOST_LEVELS) return {};
    const reference = Object.hasOwn(schema, '$ref') ? schema['$ref'] : undefined;
    if (typeof reference === 'string') return refer(reference, level);
    return mapSchemas(convertSchema(schema), (inner) => place(inner, level + 1));
  }

  function refer(reference: string, level: number): JsonObject {
    const known = defs.get(reference);
    if (known !== undefined) return { $ref: `#/$defs/${known.name}` };
    const target = targetOf(root, reference);
    if (target === undefined || defs.size >= MOST_DEFS) return {};
    const entry = { name: freeName(reference, defs), schema: {} };
    // Known before it is placed: it may refer to itself.
    defs.set(reference, entry);
    entry.schema = place(target, level + 1);
    return { $ref: `#/$defs/${entry.name}` };
  }

  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  function add(name: string, schema: Json | undefined, isRequired: boolean, description: string | undefined): void {
    const placed = isJsonObject(schema) ? place(schema) : {};
    properties.push([name, { ...placed, ...(description === undefined ? {} : { description }) }]);
    if (isRequired) required.push(name);
  }

  for (const { name, schema, isRequired, description } of operation.parameters)
    add(name, schema, isRequired, description);
  const { body } = operation;
  for (const { name, schema, isRequired, description } of body?.fields ?? [])
    add(name, schema, isRequired, description);
  const [name] = body?.names ?? [];
  if (body !== undefined && name !== undefined)
    add(name, body.mediaTypes[0]?.schema, body.isRequired, body.description);

  const $defs = [...defs.values()].map(({ name: key, schema }) => [key, schema] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    additionalProperties: false,
    ...($defs.length === 0 ? {} : { $defs: Object.fromEntries($defs) }),
  };
}

function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let current: Json | undefined = root;
  for (const token of tokensOf(decoded(reference.slice(1)))) {
    if (isJsonObject(current)) current = Object.hasOwn(current, token) ? current[token] : undefined;
    else current = Array.isArray(current) && /^\d+$/.test(token) ? current[Number(token)] : undefined;
  }
  return isJsonObject(current) ? current : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last name of the reference, as `#/components/schemas/Pet` is known, and a number where it is taken. */
function freeName(reference: string, defs: ReadonlyMap<string, { name: string }>): string {
  const last =
    (tokensOf(decoded(reference.slice(1))).at(-1) ?? '').replaceAll(/[^\w.-]/g, '_').slice(0, 64) || 'schema';
  const taken = new Set([...defs.values()].map(({ name }) => name));
  let name = last;
  for (let number = 2; taken.has(name); number += 1) name = `${last}_${number}`;
  return name;
}

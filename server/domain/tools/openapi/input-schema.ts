// The schema of what a tool takes: one object with a member for each parameter, and `body` for a body.
//
// 1. It stands on its own: schemas of the document that it refers to are put under `$defs`, each once, however they
//    refer to each other. Nothing is written out, so that circles stay circles.
// 2. It is made for the one tool that is asked for, and a schema that several tools share is converted once.
// 3. It demands no read-only property: a schema that is part of one that knows it to be so has a variant without it.
// 4. It is bounded: past 20,000 JSON values, what more it refers to is anything, and says so.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { tokensOf } from '../../../lib/json-pointer.ts';
import type { FormField, OpenApiDocument, Operation, Parameter } from '../../../lib/openapi-client/index.ts';
import { convertSchema, mapSchemas } from './convert-schema.ts';
import { createReadOnlyNames, IN_PLACE } from './read-only.ts';
import { percentDecoded } from '../../../lib/percent-decode.ts';

const MOST_VALUES = 20_000;
const MOST_LEVELS = 60;
/** Of all tools of a document together; what is over it is converted again when it is needed. */
const MOST_KEPT_VALUES = 1_000_000;

const LEFT_OUT: JsonObject = { description: 'Not shown: the document describes too much here. Anything is taken.' };

/** A schema without what it refers to. */
interface SchemaPart {
  schema: JsonObject;
  /** References of the document, each once: see `referenceKey`. */
  refers: ReadonlySet<string>;
  /** How many JSON values it is made of. */
  size: number;
}

interface Argument {
  name: string;
  schema: Json | undefined;
  isRequired: boolean;
  description: string | undefined;
}

/** What a tool takes, by name. */
export function argumentsOf({ parameters, body }: Operation): Argument[] {
  const [name] = body?.names ?? [];
  return [
    ...parameters.map((parameter) => argumentOf(parameter, parameter.in)),
    ...(body?.fields ?? []).map((field) => argumentOf(field, 'form')),
    ...(body === undefined || name === undefined ? [] : [{ ...body, name, schema: body.mediaTypes[0]?.schema }]),
  ];
}

/** One that has another name than its parameter says where it goes. */
function argumentOf(
  { name, argument, schema, isRequired, description }: Parameter | FormField,
  location: string,
): Argument {
  const said =
    name === argument ? description : [`The ${WORDS[location] ?? location} \`${name}\`.`, description].join(' ').trim();
  return { name: argument, schema, isRequired, description: said };
}

const WORDS: Readonly<Record<string, string>> = {
  path: 'path parameter',
  query: 'query parameter',
  form: 'form field',
};

/** The input schemas of a document's operations. */
export function createInputSchemas({ root }: OpenApiDocument): (operation: Operation) => JsonObject {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  /** Operations share schemas, by reference and, where they share a path item, without one. */
  const converted = new Map<JsonObject, SchemaPart>();
  let kept = 0;
  const readOnly = createReadOnlyNames((reference) => targetOf(root, reference));

  function nameOf(key: string): string {
    const known = names.get(key);
    if (known !== undefined) return known;
    const base = lastName(readKey(key).reference);
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`;
    taken.add(name);
    names.set(key, name);
    return name;
  }

  /** @param without names of properties that are not demanded, as another part of the schema makes them read-only */
  function convert(whole: JsonObject, without: ReadonlySet<string>): SchemaPart {
    const refers = new Set<string>();
    let schemas = 0;
    function place(schema: JsonObject, level: number, inherited: ReadonlySet<string>): JsonObject {
      schemas += 1;
      if (level > MOST_LEVELS || schemas > MOST_VALUES) return {};
      const reference = Object.hasOwn(schema, '$ref') ? schema['$ref'] : undefined;
      if (typeof reference !== 'string') {
        const isConcerned =
          Array.isArray(schema['required']) || [...IN_PLACE].some((key) => Object.hasOwn(schema, key));
        const own = isConcerned ? new Set([...inherited, ...readOnly.of(schema)]) : inherited;
        return mapSchemas(withoutDemands(convertSchema(schema), own), (inner, keyword) =>
          place(inner, level + 1, IN_PLACE.has(keyword) ? own : NONE),
        );
      }
      const target = targetOf(root, reference);
      if (target === undefined) return {};
      const key = referenceKey(reference, readOnly.demandedBy(target, inherited));
      refers.add(key);
      return { $ref: `#/$defs/${nameOf(key)}` };
    }
    const schema = place(whole, 0, without);
    const size = valuesIn(schema);
    return schemas > MOST_VALUES || size > MOST_VALUES
      ? { schema: LEFT_OUT, refers: new Set(), size: MOST_VALUES }
      : { schema, refers, size };
  }

  function partOf(schema: JsonObject, without: ReadonlySet<string> = NONE): SchemaPart {
    // Variants are few.
    if (without.size > 0) return convert(schema, without);
    const known = converted.get(schema);
    if (known !== undefined) return known;
    const part = convert(schema, NONE);
    // What is left out is kept in one value, however large it would have been.
    const values = part.schema === LEFT_OUT ? 1 : part.size;
    if (kept + values > MOST_KEPT_VALUES) {
      converted.clear();
      kept = 0;
    }
    kept += values;
    converted.set(schema, part);
    return part;
  }

  return (operation) => {
    const referred = new Set<string>();
    let size = 0;
    function put(part: () => SchemaPart): JsonObject {
      if (size >= MOST_VALUES) return LEFT_OUT;
      const { schema, refers, size: more } = part();
      size += more;
      for (const reference of refers) referred.add(reference);
      return schema;
    }

    const args = argumentsOf(operation);
    const properties = args.map(({ name, schema, description }) => {
      const placed = isJsonObject(schema) ? put(() => partOf(schema)) : {};
      return [name, { ...placed, ...(description === undefined ? {} : { description }) }] as const;
    });
    const required = [...new Set(args.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])))];
    const $defs: [string, JsonObject][] = [];
    // The set grows while it is walked through: what is referred to refers to more.
    for (const key of referred) {
      const { reference, without } = readKey(key);
      $defs.push([nameOf(key), put(() => partOf(targetOf(root, reference) ?? {}, without))]);
    }
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
      ...($defs.length === 0 ? {} : { $defs: Object.fromEntries($defs) }),
    };
  };
}

const NONE: ReadonlySet<string> = new Set();

/** A reference of the document, and the properties that its target does not demand there. */
function referenceKey(reference: string, without: ReadonlySet<string>): string {
  return without.size === 0 ? reference : JSON.stringify([reference, ...without]);
}

function readKey(key: string): { reference: string; without: ReadonlySet<string> } {
  if (key.startsWith('#')) return { reference: key, without: NONE };
  const [reference = '', ...without] = JSON.parse(key) as string[];
  return { reference, without: new Set(without) };
}

function withoutDemands(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { required, ...others } = schema;
  if (!Array.isArray(required) || !required.some((name) => names.has(String(name)))) return schema;
  const remaining = required.filter((name) => !names.has(String(name)));
  return remaining.length === 0 ? others : { ...others, required: remaining };
}

function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let current: Json | undefined = root;
  for (const token of tokensOf(percentDecoded(reference.slice(1)))) {
    if (isJsonObject(current)) current = Object.hasOwn(current, token) ? current[token] : undefined;
    else current = Array.isArray(current) && /^\d+$/.test(token) ? current[Number(token)] : undefined;
  }
  return isJsonObject(current) ? current : undefined;
}

/** The last name of the reference, as `#/components/schemas/Pet` is known. */
function lastName(reference: string): string {
  const last = tokensOf(percentDecoded(reference.slice(1))).at(-1) ?? '';
  return last.replaceAll(/[^\w.-]/g, '_').slice(0, 64) || 'schema';
}

/** Walks without recursion, and no further than it needs to know that there are too many. */
function valuesIn(root: Json): number {
  const open: Json[] = [root];
  let values = 0;
  for (let next = open.pop(); next !== undefined && values <= MOST_VALUES; next = open.pop()) {
    values += 1;
    if (typeof next === 'object' && next !== null) for (const value of Object.values(next)) open.push(value);
  }
  return values;
}

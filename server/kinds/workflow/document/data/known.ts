// What is known of a value before a run: what the schemas and the document say of it.
import type { DefinitionType } from '../../../../../shared/definition-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';

export type Known =
  /** A value that matches a schema. `of`: what it is, in words. */
  | { kind: 'schema'; schema: JsonObject; root: JsonObject; of?: string; path?: string }
  /** An object with exactly these members, and those of `rest`. */
  | { kind: 'object'; members: ReadonlyMap<string, Guess>; rest?: Known; of?: string }
  | { kind: 'list'; items: Guess }
  | { kind: 'value'; value: Json };

/** The alternatives for a value; undefined if it may be anything. */
export type Guess = readonly Known[] | undefined;

/** How a type of task sees the data. */
export interface DataFlow {
  input: Guess;
  /** The outputs of its lists, in their order. */
  bodies: readonly Guess[];
  /** The value of a template, or of an expression in `${ }`. */
  value(template: Json | undefined, pointer: string): Guess;
  /** The result of an expression with or without `${ }`. */
  result(expression: string | undefined, pointer: string): Guess;
  /** The output of a definition. */
  call(type: DefinitionType, name: string, input: Guess, pointer: string): Guess;
}

/** A field that no alternative of a value has. */
export interface MissingField {
  /** The value that was expected to have it, in words. */
  of: string;
  /** Its path, for example `customer.plan`. */
  field: string;
  /** The value may have fields that its schema does not name. */
  isOpen?: boolean;
  /** The fields that the value has. */
  known: readonly string[];
}

const MOST_ALTERNATIVES = 8;
const MOST_REFERENCES = 16;
/** Keywords that say nothing about the fields of a value. */
const ANNOTATIONS = new Set(['$defs', '$schema', '$id', '$comment', 'title', 'description', 'default', 'examples']);
/** Keywords under which `properties` does not name all fields. */
const CONDITIONS = [
  'allOf',
  'const',
  'dependentSchemas',
  '$dynamicRef',
  'enum',
  'if',
  'patternProperties',
  'unevaluatedProperties',
];

export const NULL: Guess = [{ kind: 'value', value: null }];

export function union(...guesses: readonly Guess[]): Guess {
  const all: Known[] = [];
  for (const guess of guesses) {
    if (guess === undefined) return undefined;
    for (const known of guess) if (!all.includes(known)) all.push(known);
    if (all.length > MOST_ALTERNATIVES) return undefined;
  }
  return all;
}

/** @param root the schema that references point into */
export function fromSchema(schema: Json | undefined, of?: string, root?: JsonObject, path?: string): Guess {
  const seen = new Set<Json>();
  const read = (part: Json | undefined): Guess => {
    if (!isJsonObject(part) || seen.has(part) || seen.size > MOST_REFERENCES) return undefined;
    seen.add(part);
    const within = root ?? (schema as JsonObject);
    // References below another `$id` point into that schema.
    if (part !== within && Object.hasOwn(part, '$id')) return undefined;
    const stated = Object.keys(part).filter((keyword) => !ANNOTATIONS.has(keyword));
    if (stated.length === 0 || CONDITIONS.some((keyword) => Object.hasOwn(part, keyword))) return undefined;
    for (const keyword of ['$ref', 'anyOf', 'oneOf'] as const) {
      if (!Object.hasOwn(part, keyword)) continue;
      if (stated.some((other) => other !== keyword && other !== 'type')) return undefined;
      const branches = part[keyword];
      if (keyword === '$ref') return read(target(within, branches));
      return Array.isArray(branches) ? union(...branches.map(read)) : undefined;
    }
    return [{ kind: 'schema', schema: part, root: within, ...(of && { of }), ...(path && { path }) }];
  };
  return read(schema);
}

function target(root: JsonObject, reference: Json | undefined): Json | undefined {
  const name = typeof reference === 'string' ? /^#\/\$defs\/([^/%~]+)$/.exec(reference)?.[1] : undefined;
  const definitions = root['$defs'];
  return name === undefined || !isJsonObject(definitions) ? undefined : definitions[name];
}

/**
 * A field of a value; of one that does not have it, nothing is known, so that it is reported once.
 * @param report called if no alternative has the field
 */
export function fieldOf(guess: Guess, name: string, report: (missing: MissingField) => void): Guess {
  if (guess === undefined) return undefined;
  const found = guess.map((known) => fieldIn(known, name));
  const missing = found.filter((one) => one !== undefined && 'of' in one);
  const [first] = missing;
  if (first !== undefined && missing.length === guess.filter((known) => !isNull(known)).length) report(first);
  return union(...found.map((one) => (one !== undefined && 'of' in one ? undefined : one)));
}

function fieldIn(known: Known, name: string): Guess | MissingField {
  switch (known.kind) {
    case 'schema':
      return fieldInSchema(known, name);
    case 'object': {
      if (known.members.has(name)) return known.members.get(name);
      if (known.rest !== undefined) return fieldIn(known.rest, name);
      return known.of === undefined ? NULL : { of: known.of, field: name, known: [...known.members.keys()] };
    }
    case 'value': {
      const { value } = known;
      return isJsonObject(value) && Object.hasOwn(value, name) ? [{ kind: 'value', value: value[name] ?? null }] : NULL;
    }
    case 'list':
      return undefined;
  }
}

function fieldInSchema(
  { schema, root, of, path }: Extract<Known, { kind: 'schema' }>,
  name: string,
): Guess | MissingField {
  const { properties, additionalProperties: others } = schema;
  const field = path === undefined ? name : `${path}.${name}`;
  if (!isJsonObject(properties)) return undefined;
  if (Object.hasOwn(properties, name)) return fromSchema(properties[name], of, root, field);
  const mayBeOther = (others ?? false) !== false || Object.keys(properties).length === 0;
  if (mayBeOther || of === undefined) return undefined;
  return { of, field, known: Object.keys(properties), ...(others === undefined ? { isOpen: true } : {}) };
}

function isNull(known: Known): boolean {
  return known.kind === 'value' ? known.value === null : known.kind === 'schema' && known.schema['type'] === 'null';
}

/** The items of a list. */
export function itemsOf(guess: Guess): Guess {
  if (guess === undefined) return undefined;
  return union(
    ...guess.map((known): Guess => {
      if (known.kind === 'list') return known.items;
      if (known.kind !== 'schema' || known.schema['prefixItems'] !== undefined) return undefined;
      return fromSchema(known.schema['items'], known.of, known.root, `${known.path ?? ''}[]`);
    }),
  );
}

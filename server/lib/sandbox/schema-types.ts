import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

const MOST_LEVELS = 12;

export type Literals = 'exact' | 'widened';

/** Names of types by the `$ref` that means them; and whether literals are widened, under a key that no `$ref` has. */
type Names = Map<string, string>;
const WIDENED = ' widened';

/**
 * TypeScript for the values that a JSON Schema takes; what it cannot say is `unknown`. Widened, a constant stands for
 * its whole type: what an unannotated function returns is inferred that way.
 */
export function typeOfSchema(name: string, schema: JsonObject | undefined, literals: Literals = 'exact'): string {
  if (schema === undefined) return `type ${name} = any;`;
  const definitions = isJsonObject(schema['$defs']) ? Object.entries(schema['$defs']) : [];
  const named: Names = new Map(definitions.map(([key], index) => [`#/$defs/${key}`, `${name}Definition${index + 1}`]));
  named.set('#', name);
  if (literals === 'widened') named.set(WIDENED, '');
  const declared = definitions.map(
    ([, value], index) => `type ${name}Definition${index + 1} = ${typeOf(value, named, 0)};`,
  );
  return [...declared, `type ${name} = ${typeOf(schema, named, 0)};`].join('\n');
}

/**
 * TypeScript for a state that begins with this value and grows: what is empty or null may become anything, and an
 * object may get further members.
 */
export function typeOfState(initial: Json): string {
  return `type State = ${growing(initial, 0)};`;
}

function growing(value: Json, level: number): string {
  if (value === null || level > MOST_LEVELS) return 'any';
  if (Array.isArray(value)) return 'any[]';
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${growing(one, level + 1)};`);
  return `{ ${members.join(' ')} [name: string]: any }`;
}

function typeOf(schema: Json, named: Names, level: number): string {
  if (!isJsonObject(schema) || level > MOST_LEVELS) return schema === false ? 'never' : 'unknown';
  const { $ref, type, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === 'string') return named.get($ref) ?? 'unknown';
  const literal = named.has(WIDENED) ? widenedLiteral : exactLiteral;
  if ('const' in schema) return literal(schema['const'] ?? null);
  if (Array.isArray(schema['enum'])) return union([...new Set(schema['enum'].map(literal))]);
  const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (branches !== undefined) return union(branches.map((branch) => typeOf(branch, named, level + 1)));
  if (Array.isArray(allOf)) return allOf.map((part) => `(${typeOf(part, named, level + 1)})`).join(' & ') || 'unknown';
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, named, level)));
  switch (type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayType(schema, named, level);
    case 'object':
      return objectType(schema, named, level);
    default:
      return isJsonObject(schema['properties']) ? objectType(schema, named, level) : 'unknown';
  }
}

function arrayType({ items, prefixItems }: JsonObject, named: Names, level: number): string {
  const rest = items === undefined ? 'unknown' : typeOf(items, named, level + 1);
  if (!Array.isArray(prefixItems)) return `(${rest})[]`;
  const first = prefixItems.map((item) => `(${typeOf(item, named, level + 1)})?`);
  return `[${[...first, ...(items === false ? [] : [`...(${rest})[]`])].join(', ')}]`;
}

function objectType(schema: JsonObject, named: Names, level: number): string {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const members = Object.entries(properties).map(
    ([name, value]) =>
      `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(value, named, level + 1)};`,
  );
  const { additionalProperties } = schema;
  if (members.length === 0 && additionalProperties !== false) {
    const values = isJsonObject(additionalProperties) ? typeOf(additionalProperties, named, level + 1) : 'unknown';
    return `{ [name: string]: ${values} }`;
  }
  // Further members beside named ones may be there; a program that reads them says so with an assertion.
  return `{ ${members.join(' ')} }`;
}

function widenedLiteral(value: Json): string {
  return value === null ? 'null' : typeof value === 'object' ? 'unknown' : typeof value;
}

function exactLiteral(value: Json): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  return types.length === 0 ? 'never' : types.map((type) => `(${type})`).join(' | ');
}

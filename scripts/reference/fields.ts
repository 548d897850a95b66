// A JSON Schema as a table of its fields, including those of nested objects.
import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';
import { code, table } from './markdown.ts';

/** Returns a link to the page of a schema, if it has one. */
export type LinkTo = (schema: JsonObject) => string | undefined;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
};

export function fieldsTable(schema: JsonObject, linkTo: LinkTo): string[] {
  return table(['field', 'type', 'meaning'], rowsOf(schema, '', linkTo));
}

function rowsOf(schema: JsonObject, prefix: string, linkTo: LinkTo): string[][] {
  const required = new Set(asList(schema['required']));
  return Object.entries(asObject(schema['properties'])).flatMap(([name, value]) => {
    const field = asObject(value);
    const path = `${prefix}${name}`;
    const row = [
      required.has(name) ? code(path) : `${code(path)} (optional)`,
      typeWords(field, linkTo),
      String(field['description'] ?? ''),
    ];
    return [row, ...below(field, path, linkTo)];
  });
}

/** The fields of a nested object without its own page. */
function below(field: JsonObject, path: string, linkTo: LinkTo): string[][] {
  if (linkTo(field) !== undefined) return [];
  if (field['type'] === 'array') return below(asObject(field['items']), `${path}[]`, linkTo);
  const choices = choicesOf(field);
  if (choices.length > 0) return choices.flatMap((choice) => below(choice, path, linkTo));
  return rowsOf(field, `${path}.`, linkTo);
}

export function typeWords(schema: JsonObject, linkTo: LinkTo): string {
  const linked = linkTo(schema);
  if (linked !== undefined) return linked;
  if (schema['const'] !== undefined) return code(JSON.stringify(schema['const']));
  if (schema['enum'] !== undefined)
    return asList(schema['enum'])
      .map((one) => code(String(one)))
      .join(', ');
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeWords(choice, linkTo)))].join(' or ');
  if (schema['type'] === 'array') return `list of ${typeWords(asObject(schema['items']), linkTo)}${boundWords(schema)}`;
  const { type } = schema;
  const types = (Array.isArray(type) ? type : [type]).map((one) => TYPES[String(one)] ?? 'any JSON');
  return `${types.join(' or ')}${boundWords(schema)}`;
}

/** The limits of a value, as text after its type. */
function boundWords(schema: JsonObject): string {
  const { format, pattern } = schema;
  const words = [
    format === undefined ? '' : String(format),
    rangeWords(schema['minimum'], schema['maximum'], ''),
    rangeWords(schema['minLength'], schema['maxLength'], ' characters'),
    rangeWords(schema['minItems'], schema['maxItems'], ' entries'),
    pattern === undefined ? '' : code(String(pattern)),
  ].filter((word) => word !== '');
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}

function rangeWords(least: Json | undefined, most: Json | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `at least ${String(least)}${unit}`;
  return `${least === undefined ? 'at most ' : `${String(least)} to `}${String(most)}${unit}`;
}

function choicesOf(schema: JsonObject): JsonObject[] {
  return asList(schema['anyOf'] ?? schema['oneOf']).map(asObject);
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

// From what ajv found to a sentence: the value's name, what is wrong, what to write instead.
import type { ErrorObject } from 'ajv';
import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { MERGE_KEY } from '../../../../lib/yaml/index.ts';

const MOST_LISTED = 14;

/** @param tokens of the pointer that the error is about */
export function sentenceOf(error: ErrorObject, tokens: readonly string[], document: unknown): string {
  const { keyword, params, parentSchema, data } = error;
  const given = params as Record<string, unknown>;
  const schema = (parentSchema ?? {}) as Record<string, unknown>;
  if (typeof schema['sentence'] === 'string') return schema['sentence'];
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey(String(given['additionalProperty']), schema);
    case 'required':
      return missingKey(String(given['missingProperty']), schema);
    case 'dependentRequired':
      return `${code(given['property'])} requires ${code(given['missingProperty'])}.`;
    default:
      return `${placeWords(tokens, document)} ${says(schema)}${hint(schema, data)}.`;
  }
}

function says(schema: Record<string, unknown>): string {
  return typeof schema['says'] === 'string' ? schema['says'] : 'is not valid here';
}

function unknownKey(key: string, schema: Record<string, unknown>): string {
  if (key === '<<') return MERGE_KEY;
  const known = knownKeys(schema);
  // Only a whole document has these.
  if (/^(?:x-|\.)/.test(key) && known.includes('do') && known.includes('schedule')) {
    return `Unknown field ${code(key)}; to share a value, put its anchor (\`&name\`) where the value is used first.`;
  }
  const near = nearestName(key, known);
  if (near !== undefined) return `Unknown field ${code(key)}; did you mean ${code(near)}?`;
  const listed = known.slice(0, MOST_LISTED).map(code).join(', ');
  return known.length === 0 ? `Unknown field ${code(key)}.` : `Unknown field ${code(key)}; write one of ${listed}.`;
}

/** The key that an unknown one was probably meant to be. */
export function meantKey({ keyword, params, parentSchema }: ErrorObject): string | undefined {
  if (keyword !== 'additionalProperties') return undefined;
  return nearestName(String(params['additionalProperty']), knownKeys(parentSchema ?? {}));
}

/** Keys that are named only to be refused are none to choose from. */
function knownKeys(schema: Record<string, unknown>): string[] {
  return Object.entries(propertiesOf(schema))
    .filter(([, property]) => !isJsonObject(property) || property['not'] === undefined)
    .map(([name]) => name);
}

function missingKey(key: string, schema: Record<string, unknown>): string {
  const property = propertiesOf(schema)[key];
  const words = isJsonObject(property) && typeof property['says'] === 'string' ? `: it ${property['says']}` : '';
  return `${code(key)} is missing${words}.`;
}

function propertiesOf(schema: Record<string, unknown>): Record<string, Json> {
  const { properties } = schema;
  return isJsonObject(properties) ? properties : {};
}

/** What was probably meant: a text in quotes, or a key that was mistyped. */
function hint(schema: Record<string, unknown>, data: unknown): string {
  const { type, nearest } = schema;
  if (
    type === 'string' &&
    (typeof data === 'number' || typeof data === 'boolean') &&
    !says(schema).includes('quotes')
  ) {
    return `; put it in quotes: "${String(data)}"`;
  }
  if (Array.isArray(nearest) && isJsonObject(data)) {
    for (const key of Object.keys(data)) {
      const near = nearestName(key, nearest as string[]);
      if (near !== undefined) return ` (did you mean ${code(near)} by ${code(key)}?)`;
    }
  }
  if (Array.isArray(schema['enum']) && typeof data === 'string') {
    const near = nearestName(data, (schema['enum'] as unknown[]).map(String));
    if (near !== undefined) return ` (did you mean ${code(near)}?)`;
  }
  return '';
}

/** The name of a location: a member by its own name, an item by its index in its list. */
function placeWords(tokens: readonly string[], document: unknown): string {
  const [name] = tokens.slice(-1);
  if (name === undefined) return 'A workflow';
  let holder: unknown = document;
  for (const token of tokens.slice(0, -1)) {
    holder = typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[token] : undefined;
  }
  if (!Array.isArray(holder)) return code(name);
  const list = tokens.slice(0, -1).findLast((token) => !/^\d+$/.test(token));
  return `Item ${Number(name) + 1}${list === undefined ? '' : ` of ${code(list)}`}`;
}

/** A name as it is shown: on one line, and not too long. */
export function code(text: unknown): string {
  const shown = String(text).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return `\`${shown.length > 60 ? `${shown.slice(0, 59)}…` : shown}\``;
}

import type { TObject } from 'typebox';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { badRequest } from '../../lib/rejection.ts';

/**
 * Reads a query string into fields. A value becomes a number or a boolean if the schema takes one and the value has that
 * form; any other value stays a string, for the schema to check.
 * @throws Refused `bad_request` for a repeated field or a malformed escape
 */
export function readQuery(query: string, schema: TObject): JsonObject {
  const fields: JsonObject = Object.create(null) as JsonObject;
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    if (Object.hasOwn(fields, name)) throw badRequest(`The query has \`${name}\` twice; send it once.`);
    fields[name] = typed(decode(equals < 0 ? '' : part.slice(equals + 1)), schema.properties[name]);
  }
  return { ...fields };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('The query string has an escape that is not valid UTF-8; write each byte as %XX.');
  }
}

function typed(text: string, schema: unknown): Json {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

// The body of a `call: http`: JSON unless its header says otherwise.
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { bareType, isJsonType } from '../../../lib/openapi-client/index.ts';
import { type Failed, invalid } from './call-error.ts';
import { scalarText } from './members.ts';

export type BodyWritten = { ok: true; body: string | undefined; contentType: string | undefined } | Failed;

const FORM = 'application/x-www-form-urlencoded';

/**
 * A text is sent as it is, under whichever type. Null is the same as none.
 * @param contentType what the author's header says, if anything
 */
export function writeBody(value: Json | undefined, contentType: string | undefined): BodyWritten {
  if (value === undefined || value === null) return { ok: true, body: undefined, contentType };
  if (typeof value === 'string') {
    return { ok: true, body: value, contentType: contentType ?? 'text/plain; charset=utf-8' };
  }
  if (contentType === undefined || isJsonType(contentType)) {
    return { ok: true, body: JSON.stringify(value), contentType: contentType ?? 'application/json' };
  }
  if (bareType(contentType) !== FORM || !isJsonObject(value)) {
    return invalid(`A body of the type ${bareType(contentType)} must be given as a string.`);
  }
  const pairs = pairsOf(value);
  if (pairs === undefined)
    return invalid('The members of a form must be strings, numbers, booleans, or lists of them.');
  return { ok: true, body: String(new URLSearchParams(pairs)), contentType };
}

/** Names with their values: lists repeat the name, null is left out; undefined where something is no scalar. */
export function pairsOf(value: Json): [string, string][] | undefined {
  if (!isJsonObject(value)) return undefined;
  const pairs: [string, string][] = [];
  for (const [name, given] of Object.entries(value)) {
    for (const item of Array.isArray(given) ? given : [given]) {
      if (item === null) continue;
      const text = scalarText(item);
      if (text === undefined) return undefined;
      pairs.push([name, text]);
    }
  }
  return pairs;
}

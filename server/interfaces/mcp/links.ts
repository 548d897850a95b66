// Values too large for an agent's context become their size and a link, behind which they stand whole.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';

/** What one value may have as JSON to be shown. */
export const MOST_SHOWN = 24 * KIB;

export interface Link {
  uri: string;
  name: string;
  bytes: number;
}

/** Says where a member of an object is read whole. @param holder the object, with the members of those around it */
export type FindPlace = (holder: JsonObject, name: string, value: Json) => string;

/**
 * Shortens an answer. A list at its top stays a list, and each entry is shortened by itself: an agent that looks for
 * something needs all of them.
 */
export function shorten(
  answer: JsonObject,
  around: JsonObject,
  place: FindPlace,
): { value: JsonObject; links: Link[] } {
  const links: Link[] = [];
  if (jsonBytes(answer) <= MOST_SHOWN) return { value: answer, links };

  function members(object: JsonObject, holder: JsonObject, isTop: boolean): JsonObject {
    const shown: JsonObject = {};
    for (const [name, value] of Object.entries(object)) {
      const bytes = jsonBytes(value);
      if (bytes <= MOST_SHOWN) shown[name] = value;
      else if (isTop && isListOfObjects(value)) {
        shown[name] = value.map((entry) => members(entry, { ...holder, ...entry }, false));
      } else {
        const uri = place(holder, name, value);
        shown[`${name}_bytes`] = bytes;
        shown[`${name}_resource`] = uri;
        links.push({ uri, name, bytes });
      }
    }
    return shown;
  }

  return { value: members(answer, { ...around, ...answer }, true), links };
}

function isListOfObjects(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

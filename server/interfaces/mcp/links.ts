// Replaces values too large for an agent's context by their size and a link to the complete value.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { escapeToken } from '../../lib/json-pointer.ts';
import { JsonText } from '../../lib/json-text.ts';

/** The maximum size of a value as JSON. */
export const MOST_SHOWN = 24 * KIB;

export interface Link {
  uri: string;
  name: string;
  bytes: number;
}

/** The address of the complete member of an object. @param holder the object, with the members of its parents */
export type FindPlace = (holder: JsonObject, name: string, value: Json) => string;

/**
 * Shortens a result. A top-level list stays a list and its entries are shortened one by one: an agent that searches needs
 * all of them.
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

/** Replaces each `JsonText` in a result, or in a member of it, by its size and a link: it is too large to be shown. */
export function linkTexts(
  answer: JsonObject,
  around: JsonObject,
  place: FindPlace,
): { value: JsonObject; links: Link[] } {
  const links: Link[] = [];

  function linked(name: string, { bytes }: JsonText, uri: string): JsonObject {
    links.push({ uri, name, bytes });
    return { [`${name}_bytes`]: bytes, [`${name}_resource`]: uri };
  }

  const value: JsonObject = {};
  const holder = { ...around, ...answer };
  for (const [name, member] of Object.entries<unknown>(answer)) {
    if (member instanceof JsonText) Object.assign(value, linked(name, member, place(holder, name, null)));
    else if (isJsonObject(member) && Object.values<unknown>(member).some((one) => one instanceof JsonText)) {
      const at = place(holder, name, null);
      const parts = Object.entries<unknown>(member).map(([part, one]) =>
        one instanceof JsonText
          ? linked(part, one, `${at}/${encodeURIComponent(escapeToken(part))}`)
          : { [part]: one as Json },
      );
      value[name] = Object.assign({}, ...parts) as JsonObject;
    } else value[name] = member as Json;
  }
  return { value, links };
}

function isListOfObjects(value: Json): value is JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

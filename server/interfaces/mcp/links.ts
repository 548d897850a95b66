// Replaces values too large for an agent's context by their size and a link to the complete value.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { isAsyncIterable } from '../../lib/json-pieces.ts';
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
export type FindAddress = (holder: JsonObject, name: string, value: Json) => string;

/** Of the entries of a list together: those of a longer list have less room each. */
const MOST_LISTED = 512 * KIB;
/** The least room of a member of an entry: an address has about as many bytes. */
const LEAST_SHOWN = 256;

/**
 * A result as JSON, shortened. A top-level list stays a list and its entries are shortened one by one: an agent that
 * searches needs all of them. Other work runs between two entries.
 */
export async function shorten(
  answer: JsonObject,
  around: JsonObject,
  findAddress: FindAddress,
): Promise<{ value: JsonObject; links: Link[] }> {
  const links: Link[] = [];
  const yieldIfLong = createYielder();
  const sizes = new Map<string, number>();
  let total = 1;
  for (const [name, value] of Object.entries(answer)) {
    // A list has brackets, and a comma before each item but the first.
    let bytes = Array.isArray(value) ? Math.max(2, value.length + 1) : 0;
    for (const part of Array.isArray(value) ? value : [value]) {
      bytes += jsonBytes(part);
      // oxlint-disable-next-line no-await-in-loop -- between two items
      await yieldIfLong();
    }
    sizes.set(name, bytes);
    total += jsonBytes(name) + bytes + 2;
  }
  if (total <= MOST_SHOWN) return { value: answer, links };

  function shownMember(holder: JsonObject, name: string, value: Json, bytes: number, most: number): JsonObject {
    if (bytes <= most) return { [name]: value };
    const uri = findAddress(holder, name, value);
    links.push({ uri, name, bytes });
    return { [`${name}_bytes`]: bytes, [`${name}_resource`]: uri };
  }

  const holder = { ...around, ...answer };
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(answer)) {
    const bytes = sizes.get(name) ?? 0;
    if (bytes <= MOST_SHOWN || !isListOfObjects(value)) {
      Object.assign(shown, shownMember(holder, name, value, bytes, MOST_SHOWN));
      continue;
    }
    const most = bytes <= MOST_LISTED ? MOST_SHOWN : Math.max(LEAST_SHOWN, MOST_LISTED / value.length / 2);
    const entries: JsonObject[] = [];
    for (const entry of value) {
      const own = { ...holder, ...entry };
      const members = Object.entries(entry).map(([part, one]) => shownMember(own, part, one, jsonBytes(one), most));
      entries.push(Object.assign({}, ...members) as JsonObject);
      // oxlint-disable-next-line no-await-in-loop -- between two entries
      await yieldIfLong();
    }
    shown[name] = entries;
  }
  return { value: shown, links };
}

/** An answer as plain JSON, with its lists read to their ends. Other work runs between two items. */
export async function plainAnswer(answer: object): Promise<JsonObject> {
  const yieldIfLong = createYielder();
  const plain: JsonObject = {};
  for (const [name, member] of Object.entries<unknown>(answer as Record<string, unknown>)) {
    if (member === undefined) continue;
    if (!Array.isArray(member) && !isAsyncIterable(member)) {
      plain[name] = asJson(member);
      continue;
    }
    const items: Json[] = [];
    for await (const item of member as AsyncIterable<unknown>) {
      items.push(asJson(item));
      await yieldIfLong();
    }
    plain[name] = items;
  }
  return plain;
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? 'null') as Json;
}

/** Replaces each `JsonText` in a result, or in a member of it, by its size and a link: it is too large to be shown. */
export function linkTexts(
  answer: JsonObject,
  around: JsonObject,
  findAddress: FindAddress,
): { value: JsonObject; links: Link[] } {
  const links: Link[] = [];

  function linked(name: string, { bytes }: JsonText, uri: string): JsonObject {
    links.push({ uri, name, bytes });
    return { [`${name}_bytes`]: bytes, [`${name}_resource`]: uri };
  }

  const value: JsonObject = {};
  const holder = { ...around, ...answer };
  for (const [name, member] of Object.entries<unknown>(answer)) {
    if (member instanceof JsonText) Object.assign(value, linked(name, member, findAddress(holder, name, null)));
    else if (isJsonObject(member) && Object.values<unknown>(member).some((one) => one instanceof JsonText)) {
      const at = findAddress(holder, name, null);
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

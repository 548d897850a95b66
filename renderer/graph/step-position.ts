// Where a step stands in a document, by its JSON Pointer. A pointer ends with the list, the index in it and the name of the
// step; the name of a step is unique in its list.
import { isJsonObject, type Json } from '../../shared/json.ts';
import { pointerTo, tokensOf } from '../../shared/json-pointer.ts';

/** A position in a list of steps. */
export interface ListPosition {
  /** JSON Pointer of the list. */
  list: string;
  /** Index in the list, from 0. */
  at: number;
}

/** The position of a step and its name; undefined for `start`, `end` and functions of the document, which are in no list. */
export function positionOfStep(pointer: string): (ListPosition & { name: string }) | undefined {
  if (!pointer.startsWith('/')) return undefined;
  const tokens = tokensOf(pointer);
  const [at, name] = tokens.slice(-2);
  if (at === undefined || name === undefined || !INDEX.test(at)) return undefined;
  return { list: pointerTo(tokens.slice(0, -2)), at: Number(at), name };
}

/** Equal for two pointers of the same step, whatever was inserted, moved or deleted beside it or beside its blocks. */
export function identityOf(pointer: string): string {
  const tokens = tokensOf(pointer);
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    // The token after an index is a name, and may consist of digits.
    if (INDEX.test(tokens[at] ?? '')) at += 1;
    kept.push(tokens[at] ?? '');
  }
  return pointerTo(kept);
}

/**
 * The pointer of a step, or of a list of steps, in a document that may have changed since `pointer` was valid.
 * @param document the parsed document
 * @returns undefined if the document has no such step, or has it twice
 */
export function findStep(document: Json | undefined, pointer: string): string | undefined {
  const tokens = tokensOf(pointer);
  const found: string[] = [];
  let value = document;
  for (let at = 0; at < tokens.length; at += 1) {
    let token = tokens[at] ?? '';
    if (Array.isArray(value)) {
      token = tokens[(at += 1)] ?? '';
      const indexes = [...value.entries()].filter(([, item]) => memberAt(item, token) !== undefined);
      const [place] = indexes;
      if (place === undefined || indexes.length > 1) return undefined;
      found.push(String(place[0]));
      value = place[1];
    }
    value = memberAt(value, token);
    if (value === undefined) return undefined;
    found.push(token);
  }
  return pointerTo(found);
}

/** The value that a JSON Pointer leads to; undefined if there is none. */
export function valueAt(document: Json | undefined, pointer: string): Json | undefined {
  let value = document;
  for (const token of tokensOf(pointer)) {
    value = Array.isArray(value) ? value[Number(token)] : memberAt(value, token);
  }
  return value;
}

const INDEX = /^\d+$/;

function memberAt(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

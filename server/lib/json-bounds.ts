// Our own reading of JSON: bytes are decoded strictly, and depth, duplicate members, numbers and texts are checked
// in one pass over the text before anything is built from it.
//
// 1. The scan takes time and memory in proportion to the text; it does not recurse.
// 2. Only a text that the scan takes whole is given to JSON.parse, which makes `__proto__` plain data.
// 3. What nests too deep is left out of the value, so that nothing after this recurses into it.
import type { Issue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { type JsonBounds, scanJson } from './json-scan.ts';
import { whatIsWrong } from './utf8.ts';

export type JsonReading =
  /** `issues`: what the text says and the service cannot take. */
  | { ok: true; value: Json; issues: Issue[] }
  /** No JSON, or JSON that leaves open what it means; or, before anything is built of it, more than it may hold. */
  | { ok: false; detail: string; isTooMuch: boolean };

export { type JsonBounds, jsonBounds } from './json-scan.ts';

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readJson(bytes: Uint8Array, bounds: JsonBounds): JsonReading {
  let text: string;
  try {
    text = DECODER.decode(bytes);
  } catch {
    const detail = `The body is not UTF-8; encode it as UTF-8. ${whatIsWrong(bytes)}`;
    return { ok: false, detail, isTooMuch: false };
  }
  const scan = scanJson(text, bounds);
  if (!scan.ok) return scan;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { ok: false, detail: 'The body is not JSON.', isTooMuch: false };
  }
  for (const tokens of scan.tooDeep) leaveOut(value, tokens);
  return { ok: true, value, issues: scan.issues };
}

/**
 * Scalars, lists, objects and names of members in a value; counting stops soon after `most`. Does not recurse.
 */
export function countValues(value: Json, most: number = Number.POSITIVE_INFINITY): number {
  let count = 1;
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined && count <= most; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const children = Array.isArray(next) ? next : Object.values(next);
    count += Array.isArray(next) ? children.length : 2 * children.length;
    if (count <= most) for (const child of children) if (typeof child === 'object') open.push(child);
  }
  return count;
}

/** Takes a member out of the value; an item becomes null, so that the others keep their indexes. */
function leaveOut(value: Json, tokens: readonly string[]): void {
  let holder: Json | undefined = value;
  for (const token of tokens.slice(0, -1)) holder = (holder as JsonObject | undefined)?.[token];
  const last = tokens.at(-1) ?? '';
  if (Array.isArray(holder)) holder[Number(last)] = null;
  else delete (holder as JsonObject)[last];
}

/** Whether a value has at most so many members, items and scalars, and nests at most so deep. It does not recurse. */
export function isWithin(value: unknown, mostNodes: number, mostDepth: number): boolean {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    if (next.depth > mostDepth) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const holder: object = next.value;
    // Before they are put down: they may be millions. Names are read much faster than values.
    const length = Array.isArray(holder) ? holder.length : Object.keys(holder).length;
    if (count + waiting.length + length > mostNodes) return false;
    const children: unknown[] = Array.isArray(holder) ? holder : Object.values(holder);
    for (const child of children) waiting.push({ value: child, depth: next.depth + 1 });
  }
  return true;
}

// What lies in a value: members, items, slices, names.
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { failure } from './failure.ts';
import { notMine } from './not-mine.ts';
import { sortedNames } from './order.ts';
import { type Scope, spend } from './scope.ts';

/** `.name` */
export function member(value: Json, name: string): Json {
  if (value === null) return null;
  if (!isJsonObject(value)) throw failure();
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** `.[key]` */
export function index(value: Json, key: Json, scope: Scope): Json {
  if (typeof key === 'string') {
    spend(scope, key.length >> 6);
    return member(value, key);
  }
  if (typeof key === 'number') {
    if (value === null) return null;
    if (!Array.isArray(value)) throw failure();
    return value[placeOf(value, key)] ?? null;
  }
  // Lists look for lists, and an object is a slice: not here.
  if (key !== null && typeof key === 'object') throw notMine();
  throw failure();
}

/** From the end where it is negative; out of the list where there is none. */
function placeOf(list: readonly Json[], key: number): number {
  const at = integer(key);
  return at < 0 ? at + list.length : at;
}

function integer(key: number): number {
  if (Math.abs(key) > 0x7fffffff) throw notMine();
  return Math.trunc(key);
}

/** `.[from:to]`, where null is an open end */
export function slice(value: Json, from: Json, to: Json, scope: Scope): Json {
  if (value === null) return null;
  if (!Array.isArray(value) && typeof value !== 'string') throw failure();
  if (!isBound(from) || !isBound(to)) throw failure();
  if (typeof value === 'string') return sliceText(value, from, to, scope);
  const [start, end] = range(from, to, value.length);
  spend(scope, end - start);
  return value.slice(start, end);
}

function sliceText(text: string, from: number | null, to: number | null, scope: Scope): string {
  const [start, end] = range(from, to, countCharacters(text, scope));
  const begin = unitOf(text, 0, start);
  return text.slice(begin, unitOf(text, begin, end - start));
}

function isBound(value: Json): value is number | null {
  return value === null || typeof value === 'number';
}

/** A broken start counts down, a broken end up. */
function range(from: number | null, to: number | null, length: number): [start: number, end: number] {
  const begin = Math.min(Math.max(fromEnd(from ?? 0, length), 0), length);
  const start = Math.trunc(begin);
  const stop = fromEnd(to ?? length, length);
  const end = Math.min(stop < 0 ? start : Math.ceil(stop), length);
  return [start, Math.max(start, end)];
}

function fromEnd(bound: number, length: number): number {
  return bound < 0 ? bound + length : bound;
}

/** `.[]` */
export function items(value: Json, scope: Scope): readonly Json[] {
  if (value === null || typeof value !== 'object') throw failure();
  const found = Array.isArray(value) ? value : Object.values(value);
  spend(scope, found.length);
  return found;
}

/** `has(key)` */
export function has(value: Json, key: Json, scope: Scope): boolean {
  if (value === null) return false;
  if (typeof key === 'string') spend(scope, key.length >> 6);
  if (isJsonObject(value) && typeof key === 'string') return Object.hasOwn(value, key);
  if (!Array.isArray(value) || typeof key !== 'number') throw failure();
  const at = integer(key);
  return at >= 0 && at < value.length;
}

/** `keys` */
export function keys(value: Json, scope: Scope): Json[] {
  if (value === null || typeof value !== 'object') throw failure();
  if (!Array.isArray(value)) return sortedNames(value, scope);
  spend(scope, value.length);
  return value.map((_, at) => at);
}

/** `length` */
export function length(value: Json, scope: Scope): number {
  if (value === null) return 0;
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return countCharacters(value, scope);
  if (typeof value === 'boolean') throw failure();
  if (Array.isArray(value)) return value.length;
  const count = Object.keys(value).length;
  spend(scope, count);
  return count;
}

/** How many code points a text has: a pair of halves is one. */
function countCharacters(text: string, scope: Scope): number {
  spend(scope, text.length >> 5);
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if (isFirstHalf(text, at)) pairs += 1;
  return text.length - pairs;
}

/** The code unit at which so many code points after a place begin. */
function unitOf(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; left -= 1) at += isFirstHalf(text, at) ? 2 : 1;
  return at;
}

function isFirstHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

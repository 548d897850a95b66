// jq's total order of values: null, false, true, numbers, strings by code point, arrays, objects by their sorted names,
// then by their values.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { type EvaluationContext, spend } from './scope.ts';

export function isTruthy(value: Json): boolean {
  return value !== null && value !== false;
}

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function typeName(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    default:
      return 'object';
  }
}

function rank(value: Json): number {
  if (value === null) return 0;
  if (typeof value === 'boolean') return value ? 2 : 1;
  if (typeof value === 'number') return 3;
  if (typeof value === 'string') return 4;
  return Array.isArray(value) ? 5 : 6;
}

/** Negative if `a` sorts before `b`, 0 if they are equal, positive otherwise. */
export function compare(a: Json, b: Json, scope: EvaluationContext): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  spend(scope, 1);
  if (typeof a === 'string' && typeof b === 'string') {
    spend(scope, Math.min(a.length, b.length) >> 5);
    return compareTexts(a, b);
  }
  if (a === b) return 0;
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b, scope);
  if (isJsonObject(a) && isJsonObject(b)) return compareObjects(a, b, scope);
  return rank(a) - rank(b);
}

/** By code points; by code units, surrogates would sort before U+E000 to U+FFFF. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return weight(left) - weight(right);
  }
  return a.length - b.length;
}

function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareLists(a: readonly Json[], b: readonly Json[], scope: EvaluationContext): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const order = compare(a[at] ?? null, b[at] ?? null, scope);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: JsonObject, b: JsonObject, scope: EvaluationContext): number {
  const names = sortedNames(a, scope);
  const order = compareLists(names, sortedNames(b, scope), scope);
  if (order !== 0) return order;
  for (const name of names) {
    const values = compare(a[name] ?? null, b[name] ?? null, scope);
    if (values !== 0) return values;
  }
  return 0;
}

function sortedNames(object: JsonObject, scope: EvaluationContext): string[] {
  const names = Object.keys(object);
  // The cost of sorting.
  spend(scope, 8 * names.length);
  return names.toSorted(compareTexts);
}

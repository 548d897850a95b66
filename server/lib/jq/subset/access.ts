// Access to members and items.
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { type EvaluationContext, spend, unsupported } from './scope.ts';

/** `.name` */
export function member(value: Json, name: string): Json {
  if (value === null) return null;
  if (!isJsonObject(value)) throw unsupported();
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** `.[index]`: a negative index counts from the end; null if there is no item. */
export function item(value: Json, index: number): Json {
  if (value === null) return null;
  if (!Array.isArray(value)) throw unsupported();
  return value.at(index) ?? null;
}

/** `.[]` */
export function items(value: Json, scope: EvaluationContext): readonly Json[] {
  if (value === null || typeof value !== 'object') throw unsupported();
  const found = Array.isArray(value) ? value : Object.values(value);
  spend(scope, found.length);
  return found;
}

/** `length` */
export function length(value: Json, scope: EvaluationContext): number {
  if (value === null) return 0;
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'string') return countCharacters(value, scope);
  if (typeof value === 'boolean') throw unsupported();
  if (Array.isArray(value)) return value.length;
  const count = Object.keys(value).length;
  spend(scope, count);
  return count;
}

/** The number of code points of a string. */
function countCharacters(text: string, scope: EvaluationContext): number {
  spend(scope, text.length >> 5);
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) if (isFirstHalf(text, at)) pairs += 1;
  return text.length - pairs;
}

function isFirstHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}

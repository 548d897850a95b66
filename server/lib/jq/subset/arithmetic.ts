import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { compare } from './order.ts';
import { MOST_TEXT, type EvaluationContext, spend, unsupported } from './scope.ts';
import type { Operator } from './syntax.ts';

export type Operation = (left: Json, right: Json, scope: EvaluationContext) => Json;

export const OPERATIONS: Readonly<Record<Operator, Operation>> = {
  '+': add,
  '-': ofNumbers((left, right) => left - right),
  '*': ofNumbers((left, right) => left * right),
  '/': ofNumbers((left, right) => left / right),
  '%': ofNumbers(remainder),
  '==': (left, right, scope) => compare(left, right, scope) === 0,
  '!=': (left, right, scope) => compare(left, right, scope) !== 0,
  '<': (left, right, scope) => compare(left, right, scope) < 0,
  '<=': (left, right, scope) => compare(left, right, scope) <= 0,
  '>': (left, right, scope) => compare(left, right, scope) > 0,
  '>=': (left, right, scope) => compare(left, right, scope) >= 0,
};

export function add(left: Json, right: Json, scope: EvaluationContext): Json {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right);
  if (typeof left === 'string' && typeof right === 'string') return join(left, right);
  if (left === null) return right;
  if (right === null) return left;
  if (Array.isArray(left) && Array.isArray(right)) {
    spend(scope, left.length + right.length);
    return [...left, ...right];
  }
  if (isJsonObject(left) && isJsonObject(right)) return merge(left, right, scope);
  throw unsupported();
}

/** Concatenates strings, up to a limit below jq's. */
export function join(left: string, right: string): string {
  if (left.length + right.length > MOST_TEXT) throw unsupported();
  return left + right;
}

function merge(left: JsonObject, right: JsonObject, scope: EvaluationContext): JsonObject {
  const merged: JsonObject = {};
  for (const part of [left, right]) {
    const names = Object.keys(part);
    for (const name of names) put(merged, name, part[name] ?? null, scope);
  }
  return merged;
}

/** Adds a member to an object that is being built. */
export function put(object: JsonObject, name: string, value: Json, scope: EvaluationContext): void {
  // Hashing the name.
  spend(scope, 1 + (name.length >> 6));
  // JavaScript would move a name that looks like a number to the front.
  const first = name.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) throw unsupported();
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** An operation on two numbers. For other types, operators except `+` are left to jq. */
function ofNumbers(calculate: (left: number, right: number) => number): Operation {
  return (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') throw unsupported();
    return finite(calculate(left, right));
  };
}

function remainder(left: number, right: number): number {
  if (Math.abs(left) > Number.MAX_SAFE_INTEGER || Math.abs(right) > Number.MAX_SAFE_INTEGER) throw unsupported();
  const divisor = Math.trunc(right);
  if (divisor === 0) throw unsupported();
  // `+ 0` removes the sign of a zero.
  return (Math.trunc(left) % divisor) + 0;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw unsupported();
  return value;
}

// A parsed OpenAPI document, and how `$ref` is resolved in it.
//
// 1. References are resolved on demand, only within the document, and never in cycles.
// 2. Nothing here recurses into the document, so its depth does not matter.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { tokensOf } from '../json-pointer.ts';
import { percentDecoded } from '../percent-decode.ts';

export interface OpenApiDocument {
  version: '2.0' | '3.0' | '3.1';
  root: JsonObject;
  /** The address of the document, to which the addresses of its servers may be relative. */
  url: URL | undefined;
}

/** The maximum length of a chain of references. */
const MOST_HOPS = 32;

/** The value or what it refers to; undefined if that is outside the document, missing or a cycle. */
function resolve(root: JsonObject, value: Json | undefined): Json | undefined {
  let current = value;
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    const reference = isJsonObject(current) ? member(current, '$ref') : undefined;
    if (typeof reference !== 'string') return current;
    current = at(root, reference);
  }
  return undefined;
}

export function resolveObject(root: JsonObject, value: Json | undefined): JsonObject | undefined {
  const resolved = resolve(root, value);
  return isJsonObject(resolved) ? resolved : undefined;
}

/** An own member of an object, never one of its prototype: names come from the document. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function textOf(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = member(object, name);
  return isJsonObject(value) ? value : {};
}

export function listOf(object: JsonObject, name: string): Json[] {
  const value = member(object, name);
  return Array.isArray(value) ? value : [];
}

function at(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let current: Json | undefined = root;
  for (const token of tokensOf(percentDecoded(reference.slice(1)))) {
    if (Array.isArray(current)) current = /^\d+$/.test(token) ? current[Number(token)] : undefined;
    else current = isJsonObject(current) ? member(current, token) : undefined;
  }
  return current;
}

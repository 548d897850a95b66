// Reads members of evaluated arguments.
import type { Json, JsonObject } from '../../../../shared/json.ts';

export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A non-empty string. */
export function textOf(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsOf(object: JsonObject, name: string): string[] {
  const value = member(object, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** A scalar as a string; undefined for other values. */
export function scalarText(value: Json): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Any value that JSON can carry. Numbers are IEEE 754 doubles; texts are Unicode without lone surrogates. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object as it was received. Its members may have any name, `__proto__` included, and are plain data. */
export interface JsonObject {
  [name: string]: Json;
}

/** True for a JSON object, false for an array, null and every other value. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a value that may be an object. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The value if it is a text. */
export function ifText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The texts and numbers in a value, at any depth, as text. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const remaining = [value];
  while (remaining.length > 0) {
    const next = remaining.pop();
    if (typeof next === 'string' || typeof next === 'number') texts.push(String(next));
    else if (typeof next === 'object' && next !== null) {
      for (const member of Object.values(next)) remaining.push(member);
    }
  }
  return texts;
}

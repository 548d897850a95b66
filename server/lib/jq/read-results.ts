import { isJsonObject, type Json } from '../../../shared/json.ts';

/** jq may print a number as it was written, outside the range of a double: `1E+400`. */
const HUGE = /E\+\d{3}/;

/** Parses the results that jq printed. */
export function readResults(text: string): Json[] {
  const results = JSON.parse(text) as Json[];
  if (HUGE.test(text)) for (const [at, result] of results.entries()) results[at] = finite(result);
  return results;
}

/** Replaces infinite numbers by the largest double, as jq does when it calculates. */
function finite(value: Json): Json {
  if (typeof value === 'number') return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
  if (Array.isArray(value)) for (const [at, item] of value.entries()) value[at] = finite(item);
  // `defineProperty`, so that `__proto__` stays data.
  else if (isJsonObject(value))
    for (const name of Object.keys(value)) replace(value, name, finite(value[name] ?? null));
  return value;
}

function replace(holder: object, name: string, value: Json): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

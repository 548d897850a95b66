// Where two JSON values differ, for people who compare an output with the expected one.
import { isJsonObject, type Json } from './json.ts';
import { escapeToken } from './json-pointer.ts';

/** A location where two values differ. A side is absent where it has no value there. */
export interface JsonDifference {
  /** A JSON Pointer (RFC 6901) into both values; empty for the whole value. */
  pointer: string;
  expected?: Json;
  returned?: Json;
}

/**
 * The locations where the values differ, in the order of the expected value, then of what only the returned one has. Equal
 * values have none; the order of members does not count.
 * @param most how many to find; the search ends there
 */
export function differencesOf(expected: Json, returned: Json, most = Number.POSITIVE_INFINITY): JsonDifference[] {
  const found: JsonDifference[] = [];

  function compare(pointer: string, one: Json, other: Json): void {
    if (found.length >= most) return;
    if (Array.isArray(one) && Array.isArray(other)) {
      for (let index = 0; index < Math.max(one.length, other.length) && found.length < most; index += 1) {
        compareMember(`${pointer}/${index}`, one[index], other[index]);
      }
    } else if (isJsonObject(one) && isJsonObject(other)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
        if (found.length >= most) return;
        compareMember(`${pointer}/${escapeToken(name)}`, own(one, name), own(other, name));
      }
    } else if (one !== other) found.push({ pointer, expected: one, returned: other });
  }

  function compareMember(pointer: string, one: Json | undefined, other: Json | undefined): void {
    if (one !== undefined && other !== undefined) compare(pointer, one, other);
    else if (one !== undefined) found.push({ pointer, expected: one });
    else if (other !== undefined) found.push({ pointer, returned: other });
  }

  compare('', expected, returned);
  return found;
}

function own(value: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A difference as one line. @param cut shortens the text of a value */
export function differenceWords({ pointer, ...sides }: JsonDifference, cut: (text: string) => string): string {
  const location = pointer === '' ? 'The output' : pointer;
  const [expected, returned] = [sides.expected, sides.returned].map((value) =>
    value === undefined ? undefined : cut(JSON.stringify(value)),
  );
  if (expected === undefined) return `${location} was not expected: ${returned}`;
  return returned === undefined
    ? `${location} is missing; expected ${expected}`
    : `${location} is ${returned}; expected ${expected}`;
}

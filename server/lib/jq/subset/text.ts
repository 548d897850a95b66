// Values as strings, as jq prints them.
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { MOST_TEXT, type EvaluationContext, spend, unsupported } from './scope.ts';

/** The value as `tostring` returns it. */
export function toText(value: Json, scope: EvaluationContext): string {
  if (typeof value === 'string') return value;
  const text = write(value, scope);
  if (text.length > MOST_TEXT) throw unsupported();
  return text;
}

function write(value: Json, scope: EvaluationContext): string {
  // Serializing is expensive.
  spend(scope, 4);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'string') return quote(value, scope);
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, scope)).join()}]`;
  const members = Object.keys(value).map((name) => `${quote(name, scope)}:${write(value[name] ?? null, scope)}`);
  return `{${members.join()}}`;
}

/** jq escapes U+007F; JSON.stringify does not. */
function quote(text: string, scope: EvaluationContext): string {
  spend(scope, 4 + (text.length >> 5));
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** A number that jq may print with an exponent, or a negative zero, is left to jq. */
function writeNumber(value: number): string {
  const size = Math.abs(value);
  const isPlain = Number.isInteger(value)
    ? size <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0)
    : size >= 0.001 && size < 1e15;
  if (!isPlain) throw unsupported();
  return String(value);
}

/** Whether the JSON of a value is certainly smaller than a size in UTF-8 bytes; every character counts as escaped. */
export function isSurelyBelow(value: Json, bytes: number): boolean {
  let remaining = bytes;
  const count = (part: Json): void => {
    if (remaining < 0) return;
    remaining -= typeof part === 'string' ? textBytes(part) : 25;
    if (Array.isArray(part)) for (const item of part) count(item);
    else if (isJsonObject(part)) {
      for (const name of Object.keys(part)) {
        remaining -= textBytes(name);
        count(part[name] ?? null);
      }
    }
  };
  count(value);
  return remaining >= 0;
}

function textBytes(text: string): number {
  return 6 * text.length + 4;
}

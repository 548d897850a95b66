// JSON that a person passes to a command, parsed as strictly as the body of a request.
import { isExact } from '../../../shared/exact-numbers.ts';
import type { Json } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { jsonBounds, readJson } from '../../lib/json-bounds.ts';

/** `fault` completes a sentence that begins with the name of the text. */
export type JsonOfText = { ok: true; value: Json } | { ok: false; fault: string };

const BOUNDS = jsonBounds({ '': LIMITS.inputDepth }, LIMITS.inputDepth);

/** Refuses duplicate members, integers that would be rounded, and numbers and texts that JSON cannot carry. */
export function readJsonText(text: string): JsonOfText {
  if (text.trim() === '') return { ok: false, fault: 'is not JSON: it is empty.' };
  const read = readJson(Buffer.from(text), BOUNDS);
  if (!read.ok) return { ok: false, fault: read.detail.replace(/^The body /, '') };
  const [issue] = read.issues;
  if (issue === undefined) {
    const rounded = roundedInteger(text);
    if (rounded === undefined) return { ok: true, value: read.value };
    return { ok: false, fault: `is not usable: ${rounded} would be read as ${Number(rounded)}; put it in quotes.` };
  }
  return { ok: false, fault: `is not usable${issue.pointer === '' ? '' : `, at ${issue.pointer}`}: ${issue.detail}` };
}

/** The first integer, such as an id, that has more digits than a number keeps; undefined if there is none. */
export function roundedInteger(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  let found: string | undefined;
  JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? '';
    if (typeof value === 'number' && /^-?\d+$/.test(source) && !isExact(source)) found ??= source;
    return value;
  });
  return found;
}

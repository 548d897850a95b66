// JSON that a person gives a command, read as the service reads a body: nothing in it changes without a word.
import type { Json } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { jsonBounds, readJson } from '../../lib/json-bounds.ts';

/** `fault` completes a sentence that begins with the name of the text. */
export type JsonOfText = { ok: true; value: Json } | { ok: false; fault: string };

const BOUNDS = jsonBounds({ '': LIMITS.inputDepth }, LIMITS.inputDepth);

/** A member that is given twice, and a number or a text that JSON cannot carry, is a fault. */
export function readJsonText(text: string): JsonOfText {
  if (text.trim() === '') return { ok: false, fault: 'is not JSON: it is empty.' };
  const read = readJson(Buffer.from(text), BOUNDS);
  if (!read.ok) return { ok: false, fault: read.detail.replace(/^The body /, '') };
  const [issue] = read.issues;
  if (issue === undefined) return { ok: true, value: read.value };
  return { ok: false, fault: `is not usable${issue.pointer === '' ? '' : `, at ${issue.pointer}`}: ${issue.detail}` };
}

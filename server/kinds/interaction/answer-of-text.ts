// The answer that a person's words are.
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { jsonBounds, readJson } from '../../lib/json-bounds.ts';

export type ParsedAnswer = { ok: true; answer: Json } | { ok: false; issues: readonly Issue[] };

type Check = (answer: Json) => Promise<readonly Issue[]>;

const YES = new Set(['yes', 'y', 'true']);
const NO = new Set(['no', 'n', 'false']);
/** The answer itself is one of the levels. */
const BOUNDS = jsonBounds({}, LIMITS.inputDepth - 1);
const TOO_LARGE: Issue = { pointer: '', detail: `An answer has at most ${LIMITS.answerBytes} bytes as JSON.` };

/**
 * A text is the answer when it is JSON that fits, or when the schema has one required field, or is no object's, and the
 * text fits that: a text, a number, one of a list of values, or yes and no.
 * @param check what of an answer does not fit the schema
 */
export async function answerOfText(schema: JsonObject, text: string, check: Check): Promise<ParsedAnswer> {
  const words = text.trim();
  if (Buffer.byteLength(words) > LIMITS.answerBytes) return { ok: false, issues: [TOO_LARGE] };
  // Words of a person are mostly no JSON.
  const json = readJson(Buffer.from(words), BOUNDS);
  let issues: readonly Issue[] = json.ok ? json.issues : [];
  const meant = json.ok && issues.length === 0 ? [json.value] : [];
  for (const answer of [...meant, ...wordsAnswers(schema, words)]) {
    const found = jsonBytes(answer) > LIMITS.answerBytes ? [TOO_LARGE] : await check(answer);
    if (found.length === 0) return { ok: true, answer };
    // What the words were taken for says more than that they are no JSON that fits.
    issues = found;
  }
  return { ok: false, issues: issues.length > 0 ? issues : [{ pointer: '', detail: askedFor(schema) }] };
}

function* wordsAnswers(schema: JsonObject, words: string): Generator<Json> {
  const field = onlyRequiredField(schema);
  if (field !== undefined) {
    for (const value of valuesOf(field.schema, words)) yield { [field.name]: value };
  } else if (!isForObjects(schema)) yield* valuesOf(schema, words);
}

function onlyRequiredField({ required, properties }: JsonObject): { name: string; schema: Json } | undefined {
  const [name, ...more] = Array.isArray(required) ? required : [];
  if (typeof name !== 'string' || more.length > 0) return undefined;
  const schema = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return { name, schema: schema ?? {} };
}

function isForObjects({ type, properties, required }: JsonObject): boolean {
  return type === 'object' || properties !== undefined || required !== undefined;
}

function* valuesOf(schema: Json, words: string): Generator<Json> {
  if (!isJsonObject(schema) || words === '') return;
  const types = [schema['type']].flat();
  if (Array.isArray(schema['enum'])) {
    const same = (value: Json): boolean => String(value).toLowerCase() === words.toLowerCase();
    const meant = schema['enum'].filter((value) => typeof value !== 'object' && same(value));
    if (meant.length === 1 && meant[0] !== undefined) yield meant[0];
  }
  if (types.includes('boolean')) {
    if (YES.has(words.toLowerCase())) yield true;
    if (NO.has(words.toLowerCase())) yield false;
  }
  if ((types.includes('number') || types.includes('integer')) && Number.isFinite(Number(words))) yield Number(words);
  if (types.includes('string')) yield words;
}

/** What an answer has to be, in words. */
function askedFor(schema: JsonObject): string {
  const field = onlyRequiredField(schema);
  const asked = field === undefined ? schema : isJsonObject(field.schema) ? field.schema : {};
  const values = Array.isArray(asked['enum']) ? asked['enum'].map((value) => JSON.stringify(value)).join(', ') : '';
  if (values !== '') return `The answer must be one of ${values}.`;
  const types = [asked['type']].flat();
  if (types.includes('boolean')) return 'The answer must be yes or no.';
  if (types.includes('number') || types.includes('integer')) return 'The answer must be a number.';
  const names = isJsonObject(schema['properties']) ? Object.keys(schema['properties']).join(', ') : '';
  return names === '' ? 'The answer must be JSON.' : `The answer must be JSON with the fields ${names}.`;
}

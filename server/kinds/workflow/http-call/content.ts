// Parses the body of a response by its media type.
import type { Json } from '../../../../shared/json.ts';
import { jsonBounds, readJson } from '../../../lib/json-bounds.ts';
import { bareType, isJsonType } from '../../../lib/openapi-client/index.ts';

/** `isBinary`: the value is base64. */
export type ContentRead = { ok: true; value: Json; isBinary?: true } | { ok: false; detail: string };

/** The maximum depth of JSON in a response: it becomes part of an output, whose depth is limited. */
const MOST_DEPTH = 500;
const CONTENT_BOUNDS = jsonBounds({}, MOST_DEPTH);

const TEXTS =
  /^(text\/.*|.*\+(xml|yaml|text)|application\/(xml|yaml|x-yaml|toml|javascript|ecmascript|graphql|sql|x-www-form-urlencoded|ndjson|x-ndjson|jsonl|json-seq))$/;

/** JSON as its value, text as a string, everything else as base64; an empty body is null. */
export function readContent(bytes: Uint8Array, contentType: string | undefined): ContentRead {
  if (bytes.length === 0) return { ok: true, value: null };
  const type = bareType(contentType ?? '');
  if (isJsonType(type)) return readJsonContent(decoded(bytes, contentType));
  if (TEXTS.test(type)) return { ok: true, value: decoded(bytes, contentType) };
  const text = type === '' ? asUtf8(bytes) : undefined;
  return text === undefined ? { ok: true, value: base64(bytes), isBinary: true } : { ok: true, value: text };
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function readJsonContent(text: string): ContentRead {
  if (text.trim() === '') return { ok: true, value: null };
  const reading = readJson(new TextEncoder().encode(text), CONTENT_BOUNDS);
  if (!reading.ok) return { ok: false, detail: 'It is declared as JSON but is not valid JSON.' };
  if (reading.issues.length === 0) return { ok: true, value: reading.value };
  return {
    ok: false,
    detail: `Its JSON nests more than ${MOST_DEPTH} levels, or contains a number or a string that cannot be stored.`,
  };
}

/** Decodes the declared character set, or UTF-8; removes a byte order mark. */
function decoded(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

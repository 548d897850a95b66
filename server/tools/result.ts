// What a caller sees of a result.
import type { Json } from '../../shared/json.ts';
import { KIB } from '../../shared/product.ts';
import { jsonBytes } from '../kernel/canonical-json.ts';
import { cutBytes } from '../kernel/cut-bytes.ts';
import type { Scrubber } from '../kernel/scrub/index.ts';
import { readShallowJson } from './depth.ts';
import type { Answered } from './server.ts';

export interface SeenResult {
  /** What a model would see, at most 64 KiB and a note. */
  text: string;
  /** What reads point into; absent where there is none, or it has more than 64 KiB as JSON. */
  answer?: Json;
  /** As `answer`, however large. */
  document?: Json;
  /** What a function gives on, whole: structured content, else the first text where it is JSON, else `{ text }`. */
  output: Json;
  /** The whole result, scrubbed. */
  whole: Json;
  /** UTF-8 bytes of the whole scrubbed result as JSON. */
  bytes: number;
}

const MOST_BYTES = 64 * KIB;

export function seenResult({ parts, structured, whole }: Answered, scrubber: Scrubber): SeenResult {
  const scrubbed = scrubber.json(whole);
  const first = parts.find(({ isText }) => isText)?.text;
  const read = structured ?? (first === undefined ? undefined : readShallowJson(first));
  const text = scrubber.text(textOf(parts, structured));
  const json = read === undefined ? undefined : scrubber.json(read);
  const document = json ?? (first === undefined ? undefined : scrubber.text(first));
  const isSmall = document !== undefined && jsonBytes(document) <= MOST_BYTES;
  return {
    text: cutText(text),
    ...(isSmall ? { answer: document } : {}),
    ...(document === undefined ? {} : { document }),
    output: json ?? { text },
    whole: scrubbed,
    bytes: jsonBytes(scrubbed),
  };
}

/** Structured content stands in only where there is no text: servers that give both mostly repeat it. */
function textOf(parts: Answered['parts'], structured: Json | undefined): string {
  const hasText = parts.some(({ isText }) => isText);
  const shown = parts.map(({ text }) => text);
  return (hasText || structured === undefined ? shown : [JSON.stringify(structured), ...shown]).join('\n');
}

/** At most 64 KiB of UTF-8, no character in halves, and then a note. */
export function cutText(text: string): string {
  const [shown, whole] = [cutBytes(text, MOST_BYTES), text.toWellFormed()];
  if (shown === whole) return shown;
  return `${shown}\n[Cut: the whole text has ${Buffer.byteLength(whole)} bytes, and the first ${Buffer.byteLength(shown)} are shown.]`;
}

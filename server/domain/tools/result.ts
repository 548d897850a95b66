// What a caller sees of a result: first as texts, which a worker can make, then as values, where they are asked for.
import type { Json } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { KIB } from '../../../shared/product.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { cutBytes } from '../../lib/cut-text.ts';
import { countValues } from '../../lib/json-bounds.ts';
import type { Scrubber } from '../../lib/scrub/index.ts';
import { readShallowJson } from './depth.ts';
import type { ToolResult } from './server.ts';

/** A value as JSON. */
export interface JsonText {
  text: string;
  /** Of UTF-8. */
  bytes: number;
  /** How many values and names of members it holds. */
  values: number;
}

/** A result, scrubbed. */
export interface SeenTexts {
  /** What a model would see, at most 64 KiB and a note. */
  text: string;
  /** All of it. */
  whole: JsonText & { sha256: string };
  /** What reads point into, as JSON: structured content, else the first text, as what it is where it is JSON. */
  document?: string;
  /** What a function gives on, as JSON: the structured content, the JSON of the first text if no resource follows, else `{ text }`. */
  output: JsonText;
}

export interface SeenResult {
  text: string;
  whole: SeenTexts['whole'];
  /** The document; absent where there is none, or it has more than 64 KiB as JSON. */
  answer?: Json;
  /** As `answer`, however large. What has more than 1 MiB as JSON is given as its text: nothing takes so much. */
  document?: () => Json;
  output: () => Json;
  outputJson: JsonText;
}

const MOST_BYTES = 64 * KIB;

export function seenTexts({ parts, structured, whole }: ToolResult, scrubber: Scrubber): SeenTexts {
  const first = parts.find(({ isText }) => isText)?.text;
  const read = structured ?? (first === undefined ? undefined : readShallowJson(first));
  const text = scrubber.text(textOf(parts, structured));
  const given = read === undefined ? undefined : jsonText(scrubber.json(read));
  const isPart = structured === undefined && hasResourceBehindText(parts);
  const output = given === undefined || isPart ? jsonText({ text }) : given;
  const words = first === undefined ? undefined : JSON.stringify(scrubber.text(first));
  const document = given === undefined ? words : given.text;
  const all = jsonText(scrubber.json(whole));
  return {
    text: cutText(text),
    whole: { ...all, sha256: sha256(all.text) },
    ...(document === undefined ? {} : { document }),
    output,
  };
}

/** Files come as resources behind a first text, which then is not the whole output. */
function hasResourceBehindText(parts: ToolResult['parts']): boolean {
  const texts = parts.filter(({ isText }) => isText);
  return texts.slice(1).some(({ isEmbedded }) => isEmbedded === true);
}

function jsonText(value: Json): JsonText {
  const text = JSON.stringify(value);
  return { text, bytes: Buffer.byteLength(text), values: countValues(value) };
}

export function seenResult({ text, whole, document, output }: SeenTexts): SeenResult {
  const isSmall = document !== undefined && Buffer.byteLength(document) <= MOST_BYTES;
  return {
    text,
    whole,
    ...(isSmall ? { answer: JSON.parse(document) as Json } : {}),
    ...(document === undefined ? {} : { document: () => valueOf(document) }),
    output: () => valueOf(output.text),
    outputJson: output,
  };
}

function valueOf(json: string): Json {
  return json.length > LIMITS.outputAndRecordBytes ? json : (JSON.parse(json) as Json);
}

/** Structured content stands in only where there is no text: servers that give both mostly repeat it. */
function textOf(parts: ToolResult['parts'], structured: Json | undefined): string {
  const hasText = parts.some(({ isText }) => isText);
  const shown = parts.map(({ text }) => text);
  return (hasText || structured === undefined ? shown : [JSON.stringify(structured), ...shown]).join('\n');
}

/** At most 64 KiB of UTF-8, no character in halves, and then a note. */
export function cutText(text: string): string {
  const [shown, whole] = [cutBytes(text, MOST_BYTES), text.toWellFormed()];
  if (shown === whole) return shown;
  return `${shown}\n[Truncated: the first ${Buffer.byteLength(shown)} of ${Buffer.byteLength(whole)} bytes are shown.]`;
}

/** Characters of what a server says about a failure: those that are looked at, and those that are shown. */
const MOST_READ = 16_384;
const MOST_SAID = 1000;

/** The beginning of what a server says about a failure, scrubbed and on one line. */
export function saidWords(serverMessage: string, scrubber: Scrubber): string {
  return scrubber
    .text(serverMessage)
    .slice(0, MOST_READ)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_SAID)
    .toWellFormed();
}

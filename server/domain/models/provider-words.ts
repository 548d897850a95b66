// A provider's own message about a failure, and how much of it may be shown.
//
// 1. Secrets of the settings become `[redacted]`, texts of the prompt `[prompt]`, in words to the operator and to the
//    caller alike.
// 2. A caller gets the first line of a hosted provider's message; of other addresses only a code, unless
//    the operator says so.
import { isJsonObject, type Json, memberOf } from '../../../shared/json.ts';
import { harmless } from '../../lib/harmless.ts';
import type { HttpResponse } from '../../lib/http-client/index.ts';
import { createScrubber } from '../../lib/scrub/index.ts';
import type { ModelProvider } from '../../settings/index.ts';

/** Replaces a secret. */
export const REDACTED = '[redacted]';

/** The contents of an error's body. */
export interface ErrorBody {
  code: string | undefined;
  /** The error's type, if there is a code as well. */
  type: string | undefined;
  message: string | undefined;
  /** The whole body where it names no message; for the operator alone. */
  raw?: string;
}

export function readErrorBody(bytes: Uint8Array): ErrorBody {
  const text = Buffer.from(bytes).toString('utf8');
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch {
    return { code: undefined, type: undefined, message: undefined, raw: text.trim() };
  }
  const read = readErrorValue(body);
  return read.message === undefined ? { ...read, raw: text.trim() } : read;
}

export function readErrorValue(body: Json): ErrorBody {
  // Google answers a list of one.
  const [held = body] = Array.isArray(body) ? body : [body];
  const outer = isJsonObject(held) ? held : {};
  const inner = isJsonObject(outer['error']) ? outer['error'] : outer;
  const [listed] = [outer['errors']].flat();
  const words = [inner['message'], ...MESSAGES.map((name) => outer[name])];
  const message = [...words, memberOf(listed, 'message'), memberOf(outer['base_resp'], 'status_msg')]
    .map(textOf)
    .find((text) => text !== undefined);
  const type = textOf(inner['type']) ?? textOf(inner['status']) ?? textOf(outer['__type']);
  return { code: textOf(inner['code']) ?? type, type, message };
}

/** The members of errors that providers word. */
const MESSAGES = ['message', 'detail', 'error', 'error_msg', 'error_message', 'errmsg', 'msg'];

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** For the operator alone. */
export const PAGE =
  'The response is an HTML page. Its address may be wrong (many base URLs end with /v1), or a proxy or a sign-in page responds in place of the provider.';

export function isPage(text: string): boolean {
  return /^\uFEFF?\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text);
}

const REFUSALS = [400, 405, 415, 422, 501];

/** Whether a model, or its gateway, does not take requests for streams: some accounts may not stream some models. */
export function refusesStreams({ status, body }: HttpResponse): boolean {
  if (!REFUSALS.includes(status)) return false;
  const { code, message, raw } = readErrorBody(body);
  return /\bstream/i.test([code, message, raw].join(' '));
}

const MOST_CODE = 64;

export function shownCode(code: string, hide: Hide): string {
  return oneLine(hide(code)).slice(0, MOST_CODE);
}

const MOST_OPERATOR = 2000;
const MOST_CALLER = 300;

export function operatorWords(message: string, hide: Hide): string {
  return harmless(hide(message)).slice(0, MOST_OPERATOR);
}

/** The first line, as a caller may see it; undefined for an empty one, and for one that is a document itself. */
export function callerWords(message: string, hide: Hide): string | undefined {
  const [first = ''] = message.trim().split(/[\r\n\u2028\u2029]/);
  const line = first.trim();
  if (line === '' || isDocument(line)) return undefined;
  return oneLine(hide(line)).slice(0, MOST_CALLER);
}

/** JSON, HTML or XML: a document, not a sentence. */
function isDocument(line: string): boolean {
  if (/^<[!?a-z]/i.test(line)) return true;
  if (!/^[[{"]/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return /^[[{]/.test(line);
  }
}

function oneLine(text: string): string {
  return harmless(text.replaceAll(/\p{Cc}+/gu, ' ').trim());
}

export type Hide = (text: string) => string;

const SHORTEST = 8;
/** A piece of the prompt that is this long is no coincidence. */
const SHORTEST_PIECE = 12;

/** Nothing of interest follows a whole prompt that a provider quotes. */
const MOST_READ = 65_536;

/** @param quoted texts of the messages that are sent, whoever said them, and of the input that the prompt was made of */
export function createHide(secrets: readonly string[], quoted: readonly string[]): Hide {
  const redact = createScrubber(secrets, REDACTED);
  const given = [...new Set(quoted.map((text) => text.trim()).filter((text) => text.length >= SHORTEST))];
  // As they stand, and as JSON writes them.
  const texts = [...new Set([...given, ...given.map((text) => JSON.stringify(text).slice(1, -1))])];
  return (text) => hidePieces(hideLines(redact.text(text).slice(0, MOST_READ), texts), texts);
}

/** Whole texts and whole lines, however short a line is beyond 8 characters. */
function hideLines(message: string, texts: readonly string[]): string {
  const lines = new Set(texts.flatMap((text) => [text, ...text.split(/\n|\\n/).map((line) => line.trim())]));
  const longestFirst = [...lines]
    .filter((line) => line.length >= SHORTEST && line.length <= message.length)
    .toSorted((a, b) => b.length - a.length);
  let hidden = message;
  for (const line of longestFirst) hidden = hidden.replaceAll(line, '[prompt]');
  return hidden;
}

/** Providers cut what they quote: pieces are found anywhere in it. */
function hidePieces(message: string, texts: readonly string[]): string {
  const pieceAt = (text: string, at: number): string => text.slice(at, at + SHORTEST_PIECE);
  const asked = new Set(Array.from({ length: message.length }, (_, at) => pieceAt(message, at)));
  const found = new Set<string>();
  for (const text of texts) {
    for (let at = 0; at + SHORTEST_PIECE <= text.length; at += 1) {
      const piece = pieceAt(text, at);
      if (asked.has(piece)) found.add(piece);
    }
  }
  let hidden = '';
  let at = 0;
  while (at < message.length) {
    let end = at;
    for (let next = at; found.has(pieceAt(message, next)); next += 1) end = next + SHORTEST_PIECE;
    hidden += end > at ? '[prompt]' : message.charAt(at);
    at = Math.max(end, at + 1);
  }
  return hidden;
}

/** A provider's own words reach a caller only from where the operator cannot have put somebody else. */
export function mayTell(provider: ModelProvider): boolean {
  return provider.kind === 'gateway'
    ? provider.exposesMessages
    : provider.kind === 'hosted' && provider.baseUrl === undefined;
}

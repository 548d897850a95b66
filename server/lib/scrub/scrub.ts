// Removes secrets from everything that a call returns or records.
//
// 1. A secret is found in plain form and as encoded in URLs, forms, JSON and base64, also inside a longer text that was
//    encoded in base64. Encoders differ in what they escape, and how often, so each character matches in all its
//    encodings.
// 2. Texts shorter than 8 characters are not treated as secrets, because they occur in other words.
// 3. Member names are scrubbed as well as values, and a number that reads like a secret becomes a string.
import { isJsonObject, type Json } from '../../../shared/json.ts';

export interface Scrubber {
  text: (value: string) => string;
  json: (value: Json) => Json;
  bytes: (value: Uint8Array) => Uint8Array;
  /** Its parts, from which a worker can recreate it with `scrubberOf`. */
  readonly parts: readonly ScrubberPart[];
}

/** Secrets, and the text that replaces them. */
export interface ScrubberPart {
  secrets: readonly string[];
  instead: string;
}

/** If a secret is a JSON object, its members with these names are secrets too. */
const SECRET_NAMES = /password|secret|token|key|assertion/i;

/** The values of secrets, and the secrets inside those that are JSON. */
export function secretTexts(secrets: Readonly<Record<string, string>>): string[] {
  return Object.values(secrets).flatMap((text) => [text, ...(text.trimStart().startsWith('{') ? inside(text) : [])]);
}

function inside(text: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value === 'string' && SECRET_NAMES.test(name)) found.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return found;
}

export const SHORTEST_SECRET = 8;
export const PUT_INSTEAD = '***';

/** A credential is also found without its scheme (RFC 9110, section 11.4), and a user name and password by the password. */
function partsOf(secret: string): string[] {
  const [, scheme = '', bare = secret] = /^(\S+) +(\S.*)$/.exec(secret) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(bare, 'base64').toString() : bare;
  return [...new Set([secret, bare, pair, pair.slice(pair.indexOf(':') + 1)])];
}

/** The texts to find: secrets and their parts, both in plain form and in base64. */
function writtenForms(secrets: readonly string[]): string[] {
  const found = secrets.flatMap(partsOf).filter((secret) => secret.length >= SHORTEST_SECRET);
  return [...new Set(found.flatMap(writings))];
}

/** @param instead the text that replaces a secret */
export function createScrubber(secrets: readonly string[], instead: string = PUT_INSTEAD): Scrubber {
  const written = writtenForms(secrets);
  if (written.length === 0) {
    return { text: (value) => value, json: (value) => value, bytes: (value) => value, parts: [] };
  }
  const found = patternOf(written, (sign) => sign);
  const foundInBytes = patternOf(written, latin1Of);
  const text = (value: string): string => value.replace(found, instead);
  return {
    text,
    json: (value) => scrubJson(value, text, instead),
    bytes: (value) => Buffer.from(Buffer.from(value).toString('latin1').replace(foundInBytes, instead), 'latin1'),
    parts: [{ secrets, instead }],
  };
}

/** Removes what either of them removes. */
export function joinScrubbers(first: Scrubber, second: Scrubber): Scrubber {
  return {
    text: (value) => second.text(first.text(value)),
    json: (value) => second.json(first.json(value)),
    bytes: (value) => second.bytes(first.bytes(value)),
    parts: [...first.parts, ...second.parts],
  };
}

/** Creates a scrubber from its parts. */
export function scrubberOf(parts: readonly ScrubberPart[]): Scrubber {
  return parts
    .map(({ secrets, instead }) => createScrubber(secrets, instead))
    .reduce(joinScrubbers, createScrubber([]));
}

function scrubJson(value: Json, text: Scrubber['text'], instead: string): Json {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return text(String(value)) === String(value) ? value : instead;
  if (Array.isArray(value)) return value.map((item) => scrubJson(item, text, instead));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), scrubJson(item, text, instead)]));
}

/** The secret, in plain form and in base64. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...[0, 1, 2].flatMap((before) => withinBase64(bytes, before)),
  ];
}

/** The base64 characters that depend only on the secret, if `before` bytes (modulo 3) precede it. */
function withinBase64(bytes: Buffer, before: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const own = [Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6)] as const;
  return [padded.toString('base64').slice(...own), padded.toString('base64url').slice(...own)];
}

/** Longest first, so that no secret is only partly matched. */
function patternOf(texts: readonly string[], literal: (sign: string) => string): RegExp {
  const longestFirst = texts.toSorted((a, b) => b.length - a.length);
  const anyWriting = (text: string): string =>
    signsOf(text)
      .map((sign) => signPattern(sign, literal))
      .join('');
  return new RegExp(longestFirst.map(anyWriting).join('|'), 'g');
}

/** Matches the end of a text if it is the beginning of a secret. */
export function beginningsOf(secrets: readonly string[]): RegExp {
  const beginning = (text: string): string => {
    const [first = '', ...more] = signsOf(text).map((sign) => {
      const whole = signPattern(sign, (plain) => plain);
      if (isPlain(sign)) return whole;
      // The cut may be inside a run of backslashes or a character of two code units.
      const cut = sign.startsWith('\\') ? String.raw`\\{1,${sign.length * 8}}` : sign.slice(0, -1);
      return `${whole}|${CUT_ESCAPE}${cut === '' ? '' : `|${cut}$`}`;
    });
    // At the end of the text, all further characters match nothing.
    return `(?:${first})${more.map((sign) => `(?:${sign}|$)`).join('')}$`;
  };
  const forms = writtenForms(secrets);
  // Without secrets, nothing matches.
  return forms.length === 0 ? /(?!)/ : new RegExp(forms.map(beginning).join('|'));
}

function signsOf(text: string): string[] {
  return text.match(/\\+|./gsu) ?? [];
}

/** Letters and digits have only one encoding. */
function isPlain(sign: string): boolean {
  return /^[A-Za-z0-9]$/.test(sign);
}

/** Each level of JSON inside JSON doubles them. */
const BACKSLASHES = String.raw`\\{1,8}`;

/** The end of a text inside the URL or JSON escapes of a character; there may be several. */
const CUT_ESCAPE = [
  String.raw`(?=%)(?:%(?:25)*[0-9A-Fa-f]{2})*(?:%(?:25)*[0-9A-Fa-f]?)?$`,
  String.raw`(?=\\)(?:${BACKSLASHES}u[0-9A-Fa-f]{4})*(?:${BACKSLASHES}(?:u[0-9A-Fa-f]{0,3})?)?$`,
].join('|');

/** The character after the backslash in JSON escapes. */
const BEHIND_BACKSLASH: Readonly<Record<string, string>> = {
  '"': '"',
  '/': '/',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

/**
 * Matches one character in any encoding: plain, URL, form, JSON. Letters and digits are never encoded. A run of
 * backslashes counts as one character, because matching them one by one would allow too many divisions.
 */
function signPattern(sign: string, literal: (sign: string) => string): string {
  if (isPlain(sign)) return sign;
  // In a URL inside a URL, `%` is encoded as `%25`.
  const inUrl = [...Buffer.from(sign.toWellFormed())].map((byte) => `%(?:25)*${anyCase(byte, 2)}`).join('');
  const units = Array.from({ length: sign.length }, (_, index) => sign.charCodeAt(index));
  const inJson = units.map((unit) => `${BACKSLASHES}u${anyCase(unit, 4)}`).join('');
  const behind = BEHIND_BACKSLASH[sign];
  const ways = [
    sign.startsWith('\\') ? String.raw`\\{${sign.length},${sign.length * 8}}` : escaped(literal(sign)),
    inUrl,
    inJson,
    ...(behind === undefined ? [] : [`${BACKSLASHES}${escaped(behind)}`]),
    ...(sign === ' ' ? [String.raw`\+`] : []),
  ];
  return `(?:${ways.join('|')})`;
}

function anyCase(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);
}

function latin1Of(sign: string): string {
  return Buffer.from(sign, 'utf8').toString('latin1');
}

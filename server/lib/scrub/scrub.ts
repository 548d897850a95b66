// Takes secrets out of what a call leaves behind.
//
// 1. A secret is found as it is and as it is commonly written in URLs, forms, JSON and base64, also as a part of a
//    longer text that was written in base64. Encoders differ in what they escape, and how often: every sign may be
//    written in any of its ways.
// 2. Texts shorter than 8 characters are no secrets: they would take innocent words with them.
// 3. Names of members are scrubbed as well as values, and a number that reads as a secret becomes a text.
import { isJsonObject, type Json } from '../../../shared/json.ts';

export interface Scrubber {
  text: (value: string) => string;
  json: (value: Json) => Json;
  bytes: (value: Uint8Array) => Uint8Array;
  /** What it is made of, for a worker to make it anew: `scrubberOf`. */
  readonly parts: readonly ScrubberPart[];
}

/** Secrets, and what stands where they stood. */
export interface ScrubberPart {
  secrets: readonly string[];
  instead: string;
}

/** Members of a secret that is a JSON object: those named so are secrets by themselves. */
const SECRET_NAMES = /password|secret|token|key|assertion/i;

/** The values of secrets, and the secrets inside of those that are JSON. */
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

/** A credential shows without its scheme too (RFC 9110, section 11.4), and a pair by its password alone. */
function partsOf(secret: string): string[] {
  const [, scheme = '', bare = secret] = /^(\S+) +(\S.*)$/.exec(secret) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(bare, 'base64').toString() : bare;
  return [...new Set([secret, bare, pair, pair.slice(pair.indexOf(':') + 1)])];
}

/** The texts to find: the secrets, their parts, and both in base64. */
function writtenForms(secrets: readonly string[]): string[] {
  const found = secrets.flatMap(partsOf).filter((secret) => secret.length >= SHORTEST_SECRET);
  return [...new Set(found.flatMap(writings))];
}

/** @param instead what stands where a secret stood */
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

/** Takes out what either does. */
export function joinScrubbers(first: Scrubber, second: Scrubber): Scrubber {
  return {
    text: (value) => second.text(first.text(value)),
    json: (value) => second.json(first.json(value)),
    bytes: (value) => second.bytes(first.bytes(value)),
    parts: [...first.parts, ...second.parts],
  };
}

/** The scrubber that is made of these. */
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

/** The secret, and it in base64. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...[0, 1, 2].flatMap((before) => withinBase64(bytes, before)),
  ];
}

/** The characters that depend on nothing but the secret, when so many bytes (modulo 3) stand before it. */
function withinBase64(bytes: Buffer, before: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const own = [Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6)] as const;
  return [padded.toString('base64').slice(...own), padded.toString('base64url').slice(...own)];
}

/** The longest first, so that none is found in part. */
function patternOf(texts: readonly string[], literal: (sign: string) => string): RegExp {
  const longestFirst = texts.toSorted((a, b) => b.length - a.length);
  const anyWriting = (text: string): string =>
    signsOf(text)
      .map((sign) => signPattern(sign, literal))
      .join('');
  return new RegExp(longestFirst.map(anyWriting).join('|'), 'g');
}

/** Finds the end of a text from where on it is a secret as far as it goes. */
export function beginningsOf(secrets: readonly string[]): RegExp {
  const beginning = (text: string): string => {
    const [first = '', ...more] = signsOf(text).map((sign) => {
      const whole = signPattern(sign, (plain) => plain);
      if (isPlain(sign)) return whole;
      // A row of backslashes, and a sign of two code units, may be cut within.
      const cut = sign.startsWith('\\') ? String.raw`\\{1,${sign.length * 8}}` : sign.slice(0, -1);
      return `${whole}|${CUT_ESCAPE}${cut === '' ? '' : `|${cut}$`}`;
    });
    // Once the text is at its end, so is every sign that is still to come.
    return `(?:${first})${more.map((sign) => `(?:${sign}|$)`).join('')}$`;
  };
  const forms = writtenForms(secrets);
  // Without secrets nothing is one.
  return forms.length === 0 ? /(?!)/ : new RegExp(forms.map(beginning).join('|'));
}

function signsOf(text: string): string[] {
  return text.match(/\\+|./gsu) ?? [];
}

/** Letters and digits are written in one way alone. */
function isPlain(sign: string): boolean {
  return /^[A-Za-z0-9]$/.test(sign);
}

/** JSON within JSON within JSON: each level doubles them. */
const BACKSLASHES = String.raw`\\{1,8}`;

/** The end of a text within a sign that is written in escapes of a URL or of JSON: it may be several of them. */
const CUT_ESCAPE = [
  String.raw`(?=%)(?:%(?:25)*[0-9A-Fa-f]{2})*(?:%(?:25)*[0-9A-Fa-f]?)?$`,
  String.raw`(?=\\)(?:${BACKSLASHES}u[0-9A-Fa-f]{4})*(?:${BACKSLASHES}(?:u[0-9A-Fa-f]{0,3})?)?$`,
].join('|');

/** What JSON writes behind a backslash. */
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
 * One sign in whatever way it may be written: as it is, in a URL or a form, in JSON. Letters and digits stay. Of
 * backslashes a whole row is one sign: taken one by one, there would be too many ways to divide them.
 */
function signPattern(sign: string, literal: (sign: string) => string): string {
  if (isPlain(sign)) return sign;
  // `%` is itself written as `%25` where a URL stands in a URL.
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

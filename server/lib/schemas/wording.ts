// The words of which issues are made: types, formats, patterns, names and values of a schema.
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';
import { cutText } from '../cut-text.ts';
import { isJsonObject } from '../../../shared/json.ts';

/** What a JSON type is called in a sentence, with its article. */
const TYPE_WORDS = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['array', 'a list'],
  ['null', 'null'],
]);

export function typeWord(type: unknown): string {
  return TYPE_WORDS.get(String(type)) ?? String(type);
}

export function formatWords(format: string): string {
  return ASSERTED_FORMATS.get(format)?.words ?? `in the format ${format}`;
}

/** The description and examples that a schema gives, in brackets; empty where it gives none. */
export function annotation(schema: unknown): string {
  if (!isJsonObject(schema)) return '';
  const { description, examples } = schema;
  const parts: string[] = [];
  if (typeof description === 'string') {
    const words = description.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
    if (words !== '') parts.push(cutText(words, 300));
  }
  if (Array.isArray(examples) && examples.length > 0) {
    parts.push(`for example ${examples.slice(0, 3).map(shownJson).join(' or ')}`);
  }
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

const MOST_FORMS = 12;
const MOST_FIELDS = 3;

/** What the branches of a choice are called, where each has a title, or fields that it requires. */
export function formsWords(branches: unknown): string {
  const forms: readonly unknown[] = Array.isArray(branches) ? branches : [];
  const named = forms.map((form) => titleOf(form) ?? requiredWords(form)).filter((name) => name !== undefined);
  return named.length === forms.length && named.length <= MOST_FORMS
    ? `the forms ${named.join(', ')}`
    : 'the forms in the schema';
}

function titleOf(form: unknown): string | undefined {
  const title = isJsonObject(form) ? form['title'] : undefined;
  return typeof title === 'string' && title.trim() !== '' ? shownJson(title) : undefined;
}

function requiredWords(form: unknown): string | undefined {
  const required = isJsonObject(form) ? form['required'] : undefined;
  if (!Array.isArray(required) || required.length === 0) return undefined;
  const names = required.slice(0, MOST_FIELDS).map((name) => shownName(String(name)));
  return `{ ${names.join(', ')}${required.length > MOST_FIELDS ? ', ...' : ''} }`;
}

/** Names a location in a value: nested fields by their path, items of lists by their index, from 1. */
export function fieldWords(tokens: readonly string[], value: unknown, root: string): string {
  let words = '';
  let fields: string[] = [];
  let at: unknown = value;
  for (const token of tokens) {
    if (Array.isArray(at)) {
      const list = fields.length === 0 ? '' : ` of ${quoted(fields)}`;
      words = ` in item ${Number(token) + 1}${list}${words}`;
      fields = [];
    } else fields.push(token);
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[token] : undefined;
  }
  if (fields.length > 0) return cutText(`${quoted(fields)}${words}`, 400);
  return words === '' ? root : cutText(words.slice(' in '.length), 400);
}

function quoted(fields: readonly string[]): string {
  return `\`${cutText(fields.map((field) => cutText(field, 60)).join('.'), 200).replace(/[\s\p{Cc}]+/gu, ' ')}\``;
}

/** A value of a schema's, as JSON that is short enough for a sentence. */
export function shownJson(value: unknown): string {
  return cutText(JSON.stringify(value) ?? 'null', 60);
}

/** A name out of a schema or a value, in quotes and on one line. */
export function shownName(name: string): string {
  return `\`${cutText(name, 60).replace(/[\s\p{Cc}]+/gu, ' ')}\``;
}

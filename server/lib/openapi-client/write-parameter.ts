// Writes a parameter's value as text: OpenAPI's styles (part "Style Values" of 3.x, `collectionFormat` of 2.0).
//
// 1. A value without any text writes nothing.
// 2. What stands inside an item that is itself a list or an object is written as JSON.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Parameter, ParameterForm } from './operation.ts';

export type Encode = (text: string) => string;
export type Pair = [name: string, value: string];

/** For a path: `label` and `matrix` put their own marks in front. */
export function writeInPath({ name, form }: Pick<Parameter, 'name' | 'form'>, value: Json): string {
  const encode = encodeText;
  const given = listed(form, value);
  switch (form.style) {
    case 'label':
      return `.${joined(given, form, encode, form.explode ? '.' : ',')}`;
    case 'matrix':
      return form.explode
        ? exploded(name, given, encode)
            .map(([key, text]) => `;${key}=${text}`)
            .join('')
        : `;${encode(name)}=${joined(given, form, encode, ',')}`;
    case 'json':
      return encode(JSON.stringify(given));
    case 'simple':
    case 'form':
    case 'deepObject':
      return joined(given, form, encode, form.separator === ',' ? ',' : encode(form.separator));
  }
}

/** For a header: nothing is encoded. */
export function writeInHeader({ form }: Pick<Parameter, 'form'>, value: Json): string {
  const given = listed(form, value);
  return form.style === 'json' ? JSON.stringify(given) : joined(given, form, (text) => text, form.separator);
}

/** For a query, a cookie or a form: names with their values, all of them encoded. */
export function writePairs({ name, form }: Pick<Parameter, 'name' | 'form'>, value: Json, encode: Encode): Pair[] {
  const given = listed(form, value);
  const key = encodeText(name);
  if (form.style === 'json') return [[key, encode(JSON.stringify(given))]];
  if (form.style === 'deepObject' && isJsonObject(given)) return deepPairs(key, given, encode);
  if (form.explode) return exploded(name, given, encode);
  if (Array.isArray(given) && given.length === 0) return [];
  return [[key, joined(given, form, encode, form.separator === ',' ? ',' : encode(form.separator))]];
}

/** Percent-encodes everything but letters, digits and `-_.!~*'()`. Half of a surrogate pair has no encoding. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Keeps the characters that have a meaning in a URL, but for the one that would end the query. */
export function encodeReserved(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll('#', '%23');
}

export function scalarText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listed(form: ParameterForm, value: Json): Json {
  return form.wantsList && (typeof value !== 'object' || value === null) ? [value] : value;
}

function joined(value: Json, form: ParameterForm, encode: Encode, separator: string): string {
  if (Array.isArray(value)) return value.map((item) => encode(scalarText(item))).join(separator);
  if (!isJsonObject(value)) return encode(scalarText(value));
  const between = form.explode ? '=' : separator;
  return Object.entries(value)
    .map(([key, item]) => `${encode(key)}${between}${encode(scalarText(item))}`)
    .join(separator);
}

/** A list repeats the name; the members of an object stand under their own names. */
function exploded(name: string, value: Json, encode: Encode): Pair[] {
  const key = encodeText(name);
  if (Array.isArray(value)) return value.map((item) => [key, encode(scalarText(item))]);
  if (!isJsonObject(value)) return [[key, encode(scalarText(value))]];
  return Object.entries(value).map(([own, item]) => [encodeText(own), encode(scalarText(item))]);
}

/** `name[a][b]=c`, however deep; on a list of its own, so that depth costs no stack. */
function deepPairs(name: string, value: JsonObject, encode: Encode): Pair[] {
  const pairs: Pair[] = [];
  const left: { key: string; item: Json }[] = [{ key: name, item: value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { key, item } = next;
    if (!isJsonObject(item)) {
      for (const one of Array.isArray(item) ? item : [item]) pairs.push([key, encode(scalarText(one))]);
      continue;
    }
    for (const [own, inner] of Object.entries(item).toReversed()) {
      left.push({ key: `${key}${encodeText(`[${own}]`)}`, item: inner });
    }
  }
  return pairs;
}

// Serializes parameter values in OpenAPI's styles ("Style Values" in 3.x, `collectionFormat` in 2.0).
//
// 1. An empty value writes nothing.
// 2. A list or object inside an item is written as JSON.
import { isJsonObject, type Json } from '../../../shared/json.ts';
import type { Parameter, ParameterForm } from './operation.ts';

export type Encode = (text: string) => string;
export type Pair = [name: string, value: string];

/** For a path: `label` and `matrix` add their prefixes. */
export function writeInPath({ name, form }: Pick<Parameter, 'name' | 'form'>, value: Json): string {
  const encode = encodeText;
  const normalized = listed(form, value);
  switch (form.style) {
    case 'label':
      return `.${joined(normalized, form, encode, form.explode ? '.' : ',')}`;
    case 'matrix':
      return form.explode
        ? exploded(encode(name), normalized, form, { encode, encodeName: encode })
            .map(([key, text]) => `;${key}=${text}`)
            .join('')
        : `;${encode(name)}=${joined(normalized, form, encode, ',')}`;
    case 'json':
      return encode(JSON.stringify(normalized));
    case 'simple':
    case 'form':
    case 'deepObject':
      return joined(normalized, form, encode, form.separator === ',' ? ',' : encode(form.separator));
  }
}

/** For a header: nothing is encoded. */
export function writeInHeader({ form }: Pick<Parameter, 'form'>, value: Json): string {
  const normalized = listed(form, value);
  return form.style === 'json' ? JSON.stringify(normalized) : joined(normalized, form, (text) => text, form.separator);
}

/** For a query, a cookie or a form: encoded names with their encoded values. */
export function writePairs(
  { name, form }: Pick<Parameter, 'name' | 'form'>,
  value: Json,
  encode: Encode,
  encodeName: Encode = encodeText,
): Pair[] {
  const normalized = listed(form, value);
  const key = encodeName(name);
  if (form.style === 'json') return [[key, encode(JSON.stringify(normalized))]];
  const isDeep = isJsonObject(normalized) || Array.isArray(normalized);
  if (form.style === 'deepObject' && isDeep) return deepPairs(key, normalized, form, { encode, encodeName });
  if (form.explode) return exploded(key, normalized, form, { encode, encodeName });
  if (Array.isArray(normalized) && normalized.length === 0) return [];
  return [[key, joined(normalized, form, encode, form.separator === ',' ? ',' : encode(form.separator))]];
}

/** Percent-encodes everything except letters, digits and `-_.!~*'()`; unpaired surrogates are replaced. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Keeps the reserved characters of URLs, except `#`, which would end the query. */
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
  if (Array.isArray(value)) return value.map((item) => itemText(item, form, encode)).join(separator);
  if (!isJsonObject(value)) return encode(scalarText(value));
  const between = form.explode ? '=' : separator;
  return Object.entries(value)
    .map(([key, item]) => `${encode(key)}${between}${encode(scalarText(item))}`)
    .join(separator);
}

interface Encoders {
  encode: Encode;
  encodeName: Encode;
}

function itemText(item: Json, { innerSeparator }: ParameterForm, encode: Encode): string {
  if (innerSeparator === undefined || !Array.isArray(item)) return encode(scalarText(item));
  return item.map((one) => encode(scalarText(one))).join(innerSeparator === ',' ? ',' : encode(innerSeparator));
}

/** Each item of a list repeats the name; the members of an object use their own names. */
function exploded(key: string, value: Json, form: ParameterForm, { encode, encodeName }: Encoders): Pair[] {
  if (Array.isArray(value)) return value.map((item) => [key, itemText(item, form, encode)]);
  if (!isJsonObject(value)) return [[key, encode(scalarText(value))]];
  return Object.entries(value).map(([own, item]) => [encodeName(own), encode(scalarText(item))]);
}

/**
 * `name[a][b]=c` at any depth; iterative, so that depth uses no stack. Lists repeat the name, unless they hold objects or
 * lists, are the whole value, or the form gives their items indexes.
 */
function deepPairs(
  name: string,
  value: Json,
  { indexesLists = false }: ParameterForm,
  { encode, encodeName }: Encoders,
): Pair[] {
  const pairs: Pair[] = [];
  const remaining: { key: string; item: Json }[] = [{ key: name, item: value }];
  for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) {
    const { key, item } = next;
    const isIndexed = indexesLists || key === name;
    const isList = Array.isArray(item) && (isIndexed || item.some((one) => typeof one === 'object' && one !== null));
    if (!isJsonObject(item) && !isList) {
      for (const one of Array.isArray(item) ? item : [item]) pairs.push([key, encode(scalarText(one))]);
      continue;
    }
    for (const [own, inner] of Object.entries(item).toReversed()) {
      remaining.push({ key: `${key}${encodeName(`[${own}]`)}`, item: inner });
    }
  }
  return pairs;
}

// Writes a body in a media type of the document.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { randomHex } from '../random.ts';
import type { OpenApiDocument } from './document.ts';
import { bareType, FORM, isJsonType, MULTIPART } from './media-types.ts';
import type { BodyType, FormField, ParameterForm } from './operation.ts';
import { propertySchema } from './parameters.ts';
import { FILE, type PartType, partSchema, partType, singleTypes } from './part-type.ts';
import { openApiError, Unbuildable } from './problem.ts';
import { type Encode, encodeReserved, encodeText, type Pair, scalarText, writePairs } from './write-parameter.ts';

export interface WrittenBody {
  contentType: string;
  body: string;
}

/** @throws Unbuildable if the value fits none of the media types */
export function writeBody(document: OpenApiDocument, types: readonly BodyType[], value: Json): WrittenBody {
  const [first] = types;
  // A string is sent as it is if a media type allows it.
  const textual = typeof value === 'string' ? types.find(({ type }) => isPlain(type)) : undefined;
  const chosen = first !== undefined && !isJsonType(first.type) ? (textual ?? first) : first;
  const type = chosen === undefined || chosen.type.includes('*') ? 'application/json' : chosen.type;
  if (isJsonType(type)) return { contentType: type, body: JSON.stringify(listed(chosen, value)) };
  if (bareType(type) === FORM && isJsonObject(value)) return writeForm(pairsOf(chosen, value));
  if (bareType(type) === MULTIPART && isJsonObject(value)) return writeParts(partsOf(document, chosen, value));
  if (typeof value === 'string') return { contentType: type, body: value };
  const wanted = [FORM, MULTIPART].includes(bareType(type)) ? 'an object' : 'a string';
  throw new Unbuildable(openApiError('bad_parameter', `\`body\` is sent as ${type} and must be ${wanted}.`, 'body'));
}

/** Writes the form fields of 2.0. */
export function writeFields(type: string, values: readonly { field: FormField; value: Json }[]): WrittenBody {
  if (type === FORM) return writeForm(values.flatMap(({ field, value }) => writePairs(field, value, encodeText)));
  const parts = values.flatMap(({ field, value }): MultipartField[] =>
    field.isFile
      ? items(value).map((one) => ({ name: field.name, text: scalarText(one), ...FILE }))
      : writePairs(field, value, (text) => text).map(([, text]) => ({ name: field.name, text, isFile: false })),
  );
  return writeParts(parts);
}

function isPlain(type: string): boolean {
  return !isJsonType(type) && ![FORM, MULTIPART].includes(bareType(type)) && !type.includes('*');
}

function listed(type: BodyType | undefined, value: Json): Json {
  return type?.wantsList === true && (typeof value !== 'object' || value === null) ? [value] : value;
}

/** Without an encoding, each item of a list repeats the name, and objects are JSON. */
function pairsOf(type: BodyType | undefined, value: JsonObject): Pair[] {
  return Object.entries(value).flatMap(([name, item]): Pair[] => {
    const { form, contentType } = type?.encoding.get(name) ?? {};
    if (form !== undefined) return item === null ? [] : writePairs({ name, form }, item, encoderOf(form));
    if (item !== null && isDeclaredJson(contentType)) return [[encodeText(name), encodeText(scalarText(item))]];
    return items(item).map((one): Pair => [encodeText(name), encodeText(scalarText(one))]);
  });
}

/** Reserved characters, without those that have a meaning in a form. */
function encoderOf({ keepsReserved }: ParameterForm): Encode {
  return keepsReserved ? (text) => encodeReserved(text).replaceAll('&', '%26').replaceAll('+', '%2B') : encodeText;
}

function writeForm(pairs: readonly Pair[]): WrittenBody {
  const body = pairs.map(([name, value]) => `${name}=${value}`.replaceAll('%20', '+')).join('&');
  return { contentType: FORM, body };
}

interface MultipartField extends PartType {
  name: string;
  text: string;
}

function partsOf(document: OpenApiDocument, type: BodyType | undefined, value: JsonObject): MultipartField[] {
  const plain: Encode = (text) => text;
  return Object.entries(value).flatMap(([name, item]): MultipartField[] => {
    if (item === null) return [];
    const { form, contentType } = type?.encoding.get(name) ?? {};
    if (form !== undefined) {
      return writePairs({ name, form }, item, plain, plain).map(([key, text]) => ({ name: key, text, isFile: false }));
    }
    const schema = partSchema(document, propertySchema(document, type?.schema, name));
    // A list is one part only if the document wants JSON.
    const parts = isDeclaredJson(contentType) ? [item] : items(item);
    return parts.map((one) => ({ name, text: scalarText(one), ...partType(one, contentType, schema) }));
  });
}

function isDeclaredJson(contentType: string | undefined): boolean {
  return isJsonType(singleTypes(contentType)[0] ?? '');
}

/** null is not sent. */
function items(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return value === null ? [] : [value];
}

function writeParts(parts: readonly MultipartField[]): WrittenBody {
  const boundary = `part-${randomHex(16)}`;
  const written = parts.map(({ name, text, isFile, contentType }) => {
    const quoted = `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;
    const file = isFile ? `; filename=${quoted}` : '';
    const header = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name=${quoted}${file}${header}\r\n\r\n${text}\r\n`;
  });
  return { contentType: `${MULTIPART}; boundary=${boundary}`, body: `${written.join('')}--${boundary}--\r\n` };
}

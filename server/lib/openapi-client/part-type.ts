// The media type of a part of `multipart/form-data`, and whether it is a file (OpenAPI 3.1.1, section 4.8.15).
import type { Json, JsonObject } from '../../../shared/json.ts';
import { listOf, member, type OpenApiDocument, resolveObject, textOf } from './document.ts';
import { bareType, isJsonType } from './media-types.ts';

/** What the schema of a part, or of the items of a list of parts, says of a text. */
export interface PartSchema {
  /** `format: binary`, as in 3.0. */
  isBinary: boolean;
  /** The text is an encoding of bytes, such as base64, and is sent as it is. */
  isEncoded: boolean;
  mediaType: string | undefined;
}

export interface PartType {
  isFile: boolean;
  contentType?: string | undefined;
}

/** More schemas are not looked at for one part. */
const MOST_SCHEMAS = 100;
const BYTES = 'application/octet-stream';
/** A file of which a document says no more. */
export const FILE: PartType = { isFile: true, contentType: BYTES };

/** Looks behind lists and alternatives, such as "a file or null". */
export function partSchema(document: OpenApiDocument, property: JsonObject | undefined): PartSchema {
  const open: Json[] = property === undefined ? [] : [property];
  for (let looked = 0; looked < MOST_SCHEMAS; looked += 1) {
    const schema = resolveObject(document.root, open.shift());
    if (schema === undefined) continue;
    const isBinary = textOf(schema, 'format') === 'binary';
    const isEncoded = textOf(schema, 'contentEncoding') !== undefined;
    const mediaType = singleType(textOf(schema, 'contentMediaType')) ?? (isBinary || isEncoded ? BYTES : undefined);
    if (mediaType !== undefined) return { isBinary, isEncoded, mediaType };
    const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => listOf(schema, key).slice(0, MOST_SCHEMAS));
    open.push(...inner, member(schema, 'items') ?? false);
  }
  return { isBinary: false, isEncoded: false, mediaType: undefined };
}

/** @param declared the `contentType` of the part's encoding: types and ranges such as `image/*`, separated by commas */
export function partType(value: Json, declared: string | undefined, schema: PartSchema): PartType {
  const isText = typeof value !== 'object' || value === null;
  const ranges = rangesOf(declared);
  const types = singleTypes(declared);
  const usual = isText ? (schema.mediaType ?? bytesOf(ranges)) : 'application/json';
  const contentType =
    allowed(ranges, usual) ??
    types.find((type) => isJsonType(type) !== isText) ??
    (isText ? allowed(ranges, 'text/plain') : undefined) ??
    types[0] ??
    usual;
  const isFile = isText && !schema.isEncoded && contentType !== undefined && !isTextType(contentType);
  return { isFile: isFile || schema.isBinary, contentType };
}

/** The types of a `contentType` that are not ranges. */
export function singleTypes(declared: string | undefined): string[] {
  return rangesOf(declared).flatMap((range) => singleType(range) ?? []);
}

function rangesOf(declared: string | undefined): string[] {
  return (declared ?? '').split(',').map((range) => range.trim());
}

/** undefined for a range and for what would add a header. */
function singleType(type: string | undefined): string | undefined {
  return type !== undefined && /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(type) ? type : undefined;
}

/** Bytes, if a range such as `image/*` does not say which. */
function bytesOf(ranges: readonly string[]): string | undefined {
  return ranges.some((range) => /^(audio|font|image|video)\/\*$/.test(range)) ? BYTES : undefined;
}

/** A type as the ranges write it, or as it is if one of them contains it. */
function allowed(ranges: readonly string[], type: string | undefined): string | undefined {
  const bare = bareType(type ?? '');
  const range = ranges
    .map(bareType)
    .find((one) => one === bare || (one.endsWith('/*') && bare.startsWith(one.slice(0, -1))));
  return type === undefined || range === undefined ? undefined : (ranges.find((one) => bareType(one) === bare) ?? type);
}

function isTextType(type: string): boolean {
  return bareType(type).startsWith('text/') || isJsonType(type);
}

// Reads the parameters of an operation, in 2.0 and 3.x.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { isSetByClient } from '../http-client/index.ts';
import { listOf, member, type OpenApiDocument, resolveObject, textOf } from './document.ts';
import { isJsonType } from './media-types.ts';
import type { Parameter, ParameterForm } from './operation.ts';

/** Set by the body, the accepted media types and the authentication; OpenAPI ignores parameters with these names. */
const NOT_PARAMETERS = ['accept', 'content-type', 'authorization'];

/** A list of parameters may be shared by all operations, so its length is limited. */
const MOST_PARAMETERS = 1000;

export function parameterCount(path: JsonObject, operation: JsonObject): number {
  const counts = [operation, path].map((holder) => Math.min(listOf(holder, 'parameters').length, MOST_PARAMETERS));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The parameters as objects: the operation's own, then those of its path that it does not replace. */
export function parameterObjects(document: OpenApiDocument, path: JsonObject, operation: JsonObject): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const holder of [operation, path]) {
    for (const item of listOf(holder, 'parameters').slice(0, MOST_PARAMETERS)) {
      const parameter = resolveObject(document.root, item);
      if (parameter === undefined) continue;
      const key = JSON.stringify([textOf(parameter, 'in'), textOf(parameter, 'name')]);
      if (!found.has(key)) found.set(key, parameter);
    }
  }
  return [...found.values()];
}

/** A parameter of the path, the query, a header or a cookie; undefined for one of the body. */
export function parameterOf(document: OpenApiDocument, parameter: JsonObject): Parameter | undefined {
  const name = textOf(parameter, 'name');
  const location = textOf(parameter, 'in');
  if (name === undefined) return undefined;
  if (location !== 'path' && location !== 'query' && location !== 'header' && location !== 'cookie') return undefined;
  if (location === 'header' && isIgnored(name)) return undefined;
  const schema = document.version === '2.0' ? parameter : schemaOf(parameter);
  return {
    name,
    argument: name,
    in: location,
    isRequired: location === 'path' || member(parameter, 'required') === true,
    description: textOf(parameter, 'description'),
    schema,
    form:
      document.version === '2.0'
        ? collectionForm(location, parameter)
        : styleForm(document, location, parameter, schema),
  };
}

function isIgnored(header: string): boolean {
  return NOT_PARAMETERS.includes(header.toLowerCase()) || isSetByClient(header);
}

function schemaOf(parameter: JsonObject): Json | undefined {
  const [content] = contentOf(parameter);
  return content === undefined ? member(parameter, 'schema') : content.schema;
}

/** The media type that a parameter of 3.x may have instead of a style. */
function contentOf(parameter: JsonObject): { type: string; schema: Json | undefined }[] {
  const content = member(parameter, 'content');
  if (!isJsonObject(content)) return [];
  return Object.entries(content).map(([type, media]) => ({
    type,
    schema: isJsonObject(media) ? member(media, 'schema') : undefined,
  }));
}

const STYLES: Readonly<Record<string, { style: ParameterForm['style']; separator: string }>> = {
  simple: { style: 'simple', separator: ',' },
  label: { style: 'label', separator: ',' },
  matrix: { style: 'matrix', separator: ',' },
  form: { style: 'form', separator: ',' },
  spaceDelimited: { style: 'form', separator: ' ' },
  pipeDelimited: { style: 'form', separator: '|' },
  deepObject: { style: 'deepObject', separator: ',' },
};

/** @param parameter or another object with `style`, `explode` and `allowReserved` */
export function styleForm(
  document: OpenApiDocument,
  location: Parameter['in'],
  parameter: JsonObject,
  schema: Json | undefined,
): ParameterForm {
  const [content] = contentOf(parameter);
  const usual = location === 'path' || location === 'header' ? 'simple' : 'form';
  const named = textOf(parameter, 'style') ?? usual;
  const { style, separator } = STYLES[named] ?? { style: usual, separator: ',' };
  const explode = member(parameter, 'explode');
  return {
    style: content !== undefined && isJsonType(content.type) ? 'json' : style,
    separator,
    // Only `form` explodes by default.
    explode: typeof explode === 'boolean' ? explode : named === 'form',
    keepsReserved: member(parameter, 'allowReserved') === true,
    wantsList: wantsList(document, schema),
  };
}

const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|', multi: ',' };

/** The `collectionFormat` of 2.0. */
export function collectionForm(location: Parameter['in'] | 'formData', parameter: JsonObject): ParameterForm {
  const format = textOf(parameter, 'collectionFormat') ?? 'csv';
  const items = member(parameter, 'items');
  const isNested = isJsonObject(items) && textOf(items, 'type') === 'array';
  const inner = isNested ? (textOf(items, 'collectionFormat') ?? 'csv') : undefined;
  return {
    style: location === 'path' || location === 'header' ? 'simple' : 'form',
    separator: SEPARATORS[format] ?? ',',
    explode: format === 'multi',
    keepsReserved: false,
    wantsList: textOf(parameter, 'type') === 'array',
    ...(inner === undefined ? {} : { innerSeparator: SEPARATORS[inner] ?? ',' }),
  };
}

/** More schemas than a member is looked for in. */
const MOST_PARTS = 100;

/** The schema of an object's member, which may stand in a part of the object (`allOf`). */
export function propertySchema(
  document: OpenApiDocument,
  schema: Json | undefined,
  name: string,
): JsonObject | undefined {
  const open: Json[] = schema === undefined ? [] : [schema];
  for (let looked = 0; looked < MOST_PARTS; looked += 1) {
    const next = open.pop();
    if (next === undefined) return undefined;
    const part = resolveObject(document.root, next);
    if (part === undefined) continue;
    const properties = member(part, 'properties');
    const property = isJsonObject(properties) ? resolveObject(document.root, member(properties, name)) : undefined;
    if (property !== undefined) return property;
    open.push(...listOf(part, 'allOf').slice(0, MOST_PARTS));
  }
  return undefined;
}

/** Whether a schema accepts only lists, not single values. */
export function wantsList(document: OpenApiDocument, schema: Json | undefined): boolean {
  const resolved = resolveObject(document.root, schema);
  if (resolved === undefined) return false;
  const type = member(resolved, 'type');
  if (type === undefined) return member(resolved, 'items') !== undefined;
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  return types.length > 0 && types.every((name) => name === 'array');
}

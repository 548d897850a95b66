// Reads the body of an operation: `requestBody` in 3.x, the `body` parameter or form fields in 2.0.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { listOf, member, objectOf, type OpenApiDocument, resolveObject, textOf } from './document.ts';
import { FORM, MULTIPART, sendOrder } from './media-types.ts';
import type { Body, BodyType, FormField, MemberEncoding } from './operation.ts';
import { collectionForm, propertySchema, styleForm, wantsList } from './parameters.ts';

export function bodyOf(
  document: OpenApiDocument,
  operation: JsonObject,
  parameters: readonly JsonObject[],
): Body | undefined {
  return document.version === '2.0'
    ? (bodyParameter(document, operation, parameters) ?? formBody(document, operation, parameters))
    : requestBody(document, operation);
}

function requestBody(document: OpenApiDocument, operation: JsonObject): Body | undefined {
  const body = resolveObject(document.root, member(operation, 'requestBody'));
  if (body === undefined) return undefined;
  const content = objectOf(body, 'content');
  const types = sendOrder(Object.keys(content));
  return {
    names: ['body'],
    isRequired: member(body, 'required') === true,
    description: textOf(body, 'description'),
    mediaTypes: (types.length === 0 ? ['application/json'] : types).map((type) => {
      const media = objectOf(content, type);
      const schema = member(media, 'schema');
      return { ...bodyType(document, type, schema), encoding: encodingOf(document, media, schema) };
    }),
    fields: undefined,
  };
}

function bodyParameter(
  document: OpenApiDocument,
  operation: JsonObject,
  parameters: readonly JsonObject[],
): Body | undefined {
  const parameter = parameters.find((one) => textOf(one, 'in') === 'body');
  if (parameter === undefined) return undefined;
  const types = sendOrder(consumes(document, operation));
  const schema = member(parameter, 'schema');
  return {
    names: [...new Set([textOf(parameter, 'name') ?? 'body', 'body'])],
    isRequired: member(parameter, 'required') === true,
    description: textOf(parameter, 'description'),
    mediaTypes: (types.length === 0 ? ['application/json'] : types).map((type) => bodyType(document, type, schema)),
    fields: undefined,
  };
}

function formBody(
  document: OpenApiDocument,
  operation: JsonObject,
  parameters: readonly JsonObject[],
): Body | undefined {
  const fields = parameters.filter((one) => textOf(one, 'in') === 'formData').flatMap((one) => fieldOf(one) ?? []);
  if (fields.length === 0) return undefined;
  // A file needs multipart; otherwise the first type that the operation lists.
  const types = consumes(document, operation).filter((type) => type === FORM || type === MULTIPART);
  const type = fields.some((field) => field.isFile) ? MULTIPART : (types[0] ?? FORM);
  return {
    names: [],
    isRequired: fields.some((field) => field.isRequired),
    description: undefined,
    mediaTypes: [bodyType(document, type, undefined)],
    fields,
  };
}

function fieldOf(parameter: JsonObject): FormField | undefined {
  const name = textOf(parameter, 'name');
  if (name === undefined) return undefined;
  return {
    name,
    argument: name,
    isRequired: member(parameter, 'required') === true,
    description: textOf(parameter, 'description'),
    schema: parameter,
    form: collectionForm('formData', parameter),
    isFile: [parameter, objectOf(parameter, 'items')].some((schema) => textOf(schema, 'type') === 'file'),
  };
}

function consumes(document: OpenApiDocument, operation: JsonObject): string[] {
  const holder = member(operation, 'consumes') === undefined ? document.root : operation;
  return listOf(holder, 'consumes').filter((type) => typeof type === 'string');
}

function bodyType(document: OpenApiDocument, type: string, schema: Json | undefined): BodyType {
  return { type, schema, wantsList: wantsList(document, schema), encoding: new Map() };
}

const OF_STYLE = ['style', 'explode', 'allowReserved'];

/** A member has a style if the document gives it one; otherwise its content type counts (3.1.1, section 4.8.15). */
function encodingOf(
  document: OpenApiDocument,
  media: JsonObject,
  schema: Json | undefined,
): ReadonlyMap<string, MemberEncoding> {
  const entries = Object.entries(objectOf(media, 'encoding')).flatMap(([name, value]): [string, MemberEncoding][] => {
    if (!isJsonObject(value)) return [];
    if (OF_STYLE.some((key) => member(value, key) !== undefined)) {
      const form = styleForm(document, 'query', value, propertySchema(document, schema, name));
      return [[name, { form: { ...form, indexesLists: true } }]];
    }
    const contentType = textOf(value, 'contentType');
    return contentType === undefined ? [] : [[name, { contentType }]];
  });
  return new Map(entries);
}

// The vocabulary in which the API's schemas are written. Where a schema has a description, it comes first.
import Type, {
  type TArrayOptions,
  type TNumberOptions,
  type TObject,
  type TProperties,
  type TSchema,
  type TStringOptions,
} from 'typebox';
import { DEFINITION_TYPES } from '../definition-types.ts';

export const optional = Type.Optional;

/** An object without other fields. */
export function object<Fields extends TProperties>(fields: Fields): TObject<Fields>;
export function object<Fields extends TProperties>(description: string, fields: Fields): TObject<Fields>;
export function object<Fields extends TProperties>(
  ...given: [fields: Fields] | [description: string, fields: Fields]
): TObject<Fields> {
  if (given.length === 1) return Type.Object(given[0], { additionalProperties: false });
  const [description, fields] = given;
  return Type.Object(fields, { additionalProperties: false, description });
}

/** An object that may have other fields. */
export function open<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Object(fields, { description });
}

/** A list of objects without other fields. */
export function objects<Fields extends TProperties>(description: string, fields: Fields) {
  return list(description, object(fields));
}

export function list<Items extends TSchema>(description: string, items: Items, options: TArrayOptions = {}) {
  return Type.Array(items, { ...options, description });
}

export function text(description: string, options: TStringOptions = {}) {
  return Type.String({ ...options, description });
}

/** ISO 8601 UTC with milliseconds and `Z`. */
export function timestamp(description: string) {
  return text(description, { format: 'date-time' });
}

export function oneOf<const Values extends string[]>(description: string, values: readonly [...Values]) {
  return Type.Enum(values, { description });
}

export function integer(description: string, options: TNumberOptions = {}) {
  return Type.Integer({ ...options, description });
}

/** An integer from 0. */
export function count(description: string) {
  return integer(description, { minimum: 0 });
}

export function flag(description: string) {
  return Type.Boolean({ description });
}

export function orNull<Schema extends TSchema>(description: string, schema: Schema) {
  return Type.Union([schema, Type.Null()], { description });
}

/** Any JSON object. */
export function jsonObject(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description });
}

export const DefinitionTypeSchema = oneOf('The type of definition.', DEFINITION_TYPES);

export const IssueSchema = object({
  pointer: text('JSON Pointer (RFC 6901) to the value.'),
  detail: text('What is wrong and what to write instead.'),
});

export const SourceIssueSchema = object({
  pointer: text('JSON Pointer (RFC 6901) to the value.'),
  line: integer('Line of the source, from 1.', { minimum: 1 }),
  column: integer('Column of the line, from 1.', { minimum: 1 }),
  detail: text('What is wrong and what to write instead.'),
});

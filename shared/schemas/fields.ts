import Type from 'typebox';
import { DEFINITION_TYPES } from '../definition-types.ts';

export const DefinitionTypeSchema = Type.Enum(DEFINITION_TYPES, { description: 'The type of definition.' });

/** ISO 8601 UTC with milliseconds and `Z`. */
export function timestamp(description: string) {
  return Type.String({ format: 'date-time', description });
}

/** Any JSON object. */
export function jsonObject(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { description });
}

export const IssueSchema = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer (RFC 6901) to the value.' }),
    detail: Type.String({ description: 'What is wrong and what to write instead.' }),
  },
  { additionalProperties: false },
);

export const SourceIssueSchema = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer (RFC 6901) to the value.' }),
    line: Type.Integer({ minimum: 1, description: 'Line of the source, from 1.' }),
    column: Type.Integer({ minimum: 1, description: 'Column of the line, from 1.' }),
    detail: Type.String({ description: 'What is wrong and what to write instead.' }),
  },
  { additionalProperties: false },
);

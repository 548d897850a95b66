import Type, { type Static } from 'typebox';
import { DefinitionTypeSchema, jsonObject, SourceIssueSchema, timestamp } from './common.ts';

const LIST_FIELDS = {
  type: DefinitionTypeSchema,
  name: Type.String({ description: 'The name; unique within its type and playbook.' }),
  version: Type.Integer({ minimum: 1, description: 'The version, from 1.' }),
  status: Type.Enum(['active', 'retired'], { description: 'A retired one can be read, not edited or run.' }),
  media_type: Type.String({ description: 'Media type of the source.' }),
  description: Type.Optional(Type.String({ description: "The document's own description." })),
  input_schema: Type.Optional(jsonObject("JSON Schema of a run's input; absent: any JSON value.")),
  output_schema: Type.Optional(jsonObject("JSON Schema of a run's output.")),
  details: Type.Object(
    {
      shape: Type.Optional(Type.String({ description: 'Name of the output shape, where the document names one.' })),
      expose: Type.Optional(Type.Literal(true, { description: 'The definition is an MCP tool of its own.' })),
      examples: Type.Optional(
        Type.Array(
          Type.Object(
            {
              name: Type.String({ description: 'What the example is called.' }),
              input: Type.Unknown({ description: 'What the example is run with.' }),
              output: Type.Optional(Type.Unknown({ description: 'What it gives.' })),
            },
            { additionalProperties: false },
          ),
          { description: 'Inputs to try the definition with.' },
        ),
      ),
    },
    { additionalProperties: false, description: 'What else the document declares.' },
  ),
  warnings: Type.Array(SourceIssueSchema, { description: 'What was saved and may not be meant.' }),
  created_at: timestamp('When its first version was saved.'),
  created_by: Type.String({ description: 'The caller who saved the first version.' }),
  updated_at: timestamp('When it was last changed.'),
  updated_by: Type.String({ description: 'The caller who last changed it.' }),
  retired_at: Type.Optional(timestamp('When it was retired; absent before.')),
};

/** A definition as lists show it: without source and overview. */
export const DefinitionListEntrySchema = Type.Object(LIST_FIELDS, { additionalProperties: false });
export type DefinitionListEntry = Static<typeof DefinitionListEntrySchema>;

export const DefinitionSchema = Type.Object(
  {
    ...LIST_FIELDS,
    source: Type.String({ description: 'The document.' }),
    overview: Type.String({
      description: 'Markdown: what the definition needs, produces and does, and which definitions use it.',
    }),
  },
  { additionalProperties: false },
);
export type Definition = Static<typeof DefinitionSchema>;

export const DefinitionVersionSchema = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'The version, from 1.' }),
    saved_at: timestamp('When it was saved.'),
    saved_by: Type.String({ description: 'The caller who saved it.' }),
  },
  { additionalProperties: false },
);
export type DefinitionVersion = Static<typeof DefinitionVersionSchema>;

/** What check_definition answers. */
export const DocumentCheckSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether saving would take the document.' }),
    issues: Type.Array(SourceIssueSchema, { description: 'What saving would refuse.' }),
    warnings: Type.Array(SourceIssueSchema, { description: 'What would be saved and may not be meant.' }),
    overview: Type.Optional(Type.String({ description: 'Markdown; present for a valid document.' })),
  },
  { additionalProperties: false },
);
export type DocumentCheck = Static<typeof DocumentCheckSchema>;

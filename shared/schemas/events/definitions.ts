import Type from 'typebox';
import { DefinitionTypeSchema, jsonObject, SourceIssueSchema } from '../fields.ts';
import { DefinitionSchema } from '../definition.ts';
import { CLOSED, optionalText, text } from './fields.ts';

const NAMED = {
  type: DefinitionTypeSchema,
  name: text('Name of the definition.'),
  version: Type.Integer({ minimum: 1, description: 'The version, from 1.' }),
};

const SAVED = {
  ...NAMED,
  media_type: text('Media type of the source.'),
  description: optionalText("The document's own description."),
  input_schema: Type.Optional(jsonObject("JSON Schema of a run's input. If absent, any JSON value is valid.")),
  output_schema: Type.Optional(jsonObject("JSON Schema of a run's output.")),
  other_output_schema: Type.Optional(
    jsonObject(
      'JSON Schema of what some runs return instead: a listed outcome of a tool call, or the report of a build.',
    ),
  ),
  details: DefinitionSchema.properties.details,
  overview: text('Markdown: what the definition needs, produces and does.'),
  references: Type.Array(
    Type.Object(
      { type: DefinitionTypeSchema, name: text('Name of the definition.'), use: text('How the document uses it.') },
      CLOSED,
    ),
    { description: 'The definitions that the document names.' },
  ),
  reads: Type.Optional(
    Type.Array(Type.Unsafe<object>({ type: 'object' }), {
      description: 'Recall functions: the filters that select the events of the view.',
    }),
  ),
  output_shape: optionalText('Recall functions: name of the output shape.'),
  triggers: Type.Optional(DefinitionSchema.properties.triggers),
  events: Type.Optional(
    Type.Object(
      {
        emits: Type.Array(Type.String(), { description: 'Types of events that runs emit.' }),
        receives: Type.Array(Type.String(), {
          description: 'Types of events that start runs, that runs wait for, or that the view reads.',
        }),
        emitsAny: Type.Optional(Type.Boolean({ description: 'Some emitted type is only known in a run.' })),
        receivesAny: Type.Optional(
          Type.Boolean({ description: 'Events of any type are received, or some type is only known in a run.' }),
        ),
      },
      { ...CLOSED, description: 'Workflows and recall functions: the types of events that they emit and receive.' },
    ),
  ),
  warnings: Type.Array(SourceIssueSchema, { description: 'Possible mistakes in the saved document.' }),
  source: optionalText('The document.'),
};

export const DEFINITION_EVENTS = {
  definition_created: Type.Object(SAVED, { ...CLOSED, description: 'The first version of a definition was saved.' }),
  definition_updated: Type.Object(SAVED, { ...CLOSED, description: 'A further version of a definition was saved.' }),
  definition_retired: Type.Object(NAMED, { ...CLOSED, description: 'A definition was retired.' }),
};

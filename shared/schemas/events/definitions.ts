import Type from 'typebox';
import {
  DefinitionTypeSchema,
  flag,
  integer,
  jsonObject,
  list,
  object,
  objects,
  optional,
  SourceIssueSchema,
  text,
} from '../fields.ts';
import { DefinitionSchema } from '../definition.ts';
import { optionalText } from './fields.ts';

const NAMED = {
  type: DefinitionTypeSchema,
  name: text('Name of the definition.'),
  version: integer('The version, from 1.', { minimum: 1 }),
};

const SAVED = {
  ...NAMED,
  media_type: text('Media type of the source.'),
  description: optionalText("The document's own description."),
  input_schema: optional(jsonObject("JSON Schema of a run's input. If absent, any JSON value is valid.")),
  output_schema: optional(jsonObject("JSON Schema of a run's output.")),
  other_output_schema: optional(
    jsonObject(
      'JSON Schema of what some runs return instead: a listed outcome of a tool call, or the report of a build.',
    ),
  ),
  details: DefinitionSchema.properties.details,
  overview: text('Markdown: what the definition needs, produces and does.'),
  references: objects('The definitions that the document names.', {
    type: DefinitionTypeSchema,
    name: text('Name of the definition.'),
    use: text('How the document uses it.'),
  }),
  reads: optional(
    list('Recall functions: the filters that select the events of the view.', Type.Unsafe<object>({ type: 'object' })),
  ),
  output_shape: optionalText('Recall functions: name of the output shape.'),
  triggers: optional(DefinitionSchema.properties.triggers),
  events: optional(
    object('Workflows and recall functions: the types of events that they emit and receive.', {
      emits: list('Types of events that runs emit.', Type.String()),
      receives: list('Types of events that start runs, that runs wait for, or that the view reads.', Type.String()),
      emitsAny: optional(flag('Some emitted type is only known in a run.')),
      receivesAny: optional(flag('Events of any type are received, or some type is only known in a run.')),
    }),
  ),
  warnings: list('Possible mistakes in the saved document.', SourceIssueSchema),
  source: optionalText('The document.'),
};

export const DEFINITION_EVENTS = {
  definition_created: object('The first version of a definition was saved.', SAVED),
  definition_updated: object('A further version of a definition was saved.', SAVED),
  definition_retired: object('A definition was retired.', NAMED),
};

import Type, { type Static } from 'typebox';
import type { Json, JsonObject } from '../json.ts';
import {
  count,
  DefinitionTypeSchema,
  flag,
  integer,
  jsonObject,
  list,
  object,
  objects,
  oneOf,
  optional,
  orNull,
  SourceIssueSchema,
  text,
  timestamp,
} from './fields.ts';

/** What starts runs of a workflow automatically. The kind `after` is an addition to the contract. */
export const TriggerSchema = object('What starts runs of a workflow.', {
  kind: oneOf('What fires the trigger.', ['event', 'cron', 'every', 'after']),
  reference: text('JSON Pointer to the trigger in its document.'),
  filters: optional(
    objects('Event triggers: the events that start a run.', {
      reference: text('JSON Pointer to the filter in its document.'),
      type: optional(text('The event type that the filter matches.')),
      attributes: jsonObject('The other attributes that an event must have.'),
    }),
  ),
  read: optional(
    oneOf(
      "Event triggers: what the run's input lists of each event, the whole event or its data as text; absent: its data.",
      ['envelope', 'raw'],
    ),
  ),
  expression: optional(text('Cron triggers: a cron expression of five fields.')),
  milliseconds: optional(integer('Every and after triggers: the interval.')),
});

const LIST_FIELDS = {
  type: DefinitionTypeSchema,
  name: text('The name; unique within its type and playbook.'),
  version: integer('The version, from 1.', { minimum: 1 }),
  status: oneOf('A retired definition can be read, but not edited or run.', ['active', 'retired']),
  media_type: text('Media type of the source.'),
  description: optional(text("The document's own description.")),
  input_schema: optional(jsonObject("JSON Schema of a run's input. If absent, any JSON value is valid.")),
  output_schema: optional(jsonObject("JSON Schema of a run's output.")),
  details: object('Other settings of the document.', {
    shape: optional(text('Name of the output shape, if the document has one.')),
    expose: optional(Type.Literal(true, { description: 'The definition is exposed as an MCP tool.' })),
    examples: optional(
      objects('Inputs to test the definition with.', {
        name: text('The name of the example.'),
        input: Type.Unknown({ description: 'The input of the run.' }),
        output: optional(Type.Unknown({ description: 'The expected output.' })),
        events: optional(
          Type.Unsafe<readonly JsonObject[]>({
            type: 'array',
            items: { type: 'object' },
            description:
              'Workflows: events that the run receives. Recall functions: events from which the view is built.',
          }),
        ),
        calls: optional(
          Type.Unsafe<Readonly<Record<string, Json>>>({
            type: 'object',
            description: 'Workflows: the results of calls, by the step that calls or by what is called.',
          }),
        ),
      }),
    ),
  }),
  triggers: optional(list('What starts runs automatically; only for workflows with a schedule.', TriggerSchema)),
  warnings: list('Possible mistakes in the saved document.', SourceIssueSchema),
  created_at: timestamp('When its first version was saved.'),
  created_by: text('The caller who saved the first version.'),
  updated_at: timestamp('When it was last changed.'),
  updated_by: text('The caller who last changed it.'),
  retired_at: optional(timestamp('When it was retired; absent for an active definition.')),
};

export const RecallStandingSchema = object('Recall functions: the state of the view; returned by get_definition.', {
  state: oneOf(
    'Whether runs are served: only in the state `current`, not while the view of the current version is built, nor after it has stalled.',
    ['building', 'current', 'stalled'],
  ),
  version: integer('The version of the definition that the view belongs to.', { minimum: 1 }),
  checkpoint: count('The read position of the last event that the view has read.'),
  behind: count('The number of matching events that the view has not read yet.'),
  at: timestamp('When the state was stored.'),
  stalled_by: optional(
    object('The event at which the view stalled.', {
      event_id: text('The event.'),
      type: text('The type of the event, for example event_published.'),
      at: timestamp('When the event was recorded.'),
      detail: text('Why `evolve` failed on the event.'),
    }),
  ),
});
export type RecallStanding = Static<typeof RecallStandingSchema>;

const OF_MODEL = {
  version: integer('The model version, from 1.', { minimum: 1 }),
};
export const PredictionStandingSchema = object(
  'Prediction functions: the dataset and the model versions; returned by get_definition.',
  {
    dataset: orNull(
      'The newest dataset with the columns and the period of the function; null if there is none.',
      object({
        dataset: text('SHA-256 of the file.'),
        series: integer('The number of series.', { minimum: 1 }),
        first: text('The label of the first period with a value.'),
        last: text('The label of the last period with a value.'),
      }),
    ),
    active: orNull(
      'The model version that answers questions; null if there is none.',
      object({
        ...OF_MODEL,
        activated_at: timestamp('When it was activated.'),
        rule: oneOf('What activated it.', ['gate', 'approval', 'shadow', 'caller']),
        scores: jsonObject('Its scores on the judge windows.'),
      }),
    ),
    pending: orNull(
      'The model version that waits to be activated; null if there is none.',
      object({
        ...OF_MODEL,
        for: oneOf('What it waits for.', ['shadow', 'approval']),
        since: timestamp('Since when it waits.'),
      }),
    ),
    builds_today: count('Builds that started today (UTC).'),
    builds_left: count('Builds that may still start today.'),
  },
);
export type PredictionStanding = Static<typeof PredictionStandingSchema>;

/** A definition as lists show it: without source and overview. */
export const DefinitionListEntrySchema = object(LIST_FIELDS);
export type DefinitionListEntry = Static<typeof DefinitionListEntrySchema>;

export const DefinitionSchema = object({
  ...LIST_FIELDS,
  source: text('The document.'),
  triggers_since: optional(
    text(
      'Active workflows with triggers: the event that saved the current version. Runs that its triggers start after that event use this version.',
    ),
  ),
  standing: optional(
    Type.Union([RecallStandingSchema, PredictionStandingSchema], {
      description: "A recall function's view, or a prediction function's dataset and model versions.",
    }),
  ),
  overview: text('Markdown: what the definition needs, produces and does, and which definitions use it.'),
});
export type Definition = Static<typeof DefinitionSchema>;

export const DefinitionVersionSchema = object({
  version: integer('The version, from 1.', { minimum: 1 }),
  saved_at: timestamp('When it was saved.'),
  saved_by: text('The caller who saved it.'),
});
export type DefinitionVersion = Static<typeof DefinitionVersionSchema>;

/** The steps of a workflow as a graph. Ids are JSON Pointers in the document; lines count from 1. */
export const DocumentGraphSchema = object('Workflows: the steps as a graph.', {
  nodes: objects('The steps.', {
    id: text('JSON Pointer to the step, or `start` or `end`.'),
    name: text('Name of the step.'),
    type: text('The type of the step: `call`, `do`, `set`, ..., or `start` or `end`.'),
    summary: text('A short description of what the step does.'),
    parent: optional(text('The step that contains this step.')),
    calls: optional(text('What it calls: TYPE/NAME or SERVER/TOOL.')),
    line: integer('Its line in the source.', { minimum: 1 }),
  }),
  edges: objects('The transitions between steps.', {
    from: text('The step at the start of the edge.'),
    to: text('The step at the end of the edge.'),
    kind: oneOf('The kind of transition.', [
      'next',
      'then',
      'case',
      'skip',
      'exit',
      'catch',
      'enter',
      'branch',
      'call',
    ]),
    label: optional(text('The label of the edge.')),
  }),
});
export type DocumentGraph = Static<typeof DocumentGraphSchema>;

/** What check_definition answers. */
export const DocumentCheckSchema = object({
  valid: flag('Whether the document can be saved.'),
  issues: list('Errors that prevent saving.', SourceIssueSchema),
  warnings: list('Possible mistakes that do not prevent saving.', SourceIssueSchema),
  overview: optional(text('Markdown; present if the document is valid.')),
  graph: optional(DocumentGraphSchema),
  declarations: optional(
    text(
      'Valid computations and recall functions: TypeScript declarations of the names that the program can use without declaring them, based on the schemas that it exports; for editors.',
    ),
  ),
  input_schema: optional(jsonObject('JSON Schema of the input that the document declares.')),
  triggers: optional(list('Workflows: what starts runs automatically.', TriggerSchema)),
});
export type DocumentCheck = Static<typeof DocumentCheckSchema>;

import Type, { type Static } from 'typebox';
import type { Json, JsonObject } from '../json.ts';
import { DefinitionTypeSchema, jsonObject, SourceIssueSchema, timestamp } from './fields.ts';

/** What starts runs of a workflow automatically. The kind `after` is an addition to the contract. */
export const TriggerSchema = Type.Object(
  {
    kind: Type.Enum(['event', 'cron', 'every', 'after'], { description: 'What fires the trigger.' }),
    reference: Type.String({ description: 'JSON Pointer to the trigger in its document.' }),
    filters: Type.Optional(
      Type.Array(
        Type.Object(
          {
            reference: Type.String({ description: 'JSON Pointer to the filter in its document.' }),
            type: Type.Optional(Type.String({ description: 'The event type that the filter matches.' })),
            attributes: jsonObject('The other attributes that an event must have.'),
          },
          { additionalProperties: false },
        ),
        { description: 'Event triggers: the events that start a run.' },
      ),
    ),
    read: Type.Optional(
      Type.Enum(['envelope', 'raw'], {
        description:
          "Event triggers: what the run's input lists of each event, the whole event or its data as text; absent: its data.",
      }),
    ),
    expression: Type.Optional(Type.String({ description: 'Cron triggers: a cron expression of five fields.' })),
    milliseconds: Type.Optional(Type.Integer({ description: 'Every and after triggers: the interval.' })),
  },
  { additionalProperties: false, description: 'What starts runs of a workflow.' },
);

const LIST_FIELDS = {
  type: DefinitionTypeSchema,
  name: Type.String({ description: 'The name; unique within its type and playbook.' }),
  version: Type.Integer({ minimum: 1, description: 'The version, from 1.' }),
  status: Type.Enum(['active', 'retired'], { description: 'A retired definition can be read, but not edited or run.' }),
  media_type: Type.String({ description: 'Media type of the source.' }),
  description: Type.Optional(Type.String({ description: "The document's own description." })),
  input_schema: Type.Optional(jsonObject("JSON Schema of a run's input. If absent, any JSON value is valid.")),
  output_schema: Type.Optional(jsonObject("JSON Schema of a run's output.")),
  details: Type.Object(
    {
      shape: Type.Optional(Type.String({ description: 'Name of the output shape, if the document has one.' })),
      expose: Type.Optional(Type.Literal(true, { description: 'The definition is exposed as an MCP tool.' })),
      examples: Type.Optional(
        Type.Array(
          Type.Object(
            {
              name: Type.String({ description: 'The name of the example.' }),
              input: Type.Unknown({ description: 'The input of the run.' }),
              output: Type.Optional(Type.Unknown({ description: 'The expected output.' })),
              events: Type.Optional(
                Type.Unsafe<readonly JsonObject[]>({
                  type: 'array',
                  items: { type: 'object' },
                  description:
                    'Workflows: events that the run receives. Recall functions: events from which the view is built.',
                }),
              ),
              calls: Type.Optional(
                Type.Unsafe<Readonly<Record<string, Json>>>({
                  type: 'object',
                  description: 'Workflows: the results of calls, by the step that calls or by what is called.',
                }),
              ),
            },
            { additionalProperties: false },
          ),
          { description: 'Inputs to test the definition with.' },
        ),
      ),
    },
    { additionalProperties: false, description: 'Other settings of the document.' },
  ),
  triggers: Type.Optional(
    Type.Array(TriggerSchema, {
      description: 'What starts runs automatically; only for workflows with a schedule.',
    }),
  ),
  warnings: Type.Array(SourceIssueSchema, { description: 'Possible mistakes in the saved document.' }),
  created_at: timestamp('When its first version was saved.'),
  created_by: Type.String({ description: 'The caller who saved the first version.' }),
  updated_at: timestamp('When it was last changed.'),
  updated_by: Type.String({ description: 'The caller who last changed it.' }),
  retired_at: Type.Optional(timestamp('When it was retired; absent for an active definition.')),
};

export const RecallStandingSchema = Type.Object(
  {
    state: Type.Enum(['building', 'current', 'stalled'], {
      description:
        'Whether runs are served: only in the state `current`, not while the view of the current version is built, nor after it has stalled.',
    }),
    version: Type.Integer({ minimum: 1, description: 'The version of the definition that the view belongs to.' }),
    checkpoint: Type.Integer({
      minimum: 0,
      description: 'The read position of the last event that the view has read.',
    }),
    behind: Type.Integer({ minimum: 0, description: 'The number of matching events that the view has not read yet.' }),
    at: timestamp('When the state was stored.'),
    stalled_by: Type.Optional(
      Type.Object(
        {
          event_id: Type.String({ description: 'The event.' }),
          type: Type.String({ description: 'The type of the event, for example event_published.' }),
          at: timestamp('When the event was recorded.'),
          detail: Type.String({ description: 'Why `evolve` failed on the event.' }),
        },
        { additionalProperties: false, description: 'The event at which the view stalled.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Recall functions: the state of the view; returned by get_definition.' },
);
export type RecallStanding = Static<typeof RecallStandingSchema>;

const OF_MODEL = {
  version: Type.Integer({ minimum: 1, description: 'The model version, from 1.' }),
};
export const PredictionStandingSchema = Type.Object(
  {
    dataset: Type.Union(
      [
        Type.Object(
          {
            dataset: Type.String({ description: 'SHA-256 of the file.' }),
            series: Type.Integer({ minimum: 1, description: 'The number of series.' }),
            first: Type.String({ description: 'The label of the first period with a value.' }),
            last: Type.String({ description: 'The label of the last period with a value.' }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The newest dataset with the columns and the period of the function; null if there is none.' },
    ),
    active: Type.Union(
      [
        Type.Object(
          {
            ...OF_MODEL,
            activated_at: timestamp('When it was activated.'),
            rule: Type.Enum(['gate', 'approval', 'shadow', 'caller'], { description: 'What activated it.' }),
            scores: jsonObject('Its scores on the judge windows.'),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The model version that answers questions; null if there is none.' },
    ),
    pending: Type.Union(
      [
        Type.Object(
          {
            ...OF_MODEL,
            for: Type.Enum(['shadow', 'approval'], { description: 'What it waits for.' }),
            since: timestamp('Since when it waits.'),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The model version that waits to be activated; null if there is none.' },
    ),
    builds_today: Type.Integer({ minimum: 0, description: 'Builds that started today (UTC).' }),
    builds_left: Type.Integer({ minimum: 0, description: 'Builds that may still start today.' }),
  },
  {
    additionalProperties: false,
    description: 'Prediction functions: the dataset and the model versions; returned by get_definition.',
  },
);
export type PredictionStanding = Static<typeof PredictionStandingSchema>;

/** A definition as lists show it: without source and overview. */
export const DefinitionListEntrySchema = Type.Object(LIST_FIELDS, { additionalProperties: false });
export type DefinitionListEntry = Static<typeof DefinitionListEntrySchema>;

export const DefinitionSchema = Type.Object(
  {
    ...LIST_FIELDS,
    source: Type.String({ description: 'The document.' }),
    triggers_since: Type.Optional(
      Type.String({
        description:
          'Active workflows with triggers: the event that saved the current version. Runs that its triggers start after that event use this version.',
      }),
    ),
    standing: Type.Optional(
      Type.Union([RecallStandingSchema, PredictionStandingSchema], {
        description: "A recall function's view, or a prediction function's dataset and model versions.",
      }),
    ),
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

/** The steps of a workflow as a graph. Ids are JSON Pointers in the document; lines count from 1. */
export const DocumentGraphSchema = Type.Object(
  {
    nodes: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'JSON Pointer to the step, or `start` or `end`.' }),
          name: Type.String({ description: 'Name of the step.' }),
          type: Type.String({ description: 'The type of the step: `call`, `do`, `set`, ..., or `start` or `end`.' }),
          summary: Type.String({ description: 'A short description of what the step does.' }),
          parent: Type.Optional(Type.String({ description: 'The step that contains this step.' })),
          calls: Type.Optional(Type.String({ description: 'What it calls: TYPE/NAME or SERVER/TOOL.' })),
          line: Type.Integer({ minimum: 1, description: 'Its line in the source.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'The steps.' },
    ),
    edges: Type.Array(
      Type.Object(
        {
          from: Type.String({ description: 'The step at the start of the edge.' }),
          to: Type.String({ description: 'The step at the end of the edge.' }),
          kind: Type.Enum(['next', 'then', 'case', 'skip', 'exit', 'catch', 'enter', 'branch', 'call'], {
            description: 'The kind of transition.',
          }),
          label: Type.Optional(Type.String({ description: 'The label of the edge.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'The transitions between steps.' },
    ),
  },
  { additionalProperties: false, description: 'Workflows: the steps as a graph.' },
);
export type DocumentGraph = Static<typeof DocumentGraphSchema>;

/** What check_definition answers. */
export const DocumentCheckSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the document can be saved.' }),
    issues: Type.Array(SourceIssueSchema, { description: 'Errors that prevent saving.' }),
    warnings: Type.Array(SourceIssueSchema, { description: 'Possible mistakes that do not prevent saving.' }),
    overview: Type.Optional(Type.String({ description: 'Markdown; present if the document is valid.' })),
    graph: Type.Optional(DocumentGraphSchema),
    declarations: Type.Optional(
      Type.String({
        description:
          'Valid computations and recall functions: TypeScript declarations of the names that the program can use without declaring them, based on the schemas that it exports; for editors.',
      }),
    ),
    input_schema: Type.Optional(jsonObject('JSON Schema of the input that the document declares.')),
    triggers: Type.Optional(Type.Array(TriggerSchema, { description: 'Workflows: what starts runs automatically.' })),
  },
  { additionalProperties: false },
);
export type DocumentCheck = Static<typeof DocumentCheckSchema>;

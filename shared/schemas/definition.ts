import Type, { type Static } from 'typebox';
import type { Json, JsonObject } from '../json.ts';
import { DefinitionTypeSchema, jsonObject, SourceIssueSchema, timestamp } from './fields.ts';

/** What starts runs of a workflow by itself. The kind `after` is an addition to the contract. */
const TriggerSchema = Type.Object(
  {
    kind: Type.Enum(['event', 'cron', 'every', 'after'], { description: 'What it waits for.' }),
    reference: Type.String({ description: "The trigger's place in its document." }),
    filters: Type.Optional(
      Type.Array(
        Type.Object(
          {
            reference: Type.String({ description: "The filter's place in its document." }),
            type: Type.Optional(Type.String({ description: 'The type of event that it keeps.' })),
            attributes: jsonObject('The other attributes that events must have.'),
          },
          { additionalProperties: false },
        ),
        { description: 'Event trigger: which events start a run.' },
      ),
    ),
    expression: Type.Optional(Type.String({ description: 'Cron trigger: five fields.' })),
    milliseconds: Type.Optional(Type.Integer({ description: 'Every and after trigger: the period.' })),
  },
  { additionalProperties: false },
);

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
              events: Type.Optional(
                Type.Unsafe<readonly JsonObject[]>({
                  type: 'array',
                  items: { type: 'object' },
                  description:
                    'Workflows: events that reach the run. Recall functions: events that the view is kept over.',
                }),
              ),
              calls: Type.Optional(
                Type.Unsafe<Readonly<Record<string, Json>>>({
                  type: 'object',
                  description: 'Workflows: what calls give, by step or by what is called.',
                }),
              ),
            },
            { additionalProperties: false },
          ),
          { description: 'Inputs to try the definition with.' },
        ),
      ),
    },
    { additionalProperties: false, description: 'What else the document declares.' },
  ),
  triggers: Type.Optional(
    Type.Array(TriggerSchema, {
      description: 'What starts runs of a workflow by itself; workflows with a schedule only.',
    }),
  ),
  warnings: Type.Array(SourceIssueSchema, { description: 'What was saved and may not be meant.' }),
  created_at: timestamp('When its first version was saved.'),
  created_by: Type.String({ description: 'The caller who saved the first version.' }),
  updated_at: timestamp('When it was last changed.'),
  updated_by: Type.String({ description: 'The caller who last changed it.' }),
  retired_at: Type.Optional(timestamp('When it was retired; absent before.')),
};

const RecallStandingSchema = Type.Object(
  {
    state: Type.Enum(['building', 'current', 'stalled'], {
      description:
        'Whether runs are answered: not while the view of the current version is built, nor once it stalled.',
    }),
    version: Type.Integer({ minimum: 1, description: 'The version whose view it is.' }),
    checkpoint: Type.Integer({
      minimum: 0,
      description: "The place in the playbook's order of events up to which the view has read.",
    }),
    behind: Type.Integer({ minimum: 0, description: 'Events that the view keeps and has not read.' }),
    at: timestamp('When the state was stored.'),
    stalled_by: Type.Optional(
      Type.Object(
        {
          event_id: Type.String({ description: 'The event.' }),
          type: Type.String({ description: 'What kind of record it is, for example event_published.' }),
          at: timestamp('When the event was recorded.'),
          detail: Type.String({ description: 'Why `evolve` cannot take it.' }),
        },
        { additionalProperties: false, description: 'The event at which the view stalled.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Recall functions: how the view stands; shown by get_definition.' },
);
export type RecallStanding = Static<typeof RecallStandingSchema>;

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
          'Active workflows with triggers: the event that saved the current version. Every run that its triggers start from that event on is a run of this version.',
      }),
    ),
    standing: Type.Optional(RecallStandingSchema),
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
const DocumentGraphSchema = Type.Object(
  {
    nodes: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'JSON Pointer of the step, or `start` and `end`.' }),
          name: Type.String({ description: 'Name of the step.' }),
          type: Type.String({ description: 'What the step is: `call`, `do`, `set`, ..., or `start` or `end`.' }),
          summary: Type.String({ description: 'What it does, in a few words.' }),
          parent: Type.Optional(Type.String({ description: 'The step that it stands in.' })),
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
          from: Type.String({ description: 'The step that is left.' }),
          to: Type.String({ description: 'The step that is entered.' }),
          kind: Type.Enum(['next', 'then', 'case', 'skip', 'exit', 'catch', 'enter', 'branch', 'call'], {
            description: 'Why it leads there.',
          }),
          label: Type.Optional(Type.String({ description: 'What to write beside it.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'Where each step goes on.' },
    ),
  },
  { additionalProperties: false, description: 'Of a workflow: its steps as a graph.' },
);
export type DocumentGraph = Static<typeof DocumentGraphSchema>;

/** What check_definition answers. */
export const DocumentCheckSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether saving would take the document.' }),
    issues: Type.Array(SourceIssueSchema, { description: 'What saving would refuse.' }),
    warnings: Type.Array(SourceIssueSchema, { description: 'What would be saved and may not be meant.' }),
    overview: Type.Optional(Type.String({ description: 'Markdown; present for a valid document.' })),
    graph: Type.Optional(DocumentGraphSchema),
    declarations: Type.Optional(
      Type.String({
        description:
          'Of a valid computation or recall function: TypeScript of the names that it can use without declaring them, from the schemas that it exports; for editors.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type DocumentCheck = Static<typeof DocumentCheckSchema>;

import Type, { type Static } from 'typebox';
import type { Reason } from '../problems.ts';
import { AWAITED, RUN_STATUSES } from '../run-status.ts';
import { DefinitionTypeSchema, IssueSchema, jsonObject, timestamp } from './fields.ts';

export const CalledBySchema = Type.Object(
  {
    run_id: Type.String({ format: 'uuid', description: 'The calling run.' }),
    reference: Type.String({ description: 'JSON Pointer to the call in its document.' }),
    run: Type.String({ description: 'The calling definition, as TYPE/NAME.' }),
  },
  { additionalProperties: false, description: 'The call that started the run.' },
);

export const TriggerReferenceSchema = Type.Object(
  {
    kind: Type.Enum(['event', 'cron', 'every', 'after'], { description: 'What fired the trigger.' }),
    reference: Type.String({ description: 'JSON Pointer to the trigger in its document.' }),
  },
  { additionalProperties: false, description: 'The trigger that started the run.' },
);

const EVENT_OF_TRIGGER = { 'x-addition': true } as const;

/** The trigger of a run: of an event trigger, also the event that fired it, as an addition to the contract. */
export const RunTriggerSchema = Type.Object(
  {
    ...TriggerReferenceSchema.properties,
    event_id: Type.Optional(
      Type.String({
        ...EVENT_OF_TRIGGER,
        description: 'The recorded event that started the run; get_event returns it.',
      }),
    ),
    source: Type.Optional(Type.String({ ...EVENT_OF_TRIGGER, description: 'The `source` of that event.' })),
    id: Type.Optional(
      Type.String({ ...EVENT_OF_TRIGGER, description: 'The `id` of that event, unique in its source.' }),
    ),
  },
  { additionalProperties: false, description: 'The trigger that started the run.' },
);

export const RunOriginSchema = Type.Object(
  {
    run_id: Type.String({ format: 'uuid', description: 'The run that it continues from.' }),
    step: Type.String({ description: 'JSON Pointer to the step that it began with.' }),
    iterations: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description: 'The iterations of the loops around the step, outermost first, from 0.',
      }),
    ),
    definition_version: Type.Integer({ minimum: 1, description: 'The version that the other run used.' }),
  },
  {
    additionalProperties: false,
    description: 'The run whose recorded results it uses, and from which step; see rerun. An addition to the contract.',
  },
);
export type RunOrigin = Static<typeof RunOriginSchema>;

const LIST_FIELDS = {
  run_id: Type.String({ format: 'uuid', description: 'The id of the run.' }),
  type: DefinitionTypeSchema,
  name: Type.String({ description: 'Name of the definition that was run.' }),
  definition_version: Type.Integer({ minimum: 1, description: 'The version that the last attempt used.' }),
  status: Type.Enum(RUN_STATUSES, { description: 'The status of the run.' }),
  attempt: Type.Integer({ minimum: 1, description: 'The number of the last attempt, from 1.' }),
  started_at: timestamp('When the run first started.'),
  attempt_started_at: timestamp('When its last attempt started.'),
  ended_at: Type.Optional(timestamp('When it ended; absent while the run is in progress.')),
  started_by: Type.String({ description: 'The caller who started it.' }),
  model: Type.Optional(
    Type.String({
      description: 'The model that the caller named instead of the one in the document. An addition to the contract.',
    }),
  ),
  called_by: Type.Optional(CalledBySchema),
  trigger: Type.Optional(RunTriggerSchema),
  origin: Type.Optional(RunOriginSchema),
  reason: Type.Optional(Type.Unsafe<Reason>({ type: 'string', description: 'Why it was rejected.' })),
  kind: Type.Optional(Type.String({ description: 'The kind of the reason.' })),
  because: Type.Optional(Type.String({ description: 'The cause.' })),
  output_shape: Type.Optional(Type.String({ description: 'Name of the shape of the output, if it has one.' })),
  waits_for: Type.Optional(
    Type.Array(Type.Enum(AWAITED), {
      description: 'What a started run is waiting for; absent while it is not waiting. An addition to the contract.',
    }),
  ),
};

/** A run as lists show it: without output, record, and the detail and issues of a rejection. */
export const RunListEntrySchema = Type.Object(LIST_FIELDS, { additionalProperties: false });
export type RunListEntry = Static<typeof RunListEntrySchema>;

const RUN_FIELDS = {
  ...LIST_FIELDS,
  output: Type.Optional(Type.Unknown({ description: 'The output; present if the run succeeded.' })),
  detail: Type.Optional(Type.String({ description: 'Why the run did not succeed, as a message for people.' })),
  issues: Type.Optional(Type.Array(IssueSchema, { description: 'For `invalid_input`: every issue that was found.' })),
  retry_after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Seconds to wait before a new run; present if something that the run needed was unavailable.',
    }),
  ),
};

/** The response of run_definition. */
export const RunSchema = Type.Object(RUN_FIELDS, { additionalProperties: false });
export type Run = Static<typeof RunSchema>;

/** The response of get_run. */
export const RunWithRecordSchema = Type.Object(
  {
    ...RUN_FIELDS,
    record: jsonObject('Details of what the run did, besides its output; empty while the run is in progress.'),
  },
  { additionalProperties: false },
);
export type RunWithRecord = Static<typeof RunWithRecordSchema>;

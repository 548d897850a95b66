import Type, { type Static } from 'typebox';
import type { Reason } from '../problems.ts';
import { AWAITED, RUN_STATUSES } from '../run-status.ts';
import { DefinitionTypeSchema, IssueSchema, jsonObject, timestamp } from './fields.ts';

export const CalledBySchema = Type.Object(
  {
    run_id: Type.String({ format: 'uuid', description: 'The calling run.' }),
    reference: Type.String({ description: "The call's place in its document." }),
    run: Type.String({ description: 'The calling definition, as TYPE/NAME.' }),
  },
  { additionalProperties: false, description: 'The call that started the run.' },
);

export const TriggerReferenceSchema = Type.Object(
  {
    kind: Type.Enum(['event', 'cron', 'every', 'after'], { description: 'What it waits for.' }),
    reference: Type.String({ description: "The trigger's place in its document." }),
  },
  { additionalProperties: false, description: 'The trigger that started the run.' },
);

const LIST_FIELDS = {
  run_id: Type.String({ format: 'uuid', description: 'The id of the run.' }),
  type: DefinitionTypeSchema,
  name: Type.String({ description: 'Name of the definition that was carried out.' }),
  definition_version: Type.Integer({ minimum: 1, description: 'The version used by the last attempt.' }),
  status: Type.Enum(RUN_STATUSES, { description: 'How the run stands or ended.' }),
  attempt: Type.Integer({ minimum: 1, description: 'The last attempt, from 1.' }),
  started_at: timestamp('When the run first started.'),
  attempt_started_at: timestamp('When its last attempt started.'),
  ended_at: Type.Optional(timestamp('When it ended; absent while it goes on.')),
  started_by: Type.String({ description: 'The caller who started it.' }),
  called_by: Type.Optional(CalledBySchema),
  trigger: Type.Optional(TriggerReferenceSchema),
  reason: Type.Optional(Type.Unsafe<Reason>({ type: 'string', description: 'Why it was rejected.' })),
  kind: Type.Optional(Type.String({ description: 'Which case of the reason.' })),
  because: Type.Optional(Type.String({ description: 'What lies behind it.' })),
  output_shape: Type.Optional(Type.String({ description: 'Name of the shape of the output, where it takes one.' })),
  waits_for: Type.Optional(
    Type.Array(Type.Enum(AWAITED), {
      description: 'What a started run is waiting for; absent while it is working. An addition to the contract.',
    }),
  ),
};

/** A run as lists show it: without output, record, and the detail and issues of a rejection. */
export const RunListEntrySchema = Type.Object(LIST_FIELDS, { additionalProperties: false });
export type RunListEntry = Static<typeof RunListEntrySchema>;

const RUN_FIELDS = {
  ...LIST_FIELDS,
  output: Type.Optional(Type.Unknown({ description: 'What the run gave; present on success.' })),
  detail: Type.Optional(Type.String({ description: 'Why it did not succeed, in words.' })),
  issues: Type.Optional(Type.Array(IssueSchema, { description: 'For `invalid_input`: everything that is wrong.' })),
  retry_after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Seconds after which a run that found something unavailable may succeed.',
    }),
  ),
};

/** What run_definition answers. */
export const RunSchema = Type.Object(RUN_FIELDS, { additionalProperties: false });
export type Run = Static<typeof RunSchema>;

/** What get_run answers. */
export const RunWithRecordSchema = Type.Object(
  { ...RUN_FIELDS, record: jsonObject('What the run did beside its output; empty while it goes on.') },
  { additionalProperties: false },
);
export type RunWithRecord = Static<typeof RunWithRecordSchema>;

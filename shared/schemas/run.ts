import Type, { type Static } from 'typebox';
import type { Reason } from '../problems.ts';
import { AWAITED, RUN_STATUSES } from '../run-status.ts';
import {
  count,
  DefinitionTypeSchema,
  integer,
  IssueSchema,
  jsonObject,
  list,
  object,
  oneOf,
  optional,
  text,
  timestamp,
} from './fields.ts';

export const CalledBySchema = object('The call that started the run.', {
  run_id: text('The calling run.', { format: 'uuid' }),
  reference: text('JSON Pointer to the call in its document.'),
  run: text('The calling definition, as TYPE/NAME.'),
});

export const TriggerReferenceSchema = object('The trigger that started the run.', {
  kind: oneOf('What fired the trigger.', ['event', 'cron', 'every', 'after']),
  reference: text('JSON Pointer to the trigger in its document.'),
});

const EVENT_OF_TRIGGER = { 'x-addition': true } as const;

/** The trigger of a run: of an event trigger, also the event that fired it, as an addition to the contract. */
export const RunTriggerSchema = object('The trigger that started the run.', {
  ...TriggerReferenceSchema.properties,
  event_id: optional(text('The recorded event that started the run; get_event returns it.', { ...EVENT_OF_TRIGGER })),
  source: optional(text('The `source` of that event.', { ...EVENT_OF_TRIGGER })),
  id: optional(text('The `id` of that event, unique in its source.', { ...EVENT_OF_TRIGGER })),
});

export const RunOriginSchema = object(
  'The run whose recorded results it uses, and from which step; see rerun. An addition to the contract.',
  {
    run_id: text('The run that it continues from.', { format: 'uuid' }),
    step: text('JSON Pointer to the step that it began with.'),
    iterations: optional(
      list('The iterations of the loops around the step, outermost first, from 0.', Type.Integer({ minimum: 0 })),
    ),
    definition_version: integer('The version that the other run used.', { minimum: 1 }),
  },
);
export type RunOrigin = Static<typeof RunOriginSchema>;

const LIST_FIELDS = {
  run_id: text('The id of the run.', { format: 'uuid' }),
  type: DefinitionTypeSchema,
  name: text('Name of the definition that was run.'),
  definition_version: integer('The version that the last attempt used.', { minimum: 1 }),
  status: oneOf('The status of the run.', RUN_STATUSES),
  attempt: integer('The number of the last attempt, from 1.', { minimum: 1 }),
  started_at: timestamp('When the run first started.'),
  attempt_started_at: timestamp('When its last attempt started.'),
  ended_at: optional(timestamp('When it ended; absent while the run is in progress.')),
  started_by: text('The caller who started it.'),
  model: optional(
    text('The model that the caller named instead of the one in the document. An addition to the contract.'),
  ),
  called_by: optional(CalledBySchema),
  trigger: optional(RunTriggerSchema),
  origin: optional(RunOriginSchema),
  reason: optional(Type.Unsafe<Reason>({ type: 'string', description: 'Why it was rejected.' })),
  kind: optional(text('The kind of the reason.')),
  because: optional(text('The cause.')),
  output_shape: optional(text('Name of the shape of the output, if it has one.')),
  waits_for: optional(
    list(
      'What a started run is waiting for; absent while it is not waiting. An addition to the contract.',
      Type.Enum(AWAITED),
    ),
  ),
};

/** A run as lists show it: without output, record, and the detail and issues of a rejection. */
export const RunListEntrySchema = object(LIST_FIELDS);
export type RunListEntry = Static<typeof RunListEntrySchema>;

const RUN_FIELDS = {
  ...LIST_FIELDS,
  output: optional(Type.Unknown({ description: 'The output; present if the run succeeded.' })),
  detail: optional(text('Why the run did not succeed, as a message for people.')),
  issues: optional(list('For `invalid_input`: every issue that was found.', IssueSchema)),
  retry_after: optional(
    count('Seconds to wait before a new run; present if something that the run needed was unavailable.'),
  ),
};

/** The response of run_definition. */
export const RunSchema = object(RUN_FIELDS);
export type Run = Static<typeof RunSchema>;

/** The response of get_run. */
export const RunWithRecordSchema = object({
  ...RUN_FIELDS,
  record: jsonObject('Details of what the run did, besides its output; empty while the run is in progress.'),
});
export type RunWithRecord = Static<typeof RunWithRecordSchema>;

import Type, { type Static } from 'typebox';
import {
  count,
  DefinitionTypeSchema,
  integer,
  object,
  objects,
  oneOf,
  optional,
  orNull,
  text,
  timestamp,
} from './fields.ts';

export const PlaybookSchema = object({
  id: text('The id. It is never reused, even after the playbook is retired.'),
  name: text('The display name.'),
  description: text('What the playbook is for; may be empty.'),
  status: oneOf('A retired playbook can be read but not changed.', ['active', 'retired']),
  created_at: timestamp('When it was created.'),
  created_by: text('The caller who created it.'),
  updated_at: timestamp('When it was last changed.'),
  retired_at: optional(timestamp('When it was retired; absent before.')),
});

export type Playbook = Static<typeof PlaybookSchema>;

const duration = (description: string) => orNull(description, Type.Integer({ minimum: 0 }));

export const RunCountsSchema = object('The number of runs that ended, by status.', {
  total: count('Runs that ended.'),
  succeeded: count('Runs that succeeded.'),
  failed: count('Runs that failed.'),
  rejected: count('Runs that were rejected.'),
});

export const TokenCountsSchema = object('Model tokens of reasoning functions.', {
  input: count('Model tokens read.'),
  output: count('Model tokens written.'),
  cached: count("The input tokens that were read from the provider's cache."),
});

export const RunDurationsSchema = object('The duration of runs, from the start of their last attempt to their end.', {
  p50: duration('The median, in milliseconds, of the runs that succeeded or failed.'),
  p95: duration('The 95th percentile, in milliseconds, of the runs that succeeded or failed.'),
});

export const RunOutcomesSchema = object(
  'The same runs, by outcome: the status, and for rejected runs the cause. An addition to the contract.',
  {
    succeeded: count('Runs that succeeded.'),
    invalid_input: count('Runs with an invalid input, or a step with an invalid input.'),
    cancelled: count('Runs that were cancelled.'),
    expired: count('Runs whose question was not answered in time.'),
    undelivered: count('Runs whose question or notice could not be delivered.'),
    program_error: count('Runs whose program or document failed (`conflict`, kind `unworkable`).'),
    refused: count('Runs that were rejected for another reason.'),
    failed: count('Runs that failed.'),
  },
);

const SUMMARY = {
  runs: RunCountsSchema,
  tokens: TokenCountsSchema,
  duration_ms: RunDurationsSchema,
  outcomes: RunOutcomesSchema,
};

export const AnalyticsSchema = object({
  days: integer('UTC days covered, today included.', { minimum: 1 }),
  ...SUMMARY,
  by_day: objects('One entry a day, oldest first, empty days included.', {
    day: text('The UTC day.', { format: 'date' }),
    ...SUMMARY,
  }),
  by_function: objects('Most runs first, then by type and name.', {
    type: DefinitionTypeSchema,
    name: text('Name of the definition.'),
    runs: count('Runs that ended.'),
  }),
});
export type Analytics = Static<typeof AnalyticsSchema>;

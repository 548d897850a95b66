import Type, { type Static } from 'typebox';
import { DefinitionTypeSchema, timestamp } from './fields.ts';

export const PlaybookSchema = Type.Object(
  {
    id: Type.String({ description: 'The id. It is never reused, even after the playbook is retired.' }),
    name: Type.String({ description: 'The display name.' }),
    description: Type.String({ description: 'What the playbook is for; may be empty.' }),
    status: Type.Enum(['active', 'retired'], { description: 'A retired playbook can be read but not changed.' }),
    created_at: timestamp('When it was created.'),
    created_by: Type.String({ description: 'The caller who created it.' }),
    updated_at: timestamp('When it was last changed.'),
    retired_at: Type.Optional(timestamp('When it was retired; absent before.')),
  },
  { additionalProperties: false },
);

export type Playbook = Static<typeof PlaybookSchema>;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const duration = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

export const RunCountsSchema = Type.Object(
  {
    total: count('Runs that ended.'),
    succeeded: count('Runs that succeeded.'),
    failed: count('Runs that failed.'),
    rejected: count('Runs that were rejected.'),
  },
  { additionalProperties: false, description: 'The number of runs that ended, by status.' },
);

export const TokenCountsSchema = Type.Object(
  {
    input: count('Model tokens read.'),
    output: count('Model tokens written.'),
    cached: count("The input tokens that were read from the provider's cache."),
  },
  { additionalProperties: false, description: 'Model tokens of reasoning functions.' },
);

export const RunDurationsSchema = Type.Object(
  {
    p50: duration('The median, in milliseconds, of the runs that succeeded or failed.'),
    p95: duration('The 95th percentile, in milliseconds, of the runs that succeeded or failed.'),
  },
  {
    additionalProperties: false,
    description: 'The duration of runs, from the start of their last attempt to their end.',
  },
);

export const RunOutcomesSchema = Type.Object(
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
  {
    additionalProperties: false,
    description: 'The same runs, by outcome: the status, and for rejected runs the cause. An addition to the contract.',
  },
);

const SUMMARY = {
  runs: RunCountsSchema,
  tokens: TokenCountsSchema,
  duration_ms: RunDurationsSchema,
  outcomes: RunOutcomesSchema,
};

export const AnalyticsSchema = Type.Object(
  {
    days: Type.Integer({ minimum: 1, description: 'UTC days covered, today included.' }),
    ...SUMMARY,
    by_day: Type.Array(
      Type.Object(
        { day: Type.String({ format: 'date', description: 'The UTC day.' }), ...SUMMARY },
        { additionalProperties: false },
      ),
      { description: 'One entry a day, oldest first, empty days included.' },
    ),
    by_function: Type.Array(
      Type.Object(
        {
          type: DefinitionTypeSchema,
          name: Type.String({ description: 'Name of the definition.' }),
          runs: count('Runs that ended.'),
        },
        { additionalProperties: false },
      ),
      { description: 'Most runs first, then by type and name.' },
    ),
  },
  { additionalProperties: false },
);
export type Analytics = Static<typeof AnalyticsSchema>;

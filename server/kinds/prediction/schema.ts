// The form of a prediction function's document, and the type of one that was checked. Its rules are in check.ts.
import Type, { type Static } from 'typebox';
import { NAME_PATTERN } from '../../../shared/names.ts';
import { integer, object, oneOf, optional, text } from '../../../shared/schemas/fields.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import { EXAMPLE_FORM, MOST_DESCRIPTION } from '../document/index.ts';
import type { Example } from '../checked.ts';

/** The lengths of a period, shortest first, each with the season that is usual for it, in periods. */
export const SEASONS = { hour: 24, day: 7, week: 1, month: 12, quarter: 4, year: 1 } as const;

export type Period = keyof typeof SEASONS;
const PERIODS = Object.keys(SEASONS) as Period[];

const COLUMN = text('the name of a column of the dataset', { minLength: 1, maxLength: 200 });
const columns = (most: number) => optional(Type.Array(COLUMN, { maxItems: most, uniqueItems: true }));
const INTERACTION = text('the name of an interaction', { pattern: NAME_PATTERN });
const share = (description: string) => optional(Type.Number({ minimum: 0, maximum: 1, description }));
const HORIZON = { minimum: 1, maximum: 512 };

const FORM = object({
  description: optional(Type.String({ maxLength: MOST_DESCRIPTION })),
  dataset: object('the columns of the dataset, for example { value: tickets, static: [region] }', {
    value: COLUMN,
    unit: optional(Type.String({ minLength: 1, maxLength: 100 })),
    known: columns(32),
    observed: columns(32),
    static: columns(16),
  }),
  period: oneOf('the length of a period', PERIODS),
  season: optional(integer('how many periods a season has', { minimum: 1 })),
  context: integer('how many past periods a model sees', { minimum: 1, maximum: 2048 }),
  horizon: Type.Union(
    [
      Type.Integer(HORIZON),
      Type.Array(Type.Integer(HORIZON), { minItems: 1, maxItems: HORIZON.maximum, uniqueItems: true }),
    ],
    { description: 'how many periods ahead is predicted: 12, or a list such as [1, 3, 12]' },
  ),
  coverage: optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: 1,
      description: 'the share of values that intervals are to hold, for example 0.8',
    }),
  ),
  windows: optional(integer('how many windows of the past models are compared on', { minimum: 1, maximum: 100 })),
  trainer: object('who trains the models: { inbox: PARTY } or { interaction: NAME }', {
    inbox: optional(text('the party that is asked', { minLength: 1, maxLength: 256, pattern: '\\S' })),
    expires: optional(Type.String({ minLength: 1 })),
    interaction: optional(INTERACTION),
  }),
  activate: optional(
    object({
      beat: share('by which share a version must be better than the best baseline and the active version'),
      wins: share('the share of the judge windows, rounded to whole ones, that a version must win'),
      coverage_within: share('how far the measured coverage may be below `coverage`'),
      approval: optional(
        Type.Union([Type.Literal('none'), object({ interaction: INTERACTION })], {
          description: 'who approves a version: none, or { interaction: NAME }',
        }),
      ),
    }),
  ),
  shadow: optional(
    object({
      periods: optional(integer('how many new periods a version is graded on; 0: none', { minimum: 0, maximum: 100 })),
    }),
  ),
  builds_per_day: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  examples: optional(Type.Unsafe<Example[]>(Type.Array(EXAMPLE_FORM))),
  expose: optional(Type.Boolean()),
});

export type PredictionDocument = Static<typeof FORM>;

export const checkForm = compileOwnSchema(FORM, 'The document');

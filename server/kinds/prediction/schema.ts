// The form of a prediction function's document, without what only its rules can say.
import Type, { type TProperties } from 'typebox';
import { NAME_PATTERN } from '../../../shared/names.ts';
import { compileOwnSchema } from '../../lib/schemas/index.ts';
import { EXAMPLE_FORM, MOST_DESCRIPTION } from '../document/index.ts';
import { PERIODS } from './document.ts';

const closed = <Properties extends TProperties>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });

const COLUMN = Type.String({ minLength: 1, maxLength: 200, description: 'the name of a column of the dataset' });
const columns = (most: number) => Type.Optional(Type.Array(COLUMN, { maxItems: most, uniqueItems: true }));
const INTERACTION = Type.String({ pattern: NAME_PATTERN, description: 'the name of an interaction' });
const share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));
const HORIZON = { minimum: 1, maximum: 512 };

export const checkForm = compileOwnSchema(
  closed({
    description: Type.Optional(Type.String({ maxLength: MOST_DESCRIPTION })),
    dataset: closed(
      {
        value: COLUMN,
        unit: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        known: columns(32),
        observed: columns(32),
        static: columns(16),
      },
      'the columns of the dataset, for example { value: tickets, static: [region] }',
    ),
    period: Type.Enum([...PERIODS], { description: 'the length of a period' }),
    season: Type.Optional(Type.Integer({ minimum: 1, description: 'how many periods a season has' })),
    context: Type.Integer({ minimum: 1, maximum: 2048, description: 'how many past periods a model sees' }),
    horizon: Type.Union(
      [
        Type.Integer(HORIZON),
        Type.Array(Type.Integer(HORIZON), { minItems: 1, maxItems: HORIZON.maximum, uniqueItems: true }),
      ],
      { description: 'how many periods ahead is predicted: 12, or a list such as [1, 3, 12]' },
    ),
    coverage: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        exclusiveMaximum: 1,
        description: 'the share of values that intervals are to hold, for example 0.8',
      }),
    ),
    windows: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'how many windows of the past models are compared on' }),
    ),
    trainer: closed(
      {
        inbox: Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, pattern: '\\S', description: 'the party that is asked' }),
        ),
        expires: Type.Optional(Type.String({ minLength: 1 })),
        interaction: Type.Optional(INTERACTION),
      },
      'who trains the models: { inbox: PARTY } or { interaction: NAME }',
    ),
    activate: Type.Optional(
      closed({
        beat: share('by which share a version must be better than the best baseline and the active version'),
        wins: share('the share of the judge windows, rounded to whole ones, that a version must win'),
        coverage_within: share('how far the measured coverage may be below `coverage`'),
        approval: Type.Optional(
          Type.Union([Type.Literal('none'), closed({ interaction: INTERACTION })], {
            description: 'who approves a version: none, or { interaction: NAME }',
          }),
        ),
      }),
    ),
    shadow: Type.Optional(
      closed({
        periods: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 100,
            description: 'how many new periods a version is graded on; 0: none',
          }),
        ),
      }),
    ),
    builds_per_day: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    examples: Type.Optional(Type.Array(EXAMPLE_FORM)),
    expose: Type.Optional(Type.Boolean()),
  }),
  'The document',
);

import { DESCRIPTION, EXAMPLES, EXPOSE, type Schema } from './json-schema.ts';

const columns = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });
const interaction = (description: string): Schema => ({ type: 'string', description });

export const PREDICTION_SCHEMA: Schema = {
  type: 'object',
  description: 'A prediction function: forecasts of series, from models that a trainer builds.',
  required: ['dataset', 'period', 'context', 'horizon', 'trainer'],
  properties: {
    description: DESCRIPTION,
    dataset: {
      type: 'object',
      description: 'The columns of the dataset, beside `series` and `period`.',
      required: ['value'],
      properties: {
        value: { type: 'string', description: 'The column of the values.' },
        unit: { type: 'string', description: 'The unit of the values.' },
        known: columns('Columns of numbers that are known for the future too.'),
        observed: columns('Columns of numbers that are known for the past only.'),
        static: columns('Columns of texts that stay the same for a series.'),
      },
    },
    period: {
      enum: ['hour', 'day', 'week', 'month', 'quarter', 'year'],
      description: 'The length of a period, as in the dataset.',
    },
    season: {
      type: 'integer',
      description: 'Periods of a season. Default: hour 24, day 7, week 1, month 12, quarter 4, year 1.',
    },
    context: { type: 'integer', description: 'Past periods that a model sees; at least one season.' },
    horizon: {
      description: 'Periods ahead: 12 for 1 to 12, or a list such as [1, 3, 12].',
      anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }],
    },
    coverage: { type: 'number', description: 'The share of values that intervals are to hold. Default: 0.8.' },
    windows: { type: 'integer', description: 'Windows of the past on which models are compared. Default: 6.' },
    trainer: {
      type: 'object',
      description: 'Who trains the models: a party in the inbox, or an interaction.',
      properties: {
        inbox: { type: 'string', description: 'The party that is asked.' },
        expires: {
          type: 'string',
          description: 'How long to wait: an ISO 8601 duration from PT1M to P90D; default P7D.',
        },
        interaction: interaction('The interaction that asks.'),
      },
    },
    activate: {
      type: 'object',
      description: 'When a version is activated.',
      properties: {
        beat: {
          type: 'number',
          description: 'The share by which it must beat baseline and active version. Default: 0.02.',
        },
        wins: { type: 'number', description: 'The share of the judge windows that it must win. Default: 0.6.' },
        coverage_within: { type: 'number', description: 'How far its coverage may be from `coverage`. Default: 0.1.' },
        approval: {
          description: '`none`, or the interaction that approves a version.',
          anyOf: [
            { enum: ['none'] },
            { type: 'object', properties: { interaction: interaction('The interaction that approves it.') } },
          ],
        },
      },
    },
    shadow: {
      type: 'object',
      description: 'A version first runs beside the active one.',
      properties: { periods: { type: 'integer', description: 'For how many new periods. Default: 0, not at all.' } },
    },
    builds_per_day: { type: 'integer', description: 'Builds that may start in a day (UTC). Default: 20.' },
    examples: EXAMPLES,
    expose: EXPOSE,
  },
};

import Type, { type Static } from 'typebox';

/** A dataset of series, as upload_dataset reports it. */
export const DatasetSchema = Type.Object(
  {
    dataset: Type.String({ description: 'SHA-256 of the file, by which builds name it.' }),
    bytes: Type.Integer({ minimum: 0, description: 'Size of the file in bytes.' }),
    rows: Type.Integer({ minimum: 0, description: 'The number of rows, without the header.' }),
    series: Type.Integer({ minimum: 1, description: 'The number of series.' }),
    columns: Type.Array(Type.String(), {
      description: 'The names of all columns but `series` and `period`, in the order of the file.',
    }),
    period: Type.Enum(['hour', 'day', 'week', 'month', 'quarter', 'year'], {
      description: 'The length of a period, by the form of the labels.',
    }),
    first: Type.String({ description: 'The label of the first period with a value.' }),
    last: Type.String({ description: 'The label of the last period with a value.' }),
    missing: Type.Integer({
      minimum: 0,
      description: 'Periods without a value between the first and the last value of their series, over all series.',
    }),
  },
  { additionalProperties: false },
);
export type Dataset = Static<typeof DatasetSchema>;

import Type, { type Static } from 'typebox';
import { count, integer, list, object, oneOf, text } from './fields.ts';

/** A dataset of series, as upload_dataset reports it. */
export const DatasetSchema = object({
  dataset: text('SHA-256 of the file, by which builds name it.'),
  bytes: count('Size of the file in bytes.'),
  rows: count('The number of rows, without the header.'),
  series: integer('The number of series.', { minimum: 1 }),
  columns: list('The names of all columns but `series` and `period`, in the order of the file.', Type.String()),
  period: oneOf('The length of a period, by the form of the labels.', [
    'hour',
    'day',
    'week',
    'month',
    'quarter',
    'year',
  ]),
  first: text('The label of the first period with a value.'),
  last: text('The label of the last period with a value.'),
  missing: count('Periods without a value between the first and the last value of their series, over all series.'),
});
export type Dataset = Static<typeof DatasetSchema>;

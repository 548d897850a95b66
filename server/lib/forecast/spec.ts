// What is forecast, and how: what a prediction function says, as far as figures depend on it.
import { MIB } from '../../../shared/product.ts';
import { type Period, PHASES } from './calendar.ts';

/** The roles of a dataset's columns. */
export interface ColumnRoles {
  /** The column that is forecast. */
  value: string;
  /** Columns of numbers that are known for future periods too. */
  known: readonly string[];
  /** Columns of numbers that are known for the past only. */
  observed: readonly string[];
  /** Columns of texts that are the same in all rows of a series. */
  static: readonly string[];
}

export interface ForecastSpec extends ColumnRoles {
  period: Period;
  /** Periods in a season, at least 1. */
  season: number;
  /** The number of periods that a model sees. */
  context: number;
  /** The number of periods that a model predicts. */
  horizon: number;
  /** The share of values that an interval shall hold, above 0 and below 1. */
  coverage: number;
  /** The most windows that are set aside to calibrate, select and judge. */
  windows: number;
}

/** The distinct texts of each static column, by its name, in code-point order: the first one has the code 1. */
export type StaticCodes = Readonly<Record<string, readonly string[]>>;

interface TensorShape {
  name: string;
  type: 'float32' | 'int64';
  dims: ('batch' | number)[];
  required?: boolean;
}

/** The tensors that a model may declare, and the one that it returns. */
export interface ForecastSignature {
  inputs: TensorShape[];
  output: { name: 'quantiles'; type: 'float32'; dims: ('batch' | number)[]; ascending: true };
}

/** Time features: the sine and the cosine of each phase. */
export function timeFeatures(period: Period): number {
  return PHASES[period] * 2;
}

/** An input whose last dimension would be 0 does not exist. */
export function signatureOf(spec: ForecastSpec): ForecastSignature {
  const { context, horizon } = spec;
  const time = timeFeatures(spec.period);
  const future = spec.known.length;
  const past = future + spec.observed.length;
  const inputs: TensorShape[] = [
    { name: 'past_target', type: 'float32', dims: ['batch', context], required: true },
    { name: 'past_observed', type: 'float32', dims: ['batch', context] },
    { name: 'past_time', type: 'float32', dims: ['batch', context, time] },
    { name: 'future_time', type: 'float32', dims: ['batch', horizon, time] },
    { name: 'past_covariates', type: 'float32', dims: ['batch', context, past] },
    { name: 'future_covariates', type: 'float32', dims: ['batch', horizon, future] },
    { name: 'static', type: 'int64', dims: ['batch', spec.static.length] },
    { name: 'level', type: 'float32', dims: ['batch', 2] },
  ];
  return {
    inputs: inputs.filter(({ dims }) => !dims.includes(0)),
    output: { name: 'quantiles', type: 'float32', dims: ['batch', horizon, 3], ascending: true },
  };
}

/** The most rows that a model is run on at once. */
const MOST_BATCH_ROWS = 1024;
/** Bytes of a batch's tensors: the main thread copies them to the model's process. */
const MOST_BATCH_BYTES = MIB;

/** The rows of a batch, so that it takes about 1 MiB: 1 to 1,024. */
export function batchRows(spec: ForecastSpec): number {
  const { inputs, output } = signatureOf(spec);
  const bytes = [...inputs, output].reduce((sum, { type, dims }) => {
    const numbers = dims.reduce<number>((product, dim) => (dim === 'batch' ? product : product * dim), 1);
    return sum + numbers * (type === 'int64' ? 8 : 4);
  }, 0);
  return Math.max(1, Math.min(MOST_BATCH_ROWS, Math.floor(MOST_BATCH_BYTES / bytes)));
}

/** The most training rows of a build. */
export const MOST_ROWS = 200_000;

/**
 * The columns of a training row, in order: the normalised context and its mask, the time features of context and horizon,
 * the covariates of the past and the future, the static codes, the normalised targets.
 */
export function rowColumns(spec: ForecastSpec): string[] {
  return [...FIRST_COLUMNS, ...columnGroups(spec).flatMap(([letter, count]) => numbered(letter, count))];
}

/** The number of these columns. */
export function countRowColumns(spec: ForecastSpec): number {
  return columnGroups(spec).reduce((sum, [, count]) => sum + count, FIRST_COLUMNS.length);
}

const FIRST_COLUMNS = ['series', 'origin', 'center', 'scale', 'weight'];

/** The letter of each group of columns, and how many it has. */
function columnGroups(spec: ForecastSpec): [string, number][] {
  const { context, horizon, known, observed } = spec;
  return [
    ['x', context],
    ['m', context],
    ['t', (context + horizon) * timeFeatures(spec.period)],
    ['p', context * (known.length + observed.length)],
    ['f', horizon * known.length],
    ['s', spec.static.length],
    ['y', horizon],
  ];
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
}

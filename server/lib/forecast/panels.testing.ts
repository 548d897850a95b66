// The panel that the golden figures were computed of, and the model.
import { readFileSync } from 'node:fs';
import type { TensorBatch } from './features.ts';
import { type PanelData, readPanel } from './panel.ts';
import type { ForecastSpec } from './spec.ts';

export const DEATHS = readFileSync(new URL('./golden/deaths.csv', import.meta.url));

export const DEATHS_SPEC: ForecastSpec = {
  period: 'month',
  season: 12,
  context: 24,
  horizon: 3,
  coverage: 0.8,
  windows: 6,
  value: 'deaths',
  known: ['winter'],
  observed: ['noise'],
  static: ['region'],
};

export function readDeaths(): Promise<PanelData> {
  return readPanel(chunksOf(DEATHS), DEATHS_SPEC);
}

/** The last season, an eighth of the first covariate, and an interval around: in float32, as a model computes. */
export function runModel({ rows, tensors }: TensorBatch): Float32Array {
  const { season, context, horizon } = DEATHS_SPEC;
  const { past_target: past, future_covariates: future } = tensors;
  return Float32Array.from({ length: rows * horizon * 3 }, (_, at) => {
    const row = Math.floor(at / 3 / horizon);
    const step = Math.floor(at / 3) % horizon;
    const value =
      Number(past?.[row * context + context - season + step]) + 0.125 * Number(future?.[row * horizon + step]);
    return [value - 0.25, value, value + 0.125 * (step + 1)][at % 3] ?? 0;
  });
}

/** One series of years, with the values 1, 2, 4, ... */
export function yearly(values: readonly (number | null)[], from = 2000): string {
  const rows = values.map((value, at) => `a,${from + at},${value ?? ''}\n`);
  return `series,period,v\n${rows.join('')}`;
}

export const YEARLY_SPEC: ForecastSpec = {
  period: 'year',
  season: 1,
  context: 3,
  horizon: 2,
  coverage: 0.5,
  windows: 4,
  value: 'v',
  known: [],
  observed: [],
  static: [],
};

/** A text as a stream, cut at these bytes. */
export async function* chunksOf(text: string | Uint8Array, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const ends = [...cuts, bytes.length].toSorted((a, b) => a - b);
  let begin = 0;
  for (const end of ends) {
    yield bytes.subarray(begin, end);
    begin = end;
  }
}

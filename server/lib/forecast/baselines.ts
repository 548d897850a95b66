// Forecasts that need no model. Each sees the whole history of a series up to an origin, and answers one value a step.
import { type History, theta } from './theta.ts';

export const BASELINES = ['seasonal_naive', 'drift', 'theta'] as const;

export type Baseline = (typeof BASELINES)[number];

/** The forecast of a baseline for the steps 1 to `horizon` after the origin. */
export function baselineForecast(baseline: Baseline, history: History, horizon: number): Float64Array {
  switch (baseline) {
    case 'seasonal_naive':
      return seasonalNaive(history, horizon);
    case 'drift':
      return drift(history, horizon);
    case 'theta':
      return theta(history, horizon);
  }
}

/** Repeats the last season. A missing value is taken from the season before, like R's `snaive` does. */
function seasonalNaive({ values, season }: History, horizon: number): Float64Array {
  const last = lastObserved(values);
  return Float64Array.from({ length: horizon }, (_, step) => {
    let t = values.length + step;
    do t -= season;
    while (t >= values.length || Number.isNaN(values[t]));
    return values[t] ?? last;
  });
}

/** The last value and the mean change between neighbouring values, like R's `rwf` with a drift. */
function drift({ values }: History, horizon: number): Float64Array {
  const observed = values.reduce((count, value) => (Number.isNaN(value) ? count : count + 1), 0);
  const last = lastObserved(values);
  const change = observed > 1 ? (last - (values[0] ?? last)) / (observed - 1) : 0;
  return Float64Array.from({ length: horizon }, (_, step) => last + change * (step + 1));
}

function lastObserved(values: Float64Array): number {
  return values.findLast((value) => !Number.isNaN(value)) ?? Number.NaN;
}

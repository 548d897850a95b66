// Fits linear forecasts over all series at once. Each step is a base forecast plus a weighted ridge regression on what the
// base leaves; the penalty is the one that forecasts the latest fifth of the origins best, and the interval is what it
// was wrong by there.
import { featureCount, type Layout, type Row } from './read-rows.ts';
import { added, addRow, addTarget, createSums, solve, type Sums } from './ridge.ts';

/** The forecast that a strong penalty leads to: the mean of the context, its last value, or its last season. */
export type Base = 'mean' | 'last' | 'season';

export interface LinearForecast {
  base: Base;
  penalty: number;
  /** The weighted mean absolute error on the origins that it was chosen by. */
  error: number;
  steps: readonly Step[];
}

export interface Step {
  /** Weights of the features, then the bias. */
  weights: Float64Array;
  /** What is added to the value for the interval: at most 0, and at least 0. */
  low: number;
  high: number;
}

export interface FitOptions {
  layout: Layout;
  /** Periods in a season. */
  season: number;
  /** The share of values that an interval holds. */
  coverage: number;
}

const PENALTIES = [1e-4, 1e-3, 1e-2, 1e-1, 1, 10];
const HELD_OUT = 0.2;

/** One forecast for each base, the best one first. */
export function fitForecasts(rows: readonly Row[], options: FitOptions): LinearForecast[] {
  const { layout, season, coverage } = options;
  const origins = [...new Set(rows.map(({ origin }) => origin))].toSorted();
  const from = origins[Math.floor(origins.length * (1 - HELD_OUT))] ?? '';
  const known = rows.filter(({ origin }) => origin < from);
  const latest = rows.filter(({ origin }) => origin >= from);
  // One origin alone is fitted and tried on the same rows.
  const heldOut = known.length === 0 ? rows : latest;
  const all = sumSteps(rows, layout);
  const before = known.length === 0 ? all : sumSteps(known, layout);
  const bases: Base[] = season > 1 && season <= layout.context ? ['mean', 'last', 'season'] : ['mean', 'last'];

  function fit(base: Base): LinearForecast {
    const column = (step: number): number | undefined => baseColumn(base, step, layout.context, season);
    const fitted = (sums: readonly Sums[], penalty: number): Float64Array[] =>
      sums.map((sumsOfStep, step) => solve(sumsOfStep, penalty, column(step)));
    const tried = PENALTIES.map((penalty) => {
      const residuals = residualsOf(heldOut, fitted(before, penalty));
      return { penalty, residuals, error: meanError(residuals) };
    });
    const best = tried.reduce((least, one) => (one.error < least.error ? one : least));
    const tail = (1 - coverage) / 2;
    const steps = fitted(all, best.penalty).map((weights, step): Step => {
      const residuals = best.residuals[step] ?? [];
      return { weights, low: Math.min(0, quantile(residuals, tail)), high: Math.max(0, quantile(residuals, 1 - tail)) };
    });
    return { base, penalty: best.penalty, error: best.error, steps };
  }
  return bases.map(fit).toSorted((a, b) => a.error - b.error);
}

/** Which value of the context the base forecasts; undefined is 0, the mean of what is normalised. */
function baseColumn(base: Base, step: number, context: number, season: number): number | undefined {
  switch (base) {
    case 'mean':
      return undefined;
    case 'last':
      return context - 1;
    case 'season':
      return context - season + (step % season);
  }
}

/** The sums of each step. Steps without a missing target share what depends on the features alone. */
function sumSteps(rows: readonly Row[], layout: Layout): Sums[] {
  const features = featureCount(layout);
  const shared = createSums(features);
  const own = Array.from({ length: layout.horizon }, () => createSums(features));
  for (const { features, targets, weight } of rows) {
    const isComplete = !targets.some(Number.isNaN);
    if (isComplete) addRow(shared, features, weight);
    own.forEach((sums, step) => {
      const target = targets[step] ?? Number.NaN;
      if (Number.isNaN(target)) return;
      if (!isComplete) addRow(sums, features, weight);
      addTarget(sums, features, target, weight);
    });
  }
  return own.map((sums) => added(sums, shared));
}

export function predict(weights: Float64Array, features: Float32Array): number {
  let value = weights[features.length] ?? 0;
  for (let at = 0; at < features.length; at += 1) value += (weights[at] ?? 0) * (features[at] ?? 0);
  return value;
}

interface Residual {
  value: number;
  weight: number;
}

function residualsOf(rows: readonly Row[], weights: readonly Float64Array[]): Residual[][] {
  return weights.map((weightsOfStep, step) =>
    rows.flatMap(({ features, targets, weight }) => {
      const target = targets[step] ?? Number.NaN;
      return Number.isNaN(target) ? [] : [{ value: target - predict(weightsOfStep, features), weight }];
    }),
  );
}

function meanError(steps: readonly (readonly Residual[])[]): number {
  let [error, count] = [0, 0];
  for (const residuals of steps) {
    count += residuals.length;
    for (const { value, weight } of residuals) error += weight * Math.abs(value);
  }
  return count === 0 ? 0 : error / count;
}

/** The smallest value that the share of the weight does not exceed. */
function quantile(residuals: readonly Residual[], share: number): number {
  const sorted = residuals.toSorted((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of sorted) {
    below += weight;
    if (below >= share * total) return value;
  }
  return sorted.at(-1)?.value ?? 0;
}

// The Theta method of the M competitions: simple exponential smoothing, raised by half the slope of the linear trend, of a
// series from which a significant season is taken out. As R's `thetaf` does it:
//
// - the season is significant where the autocorrelation at its lag passes the test at 90 %, over more than two seasons;
// - the smoothing has the factor and the first level that together give the least squares.
/** What is known of a series up to its origin. */
export interface History {
  /** From the series' first value, which is not missing, to the origin; NaN is missing. */
  values: Float64Array;
  season: number;
}

/** The 95 % quantile of the normal distribution: the test has two sides. */
const SIGNIFICANT = 1.6448536269514722;
const LEAST_SEASONAL = 1e-4;
/** The bounds of the smoothing factor, as R's `ets` has them. */
const LEAST_ALPHA = 1e-4;
const MOST_ALPHA = 0.9999;
const GRID = 24;

export function theta({ values, season }: History, horizon: number): Float64Array {
  const end = values.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const filled = interpolate(values.subarray(0, end));
  const n = filled.length;
  const factors = seasonalFactors(filled, season);
  const adjusted = factors === undefined ? filled : filled.map((value, t) => value / factorAt(t));
  const { alpha, level } = smooth(adjusted);
  const rise = slope(adjusted) / 2;
  const lead = (1 - (1 - alpha) ** n) / alpha;
  return Float64Array.from({ length: horizon }, (_, step) => {
    // A series that ended before the origin is forecast from its end.
    const steps = step + values.length - end;
    return (level + rise * (steps + lead)) * factorAt(n + steps);
  });

  function factorAt(t: number): number {
    return factors?.[t % season] ?? 1;
  }
}

/** Fills what is missing between two values by a straight line. */
function interpolate(values: Float64Array): Float64Array {
  const filled = values.slice();
  for (let t = 1, before = 0; t < filled.length; t += 1) {
    const value = filled[t] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const begin = filled[before] ?? value;
    for (let gap = before + 1; gap < t; gap += 1)
      filled[gap] = begin + ((value - begin) * (gap - before)) / (t - before);
    before = t;
  }
  return filled;
}

/** The factors of a season's periods, by classical multiplicative decomposition; undefined without a significant season. */
function seasonalFactors(values: Float64Array, season: number): Float64Array | undefined {
  if (season < 2 || values.length <= 2 * season || values.some((value) => value <= 0)) return undefined;
  if (!isSeasonal(values, season)) return undefined;
  const sums = new Float64Array(season);
  const counts = new Float64Array(season);
  const half = season >> 1;
  for (let t = half; t < values.length - half; t += 1) {
    const phase = t % season;
    sums[phase] = (sums[phase] ?? 0) + (values[t] ?? 0) / centredMean(values, t, season);
    counts[phase] = (counts[phase] ?? 0) + 1;
  }
  const factors = sums.map((sum, phase) => sum / (counts[phase] ?? 1));
  const mean = factors.reduce((sum, factor) => sum + factor, 0) / season;
  const scaled = factors.map((factor) => factor / mean);
  return scaled.every((factor) => factor >= LEAST_SEASONAL) ? scaled : undefined;
}

/** The mean of a season around a period; where the season is even, its two ends count half. */
function centredMean(values: Float64Array, t: number, season: number): number {
  const half = season >> 1;
  let sum = 0;
  for (let at = t - half; at <= t + half; at += 1) sum += values[at] ?? 0;
  if (season % 2 === 0) sum -= ((values[t - half] ?? 0) + (values[t + half] ?? 0)) / 2;
  return sum / season;
}

function isSeasonal(values: Float64Array, season: number): boolean {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (values.every((value) => value === values[0])) return false;
  const correlation = (lag: number): number => {
    let sum = 0;
    for (let t = lag; t < n; t += 1) sum += ((values[t] ?? 0) - mean) * ((values[t - lag] ?? 0) - mean);
    return sum / variance;
  };
  // Each lag costs a pass over the values. Most series are decided before all lags are known: no square is above 1.
  const tested = Math.abs(correlation(season)) / SIGNIFICANT;
  let squares = 0;
  for (let lag = 1; lag < season; lag += 1) {
    const most = squares + season - lag;
    if (tested > Math.sqrt((1 + 2 * most) / n)) return true;
    if (tested <= Math.sqrt((1 + 2 * squares) / n)) return false;
    squares += correlation(lag) ** 2;
  }
  return tested > Math.sqrt((1 + 2 * squares) / n);
}

/** The slope of the straight line of least squares. */
function slope(values: Float64Array): number {
  const middle = (values.length - 1) / 2;
  let products = 0;
  let squares = 0;
  values.forEach((value, t) => {
    products += (t - middle) * value;
    squares += (t - middle) ** 2;
  });
  return squares === 0 ? 0 : products / squares;
}

interface Smoothing {
  alpha: number;
  /** The level after the last value. */
  level: number;
  /** The sum of the squared errors one step ahead. */
  error: number;
}

/** Simple exponential smoothing with the least squared error: a grid finds the valley, a golden section its bottom. */
function smooth(values: Float64Array): Smoothing {
  const alphaAt = (point: number): number => LEAST_ALPHA + ((MOST_ALPHA - LEAST_ALPHA) * point) / GRID;
  let lowest = 0;
  let best = smoothWith(values, alphaAt(0));
  for (let point = 1; point <= GRID; point += 1) {
    const found = smoothWith(values, alphaAt(point));
    if (found.error >= best.error) continue;
    lowest = point;
    best = found;
  }
  const inner = goldenSection(
    (alpha) => smoothWith(values, alpha).error,
    alphaAt(Math.max(0, lowest - 1)),
    alphaAt(Math.min(GRID, lowest + 1)),
  );
  const refined = smoothWith(values, inner);
  return refined.error < best.error ? refined : best;
}

/** The error is quadratic in the first level, so that the best one is known. */
function smoothWith(values: Float64Array, alpha: number): Smoothing {
  const keep = 1 - alpha;
  // Smoothed as differences from the first value, whose squares are small enough to be subtracted.
  const base = values[0] ?? 0;
  let fromZero = 0;
  let weight = 1;
  let squares = 0;
  let products = 0;
  let weights = 0;
  for (const value of values) {
    const error = value - base - fromZero;
    squares += error * error;
    products += weight * error;
    weights += weight * weight;
    fromZero += alpha * error;
    weight *= keep;
  }
  const first = products / weights;
  return { alpha, level: base + fromZero + weight * first, error: squares - first * products };
}

function goldenSection(errorAt: (alpha: number) => number, from: number, to: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = from;
  let high = to;
  let left = high - ratio * (high - low);
  let right = low + ratio * (high - low);
  let atLeft = errorAt(left);
  let atRight = errorAt(right);
  while (high - low > 1e-8) {
    if (atLeft <= atRight) {
      high = right;
      right = left;
      atRight = atLeft;
      left = high - ratio * (high - low);
      atLeft = errorAt(left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + ratio * (high - low);
      atRight = errorAt(right);
    }
  }
  return (low + high) / 2;
}

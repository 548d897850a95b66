// The normalisation of a window: what a model is fed, and what a trainer reads, has the mean 0 and the scale 1.

export interface Level {
  mean: number;
  /** The standard deviation; for values that hardly differ, the absolute mean; 1 where that is 0. */
  scale: number;
  /** The number of values. Without any, the mean is 0 and the scale 1. */
  count: number;
}

/** @param values NaN is missing */
export function levelOf(values: Float64Array): Level {
  let count = 0;
  let sum = 0;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
  }
  if (count === 0) return { mean: 0, scale: 1, count };
  const mean = sum / count;
  let squares = 0;
  for (const value of values) {
    if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  }
  const deviation = Math.sqrt(squares / count);
  const size = Math.abs(mean);
  return { mean, scale: deviation > 1e-6 * size ? deviation : size > 0 ? size : 1, count };
}

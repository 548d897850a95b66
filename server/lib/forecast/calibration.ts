// Split conformal calibration: by how much an interval is widened so that it would have held the wanted share of values in
// earlier windows.

/** Where a step's figure comes from: its own errors, those of all steps, or the largest of these, where they are few. */
export type CalibrationPool = 'step' | 'all_steps' | 'maximum';

export interface Calibration {
  /** By step: how far the interval's ends move, in scales of the window. Negative: the interval becomes narrower. */
  steps: { q: number; pool: CalibrationPool; errors: number }[];
}

/** @param errors by step: max(low - y, y - high) / scale of earlier windows; the order is lost */
export function calibrate(errors: readonly Float64Array[], coverage: number): Calibration {
  let all: Float64Array | undefined;
  return {
    steps: errors.map((own) => {
      const quantile = conformalQuantile(own, coverage);
      if (quantile !== undefined) return { q: quantile, pool: 'step', errors: own.length };
      all ??= concatenated(errors);
      const pooled = conformalQuantile(all, coverage);
      if (pooled !== undefined) return { q: pooled, pool: 'all_steps', errors: all.length };
      return { q: all.length === 0 ? 0 : maximum(all), pool: 'maximum', errors: all.length };
    }),
  };
}

export interface Interval {
  low: number;
  value: number;
  high: number;
}

/** The figures of a step in forecasts of many. */
export function intervalAt(figures: ArrayLike<number>, step: number): Interval {
  const at = step * 3;
  return { low: figures[at] ?? 0, value: figures[at + 1] ?? 0, high: figures[at + 2] ?? 0 };
}

/** The calibrated interval of a step. The value stays inside. */
export function widen({ low, value, high }: Interval, scale: number, q: number): Interval {
  return { low: Math.min(low - q * scale, value), value, high: Math.max(high + q * scale, value) };
}

/** The ceil((n + 1) c)-th smallest error; undefined where n is too small to have it. */
function conformalQuantile(errors: Float64Array, coverage: number): number | undefined {
  // 0.8 of 4 + 1 is 4, whatever the floating point makes of it.
  const rank = Math.ceil((errors.length + 1) * coverage - 1e-9);
  return rank > errors.length ? undefined : nthSmallest(errors, rank - 1);
}

/** Hoare's selection; reorders the array. */
function nthSmallest(values: Float64Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left += 1;
      while ((values[right] ?? 0) > pivot) right -= 1;
      if (left > right) break;
      const swapped = values[left] ?? 0;
      values[left] = values[right] ?? 0;
      values[right] = swapped;
      left += 1;
      right -= 1;
    }
    if (n <= right) high = right;
    else if (n >= left) low = left;
    else break;
  }
  return values[n] ?? Number.NaN;
}

function concatenated(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function maximum(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value));
}

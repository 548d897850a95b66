// From a model's raw output to a forecast that is served.
import { type Calibration, intervalAt, widen } from './calibration.ts';
import type { Level } from './level.ts';

/** Why a raw output cannot be used. */
export interface RawFault {
  because: 'not_finite' | 'not_in_order';
  detail: string;
}

/** @param output [rows, horizon, 3]: low, value, high */
export function rawFault(output: Float32Array): RawFault | undefined {
  for (let at = 0; at < output.length; at += 3) {
    const { low, value, high } = intervalAt(output, at / 3);
    if (!Number.isFinite(low) || !Number.isFinite(value) || !Number.isFinite(high)) {
      return { because: 'not_finite', detail: 'The model returned a number that is not finite.' };
    }
    if (low > value || value > high) {
      return {
        because: 'not_in_order',
        detail: 'The model returned a low above the value, or a value above the high.',
      };
    }
  }
  return undefined;
}

/**
 * The calibrated forecasts of rows.
 * @param output [rows, horizon, 3], without a fault
 * @param levels of each row
 * @returns [rows, horizon, 3]: low, value and high in the values' own unit; read a step with `intervalAt`
 */
export function serveForecasts(
  output: Float32Array,
  levels: readonly Pick<Level, 'mean' | 'scale'>[],
  { steps }: Calibration,
): Float64Array {
  const served = new Float64Array(output.length);
  const horizon = output.length / 3 / levels.length;
  levels.forEach(({ mean, scale }, row) => {
    for (let step = 0; step < horizon; step += 1) {
      const at = row * horizon + step;
      const { low, value, high } = intervalAt(output, at);
      const raw = { low: mean + scale * low, value: mean + scale * value, high: mean + scale * high };
      const interval = widen(raw, scale, steps[step]?.q ?? 0);
      served.set([interval.low, interval.value, interval.high], at * 3);
    }
  });
  return served;
}

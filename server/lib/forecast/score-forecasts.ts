// Whose forecasts are scored: a baseline's, which are computed here, or a model's raw output.
import { type Baseline, baselineForecast } from './baselines.ts';
import { evaluate, type Evaluation, type EvaluationRows } from './evaluation.ts';
import { historyOf, type PanelData } from './panel.ts';
import type { ForecastSpec } from './spec.ts';
import { type RawFault, rawFault } from './serve.ts';
import type { Windows } from './windows.ts';

/** @param pause is awaited often */
export function scoreBaseline(
  panel: PanelData,
  spec: ForecastSpec,
  plan: Windows,
  rows: EvaluationRows,
  baseline: Baseline,
  pause: () => Promise<void>,
): Promise<Evaluation> {
  const { horizon, season } = spec;
  const figures = new Float64Array(horizon * 3);
  return evaluate(
    panel,
    spec,
    plan,
    rows,
    (_, { series, origin }) => {
      const values = historyUntil(panel, series, origin);
      baselineForecast(baseline, { values, season }, horizon).forEach((value, step) => {
        figures.fill(value, step * 3, step * 3 + 3);
      });
      return figures;
    },
    pause,
  );
}

/** The history up to the origin, also where the series ended before. */
function historyUntil(panel: PanelData, series: number, origin: number): Float64Array {
  const known = historyOf(panel, series, origin);
  const length = origin - (panel.firstValue[series] ?? 0) + 1;
  if (known.length >= length) return known;
  const whole = new Float64Array(length).fill(Number.NaN);
  whole.set(known);
  return whole;
}

/**
 * @param output what the model returned for all rows: [rows, horizon, 3], as parts whose ends need not match a row's
 * @returns a fault where the model is disqualified
 */
export async function scoreOutput(
  panel: PanelData,
  spec: ForecastSpec,
  plan: Windows,
  rows: EvaluationRows,
  output: Float32Array,
  pause: () => Promise<void>,
): Promise<Evaluation | RawFault> {
  const width = spec.horizon * 3;
  if (output.length !== rows.length * width) {
    throw new Error(`The output has ${output.length} numbers; ${rows.length * width} are needed.`);
  }
  const fault = rawFault(output);
  if (fault !== undefined) return fault;
  const figures = new Float64Array(width);
  return evaluate(
    panel,
    spec,
    plan,
    rows,
    (row, _, { mean, scale }) => {
      for (let at = 0; at < width; at += 1) figures[at] = mean + scale * (output[row * width + at] ?? 0);
      return figures;
    },
    pause,
  );
}

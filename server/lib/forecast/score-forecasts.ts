// Whose forecasts are scored: a baseline's, which are computed here, or a model's raw output.
import { type Baseline, baselineForecast } from './baselines.ts';
import { evaluate, type Evaluation, type EvaluationRows, type Forecasts } from './evaluation.ts';
import { type TensorBatch, tensorsOf } from './features.ts';
import { historyOf, type PanelData } from './panel.ts';
import { batchRows, type ForecastSpec, type StaticCodes } from './spec.ts';
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
  const at: Forecasts['at'] = (_, { series, origin }) => {
    const values = historyUntil(panel, series, origin);
    baselineForecast(baseline, { values, season }, horizon).forEach((value, step) => {
      figures.fill(value, step * 3, step * 3 + 3);
    });
    return figures;
  };
  return evaluate(panel, spec, plan, rows, { at }, pause);
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

/** Runs a model on rows; answers its output, [rows, horizon, 3], or undefined where it cannot be run any more. */
export type RunModel = (batch: TensorBatch) => Promise<Float32Array | undefined>;

/** Ends an evaluation in the middle. */
class Stopped extends Error {
  readonly fault: RawFault | undefined;

  constructor(fault: RawFault | undefined) {
    super('The model is not scored.');
    this.fault = fault;
  }
}

/**
 * Runs a model on all rows, in batches of one window, of which one is held at a time, and scores it.
 * @returns a fault where the model is disqualified; undefined where it could not be run
 */
export async function scoreModel(
  panel: PanelData,
  spec: ForecastSpec,
  plan: Windows,
  rows: EvaluationRows,
  { run, codes }: { run: RunModel; codes: StaticCodes },
  pause: () => Promise<void>,
): Promise<Evaluation | RawFault | undefined> {
  const width = spec.horizon * 3;
  const figures = new Float64Array(width);
  const most = batchRows(spec);
  let begin = 0;
  let output: Float32Array = new Float32Array();
  async function runNext(from: number): Promise<void> {
    // The rows of later windows hold the values that those of earlier ones are scored with.
    const end = rows.begins.find((next) => next > from) ?? rows.length;
    const count = Math.min(most, end - from);
    const windows = Array.from({ length: count }, (_, at) => rows.at(from + at));
    const { levels: _, ...batch } = tensorsOf(panel, spec, windows, codes);
    const ran = await run(batch);
    if (ran === undefined) throw new Stopped(undefined);
    if (ran.length !== count * width) throw new Error(`The output has ${ran.length} numbers, not ${count * width}.`);
    const fault = rawFault(ran);
    if (fault !== undefined) throw new Stopped(fault);
    begin = from;
    output = ran;
  }
  const forecasts: Forecasts = {
    prepare: (row) => (row - begin === output.length / width ? runNext(row) : undefined),
    at(row, _, { mean, scale }) {
      const index = (row - begin) * width;
      for (let at = 0; at < width; at += 1) figures[at] = mean + scale * (output[index + at] ?? 0);
      return figures;
    },
  };
  try {
    return await evaluate(panel, spec, plan, rows, forecasts, pause);
  } catch (error) {
    if (error instanceof Stopped) return error.fault;
    throw error;
  }
}

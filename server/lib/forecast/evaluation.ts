// The score of forecasts of all windows.
//
// 1. The intervals of a window are calibrated with the errors of the windows before it, whose targets precede its origin.
// 2. A figure is a mean over all values that are present, of every series that has a scale, window and step.
// 3. Baselines and models are calibrated and scored alike.
import { type Calibration, calibrate, type Interval, intervalAt, widen } from './calibration.ts';
import { labelOf } from './calendar.ts';
import { levelOf } from './level.ts';
import { copyPeriods, type PanelData } from './panel.ts';
import type { ForecastSpec } from './spec.ts';
import type { SeriesWindow } from './features.ts';
import type { Windows } from './windows.ts';

export interface Scores {
  /** The mean pinball loss at the three quantiles, doubled, in mean changes of the series; null without any value. */
  score: number | null;
  /** The mean absolute error in mean changes of the series. */
  mase: number | null;
  /** The share of values inside the interval; null also with fewer than 3 windows. */
  coverage: number | null;
  /** The mean width of the interval in mean changes of the series. */
  width: number | null;
}

export interface Evaluation {
  /** On the windows that select. */
  select: Scores;
  /** On the windows that judge. */
  judge: Scores;
  /** The scores of the windows that judge, in time order. */
  judgeWindows: { origin: string; score: number | null }[];
  /** From all windows: what a version serves with. */
  calibration: Calibration;
}

/** The windows of every series that can be scored, window after window, in the order of the series. */
export interface EvaluationRows {
  length: number;
  at(row: number): SeriesWindow;
  /** Where each window begins, and at last the number of rows. */
  begins: readonly number[];
}

/** Series without a value in their context, or without a target, have no row. */
export function evaluationRows(panel: PanelData, spec: ForecastSpec, { windows, changes }: Windows): EvaluationRows {
  const series: number[] = [];
  const begins = [0];
  for (const { origin } of windows) {
    changes.forEach((change, number) => {
      if (Number.isNaN(change)) return;
      const isSeen = hasValue(panel, number, origin - spec.context + 1, origin);
      if (isSeen && hasValue(panel, number, origin + 1, origin + spec.horizon)) series.push(number);
    });
    begins.push(series.length);
  }
  const numbers = Int32Array.from(series);
  return {
    length: numbers.length,
    begins,
    at(row) {
      const window = begins.findLastIndex((begin) => begin <= row);
      return { series: numbers[row] ?? 0, origin: windows[window]?.origin ?? 0 };
    },
  };
}

export function hasValue({ target, starts, offsets }: PanelData, series: number, from: number, to: number): boolean {
  const offset = offsets[series] ?? 0;
  const base = offset - (starts[series] ?? 0);
  const end = Math.min(base + to + 1, offsets[series + 1] ?? 0);
  for (let index = Math.max(base + from, offset); index < end; index += 1) {
    if (!Number.isNaN(target[index])) return true;
  }
  return false;
}

/** Whose forecasts are scored. It is asked for each row once, in order. */
export interface Forecasts {
  /** Is awaited before a row is forecast. */
  prepare?: (row: number) => Promise<void> | undefined;
  /** The uncalibrated forecast of a row: low, value and high of each step, one after the other. */
  at: (row: number, window: SeriesWindow, level: { mean: number; scale: number }) => ArrayLike<number>;
}

/**
 * Scores forecasts.
 * @param pause is awaited often
 */
export async function evaluate(
  panel: PanelData,
  spec: ForecastSpec,
  plan: Windows,
  rows: EvaluationRows,
  forecasts: Forecasts,
  pause: () => Promise<void>,
): Promise<Evaluation> {
  const { horizon, context, coverage } = spec;
  const errors = new Float64Array(rows.length * horizon).fill(Number.NaN);
  const selected = createTally(coverage);
  const judged = createTally(coverage);
  const judgeWindows: Evaluation['judgeWindows'] = [];
  const isCalibrated = plan.windows.length >= 3;
  const targets = new Float64Array(horizon);
  const past = new Float64Array(context);

  for (const [at, { origin, role }] of plan.windows.entries()) {
    const begin = rows.begins[at] ?? 0;
    const end = rows.begins[at + 1] ?? begin;
    const own = createTally(coverage);
    const tallies = [own, ...(role === 'select' ? [selected] : role === 'judge' ? [judged] : [])];
    const { steps } = role === 'calibrate' ? { steps: [] } : calibrate(errorsByStep(errors, begin, horizon), coverage);
    for (let row = begin; row < end; row += 1) {
      const window = rows.at(row);
      copyPeriods(panel, panel.target, window.series, origin - context + 1, past);
      copyPeriods(panel, panel.target, window.series, origin + 1, targets);
      const level = levelOf(past);
      const change = plan.changes[window.series] ?? Number.NaN;
      const preparing = forecasts.prepare?.(row);
      // oxlint-disable-next-line no-await-in-loop -- row after row
      if (preparing !== undefined) await preparing;
      const figures = forecasts.at(row, window, level);
      for (let step = 0; step < horizon; step += 1) {
        const y = targets[step] ?? Number.NaN;
        if (Number.isNaN(y)) continue;
        const raw = intervalAt(figures, step);
        errors[row * horizon + step] = Math.max(raw.low - y, y - raw.high) / level.scale;
        if (role === 'calibrate') continue;
        const interval = widen(raw, level.scale, steps[step]?.q ?? 0);
        for (const tally of tallies) tally.add(y, interval, change);
      }
      if (row % 64 === 0) await pause();
    }
    if (role === 'judge')
      judgeWindows.push({ origin: labelOf(spec.period, origin), score: own.scores(isCalibrated).score });
  }
  await pause();
  return {
    select: selected.scores(isCalibrated),
    judge: judged.scores(isCalibrated),
    judgeWindows,
    calibration: calibrate(errorsByStep(errors, rows.length, horizon), coverage),
  };
}

/** The errors of the rows before one, by step. */
function errorsByStep(errors: Float64Array, rows: number, horizon: number): Float64Array[] {
  return Array.from({ length: horizon }, (_, step) => {
    const own = new Float64Array(rows);
    let count = 0;
    for (let row = 0; row < rows; row += 1) {
      const error = errors[row * horizon + step] ?? Number.NaN;
      if (Number.isNaN(error)) continue;
      own[count] = error;
      count += 1;
    }
    return own.subarray(0, count);
  });
}

export interface Tally {
  add(y: number, interval: Interval, change: number): void;
  scores(isCalibrated: boolean): Scores;
  readonly count: number;
}

/** Sums up the losses of values, each divided by the mean change of its series. */
export function createTally(coverage: number): Tally {
  const lowest = (1 - coverage) / 2;
  const highest = (1 + coverage) / 2;
  let count = 0;
  let loss = 0;
  let error = 0;
  let inside = 0;
  let width = 0;
  return {
    get count() {
      return count;
    },
    add(y, { low, value, high }, change) {
      count += 1;
      const sum = pinball(lowest, y, low) + pinball(0.5, y, value) + pinball(highest, y, high);
      loss += ((2 / 3) * sum) / change;
      error += Math.abs(y - value) / change;
      if (low <= y && y <= high) inside += 1;
      width += (high - low) / change;
    },
    scores(isCalibrated) {
      if (count === 0) return { score: null, mase: null, coverage: null, width: null };
      return {
        score: loss / count,
        mase: error / count,
        coverage: isCalibrated ? inside / count : null,
        width: width / count,
      };
    },
  };
}

function pinball(quantile: number, y: number, forecast: number): number {
  return Math.max(quantile * (y - forecast), (quantile - 1) * (y - forecast));
}

// The tensors that a model is fed. A window is a series and its origin, the last period that is known.
import { phasesOf } from './calendar.ts';
import { type Level, levelOf } from './level.ts';
import { copyPeriods, type PanelData } from './panel.ts';
import { type ForecastSpec, signatureOf, type StaticCodes, timeFeatures } from './spec.ts';

/** Rows for a model: each tensor holds the values of its rows one after the other. */
export interface TensorBatch {
  rows: number;
  tensors: Record<string, Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>>;
}

export interface SeriesWindow {
  /** The number of the series. */
  series: number;
  /** The index of the last period that is known. */
  origin: number;
}

/** A window as it is fed, before it is rounded to float32. */
export interface WindowFeatures {
  level: Level;
  /** The normalised context; NaN is missing. */
  target: Float64Array;
  /** [context, known + observed], missing is 0. */
  past: Float64Array;
  /** [horizon, known], missing is 0. */
  future: Float64Array;
}

export interface FeatureReader {
  /** What it returns is overwritten by the next call. */
  read(window: SeriesWindow): WindowFeatures;
}

/** @param knownUntil covariates after this period are missing */
export function createFeatureReader(
  panel: PanelData,
  { context, horizon, known }: ForecastSpec,
  knownUntil = Number.POSITIVE_INFINITY,
): FeatureReader {
  const width = panel.covariates.length;
  const target = new Float64Array(context);
  const pastValues = new Float64Array(context);
  const futureValues = new Float64Array(horizon);
  const past = new Float64Array(context * width);
  const future = new Float64Array(horizon * known.length);
  return {
    read({ series, origin }) {
      const from = origin - context + 1;
      copyPeriods(panel, panel.target, series, from, target);
      const level = levelOf(target);
      for (let t = 0; t < context; t += 1) target[t] = normal(target[t], level);
      panel.covariates.forEach((column, at) => {
        copyPeriods(panel, column, series, from, pastValues);
        const own = levelOf(pastValues);
        for (let t = 0; t < context; t += 1) past[t * width + at] = orZero(normal(pastValues[t], own));
        if (at >= known.length) return;
        copyPeriods(panel, column, series, origin + 1, futureValues);
        for (let h = 0; h < horizon; h += 1) {
          const value = origin + 1 + h > knownUntil ? Number.NaN : normal(futureValues[h], own);
          future[h * known.length + at] = orZero(value);
        }
      });
      return { level, target, past, future };
    },
  };
}

function normal(value: number | undefined, { mean, scale }: Level): number {
  return ((value ?? Number.NaN) - mean) / scale;
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}

/** The time features of periods, one after the other: the sine and the cosine of each phase. */
export function timeOf({ period }: ForecastSpec, from: number, length: number): Float64Array {
  const times = Array.from({ length }, (_, step) => phasesOf(period, from + step));
  return Float64Array.from(
    times.flatMap((phases) =>
      phases.flatMap((phase) => [Math.sin(2 * Math.PI * phase), Math.cos(2 * Math.PI * phase)]),
    ),
  );
}

/**
 * The static codes of a series.
 * @param codes the ones that the model was trained with; a text that they lack has the code 0
 */
export function codeReader({ statics }: PanelData, codes: StaticCodes): (series: number) => number[] {
  const tables = statics.map(({ name }) => new Map((codes[name] ?? []).map((text, at) => [text, at + 1])));
  return (series) => statics.map(({ texts }, at) => tables[at]?.get(texts[series] ?? '') ?? 0);
}

/** All tensors that a model may declare, for these windows. */
export function tensorsOf(
  panel: PanelData,
  spec: ForecastSpec,
  windows: readonly SeriesWindow[],
  codes: StaticCodes,
): TensorBatch & { levels: Level[] } {
  const { context, horizon } = spec;
  const rows = windows.length;
  const reader = createFeatureReader(panel, spec);
  const time = timeFeatures(spec.period);
  const codesOf = codeReader(panel, codes);
  const times = new Map<number, Float64Array>();
  const past = new Float32Array(rows * context);
  const seen = new Float32Array(rows * context);
  const level = new Float32Array(rows * 2);
  const pastTime = new Float32Array(rows * context * time);
  const futureTime = new Float32Array(rows * horizon * time);
  const pastCovariates = new Float32Array(rows * context * panel.covariates.length);
  const futureCovariates = new Float32Array(rows * horizon * spec.known.length);
  const statics = new BigInt64Array(rows * panel.statics.length);

  const levels = windows.map((window, row) => {
    const features = reader.read(window);
    const { target } = features;
    for (let t = 0, index = row * context; t < context; t += 1, index += 1) {
      const value = target[t] ?? Number.NaN;
      past[index] = orZero(value);
      seen[index] = Number.isNaN(value) ? 0 : 1;
    }
    pastCovariates.set(features.past, row * features.past.length);
    futureCovariates.set(features.future, row * features.future.length);
    level.set([features.level.mean, features.level.scale], row * 2);
    const both = times.get(window.origin) ?? timeOf(spec, window.origin - context + 1, context + horizon);
    times.set(window.origin, both);
    pastTime.set(both.subarray(0, context * time), row * context * time);
    futureTime.set(both.subarray(context * time), row * horizon * time);
    statics.set(codesOf(window.series).map(BigInt), row * panel.statics.length);
    return features.level;
  });

  const all: TensorBatch['tensors'] = {
    past_target: past,
    past_observed: seen,
    past_time: pastTime,
    future_time: futureTime,
    past_covariates: pastCovariates,
    future_covariates: futureCovariates,
    static: statics,
    level,
  };
  const tensors = Object.fromEntries(
    signatureOf(spec).inputs.map(({ name }) => [name, all[name] ?? new Float32Array()]),
  );
  return { rows, tensors, levels };
}

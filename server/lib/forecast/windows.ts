// The windows that are set aside at the end of a dataset, and the scale by which errors of each series are divided.
import { historyOf, lastPeriod, type PanelData } from './panel.ts';
import type { ForecastSpec } from './spec.ts';

export type WindowRole = 'calibrate' | 'select' | 'judge';

export interface Window {
  /** The index of the last period that is known; the targets are the periods after it. */
  origin: number;
  role: WindowRole;
}

export interface Windows {
  /** In time order. They may be fewer than wished for, or none. */
  windows: readonly Window[];
  /** The last period of training: the first window's origin, or the last period with a value where there is no window. */
  trainedUntil: number;
  /** By series: the mean absolute change by which its errors are divided; NaN where it cannot be scored. */
  changes: Float64Array;
}

export function planWindows(panel: PanelData, spec: ForecastSpec): Windows {
  const last = lastPeriod(panel);
  const count = Math.min(spec.windows, Math.floor(medianSpan(panel) / 2 / spec.horizon));
  const third = Math.floor(count / 3);
  const windows = Array.from({ length: count }, (_, k): Window => {
    const role = k < third ? 'calibrate' : k < 2 * third ? 'select' : 'judge';
    return { origin: last - spec.horizon * (count - k), role };
  });
  const trainedUntil = windows[0]?.origin ?? last;
  return { windows, trainedUntil, changes: changesUntil(panel, spec.season, trainedUntil) };
}

/** Periods from a series' first value to its last one. */
function medianSpan({ firstValue, lastValue }: PanelData): number {
  const spans = lastValue.map((last, series) => last - (firstValue[series] ?? 0) + 1).toSorted();
  const middle = spans.length >> 1;
  const upper = spans[middle] ?? 0;
  return spans.length % 2 === 1 ? upper : (upper + (spans[middle - 1] ?? upper)) / 2;
}

/**
 * By series: the mean of |y(t) - y(t - season)| up to a period. Where no two values are a season apart, or none of them
 * differ, neighbours are compared instead; NaN where that gives nothing either.
 */
export function changesUntil(panel: PanelData, season: number, until: number): Float64Array {
  return Float64Array.from(panel.names, (_, series) => {
    const history = historyOf(panel, series, until);
    return meanChange(history, season) ?? meanChange(history, 1) ?? Number.NaN;
  });
}

/** A smaller mean change is none: dividing by it would overflow. */
const LEAST_CHANGE = 1e-100;

function meanChange(values: Float64Array, lag: number): number | undefined {
  let sum = 0;
  let count = 0;
  for (let t = lag; t < values.length; t += 1) {
    const change = Math.abs((values[t] ?? Number.NaN) - (values[t - lag] ?? Number.NaN));
    if (Number.isNaN(change)) continue;
    sum += change;
    count += 1;
  }
  return sum > LEAST_CHANGE * count ? sum / count : undefined;
}

// Forecasts that were made before their targets were known, compared with the actual values.
import { labelOf, parseLabel } from './calendar.ts';
import { intervalAt } from './calibration.ts';
import { createTally } from './evaluation.ts';
import { historyOf, lastPeriod, type PanelData } from './panel.ts';
import type { ForecastSpec } from './spec.ts';
import { changesUntil } from './windows.ts';

export interface MadeForecasts {
  /** The label of the last period that was known. */
  origin: string;
  /** The names of the series. */
  series: readonly string[];
  /** [series, horizon, 3], calibrated. */
  intervals: Float64Array;
  /** Periods up to this label were graded before. */
  after?: string | undefined;
}

export interface Grade {
  /** The number of periods that were graded now. */
  periods: number;
  /** The label of the last of them. */
  until: string | null;
  /** The number of values that were compared. */
  values: number;
  /** The mean scaled pinball loss over them; null without any. */
  score: number | null;
}

/** Grades the periods that the panel holds. Errors are divided by the mean change of a series up to the origin. */
export function grade(panel: PanelData, spec: ForecastSpec, forecasts: MadeForecasts): Grade {
  const { horizon, season, coverage } = spec;
  const origin = indexOf(forecasts.origin, spec);
  const from = forecasts.after === undefined ? origin + 1 : Math.max(indexOf(forecasts.after, spec), origin) + 1;
  const until = Math.min(lastPeriod(panel), origin + horizon);
  const changes = changesUntil(panel, season, origin);
  const tally = createTally(coverage);
  forecasts.series.forEach((name, row) => {
    const series = panel.numbers.get(name);
    const change = series === undefined ? Number.NaN : (changes[series] ?? Number.NaN);
    if (series === undefined || Number.isNaN(change)) return;
    const history = historyOf(panel, series, until);
    const first = panel.firstValue[series] ?? 0;
    for (let period = from; period <= until; period += 1) {
      const y = history[period - first] ?? Number.NaN;
      if (Number.isNaN(y)) continue;
      tally.add(y, intervalAt(forecasts.intervals, row * horizon + period - origin - 1), change);
    }
  });
  const periods = Math.max(0, until - from + 1);
  return {
    periods,
    until: periods === 0 ? null : labelOf(spec.period, until),
    values: tally.count,
    score: tally.scores(true).score,
  };
}

function indexOf(label: string, { period }: ForecastSpec): number {
  const parsed = parseLabel(label);
  if (parsed?.period !== period) throw new Error(`\`${label}\` is not the label of a ${period}.`);
  return parsed.index;
}

// What a trainer learns from, as CSV: windows that are normalised like those that a model is fed.
//
// 1. Nothing in a row comes from a period after the first window's origin; a target after it is empty.
// 2. A row's weight is its scale divided by the series' mean change: the weighted pinball loss of normalised values is the
//    score.
// 3. Where there are too many origins, every n-th one is taken, with an n that has no divisor in common with the season:
//    every phase of the season stays.
import { labelOf } from './calendar.ts';
import { hasValue } from './evaluation.ts';
import { codeReader, createFeatureReader, timeOf } from './features.ts';
import { copyPeriods, type PanelData } from './panel.ts';
import { type ForecastSpec, MOST_ROWS, rowColumns, timeFeatures } from './spec.ts';
import type { Windows } from './windows.ts';

/** The header and the rows, each a line. */
export function* trainingRows(
  panel: PanelData,
  spec: ForecastSpec,
  { trainedUntil, changes }: Windows,
  mostRows = MOST_ROWS,
): Generator<string> {
  const { context, horizon } = spec;
  yield `${rowColumns(spec).join()}\n`;
  const { scored, stride } = planRows(panel, spec, { trainedUntil, changes }, mostRows);
  const reader = createFeatureReader(panel, spec, trainedUntil);
  const codesOf = codeReader(panel, panel.codes);
  const times = createTimes(spec);
  const hasTimes = timeFeatures(spec.period) > 0;
  const targets = new Float64Array(horizon);
  let skip = 0;
  for (const { series, first, last } of scored) {
    const name = quotedField(panel.names[series] ?? '');
    const codes = codesOf(series);
    let origin = first + skip;
    for (; origin <= last; origin += stride) {
      const until = Math.min(origin + horizon, trainedUntil);
      if (!hasValue(panel, series, origin - context + 1, origin) || !hasValue(panel, series, origin + 1, until))
        continue;
      const { level, target, past, future } = reader.read({ series, origin });
      copyPeriods(panel, panel.target, series, origin + 1, targets);
      const { mean, scale } = level;
      // Joined, because a text that grows cell by cell costs a multiple of its memory.
      const cells = [
        name,
        labelOf(spec.period, origin),
        String(mean),
        String(scale),
        String(scale / (changes[series] ?? 1)),
      ];
      for (const x of target) cells.push(Number.isNaN(x) ? '0' : written(x));
      for (const x of target) cells.push(Number.isNaN(x) ? '0' : '1');
      if (hasTimes) cells.push(times(origin));
      for (const value of past) cells.push(written(value));
      for (const value of future) cells.push(written(value));
      for (const code of codes) cells.push(String(code));
      targets.forEach((y, step) => {
        cells.push(Number.isNaN(y) || origin + 1 + step > trainedUntil ? '' : written((y - mean) / scale));
      });
      yield `${cells.join()}\n`;
    }
    skip = last < first ? skip : origin - last - 1;
  }
}

/** The origins of each series that has rows, and which of them have one: every `stride`-th. */
export function planRows(
  panel: PanelData,
  { season }: ForecastSpec,
  { trainedUntil, changes }: Pick<Windows, 'trainedUntil' | 'changes'>,
  mostRows = MOST_ROWS,
): { scored: { series: number; first: number; last: number }[]; stride: number } {
  const ranges = panel.names.map((_, series) => ({
    series,
    first: panel.firstValue[series] ?? 0,
    last: Math.min(panel.lastValue[series] ?? 0, trainedUntil) - 1,
  }));
  const scored = ranges.filter(({ series }) => !Number.isNaN(changes[series]));
  const origins = scored.reduce((sum, { first, last }) => sum + Math.max(0, last - first + 1), 0);
  return { scored, stride: strideOf(Math.ceil(origins / mostRows), season) };
}

/** The least stride that is not below this one and has no divisor in common with the season. */
function strideOf(least: number, season: number): number {
  let stride = Math.max(1, least);
  while (greatestCommonDivisor(stride, season) > 1) stride += 1;
  return stride;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** The float32 that a model is fed, in the 9 digits that distinguish it from others. */
function written(value: number): string {
  const fed = Math.fround(value);
  return Number.isInteger(fed) ? String(fed) : fed.toPrecision(9);
}

function quotedField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The time columns of an origin; all series share them. */
function createTimes(spec: ForecastSpec): (origin: number) => string {
  const known = new Map<number, string>();
  return (origin) => {
    const found = known.get(origin);
    if (found !== undefined) return found;
    const times = timeOf(spec, origin - spec.context + 1, spec.context + spec.horizon);
    const text = Array.from(times, written).join();
    if (known.size === MOST_TIMES) known.clear();
    known.set(origin, text);
    return text;
  };
}

const MOST_TIMES = 1_000;

// What is asked of a panel, once it is in memory.
import { BASELINES } from './baselines.ts';
import { labelOf } from './calendar.ts';
import { type EvaluationRows, evaluationRows, hasValue } from './evaluation.ts';
import { type SeriesWindow, tensorsOf } from './features.ts';
import { grade } from './grade.ts';
import { listSeries } from './list-series.ts';
import { copyPeriods, firstPeriod, lastPeriod, type PanelData } from './panel.ts';
import type { LatestBatch, PanelFacts, PanelQuery, QueryAnswers, UncodedQuestion } from './requests.ts';
import { type RunModel, scoreBaseline, scoreModel } from './score-forecasts.ts';
import type { CallContext } from './serve-calls.ts';
import { batchRows, type ForecastSpec, type StaticCodes } from './spec.ts';
import { planRows, trainingRows } from './training-rows.ts';
import { planWindows, type Windows } from './windows.ts';

/** A panel and what follows from a function's document. */
export interface OpenPanel {
  panel: PanelData;
  spec: ForecastSpec;
  plan: Windows;
  rows: EvaluationRows;
  /** The numbers of the series with a value in the last context. */
  latest: readonly number[];
}

/** A part of a streamed answer has about this size, in characters. */
const PART = 65_536;

export function openPanel(panel: PanelData, spec: ForecastSpec): OpenPanel {
  const plan = planWindows(panel, spec);
  const last = lastPeriod(panel);
  const latest = panel.names.flatMap((_, series) =>
    hasValue(panel, series, last - spec.context + 1, last) ? [series] : [],
  );
  return { panel, spec, plan, rows: evaluationRows(panel, spec, plan), latest };
}

export async function answerQuery(
  open: OpenPanel,
  query: PanelQuery,
  { pause, send }: Pick<CallContext, 'pause' | 'send'>,
): Promise<QueryAnswers[PanelQuery['kind']]> {
  const { panel, spec, plan, rows } = open;
  switch (query.kind) {
    case 'facts':
      return factsOf(open);
    case 'question':
      return question(open, query.series);
    case 'windows': {
      const windows = slice(rows.length, query).map((row) => rows.at(row));
      const { levels: _, ...batch } = tensorsOf(panel, spec, windows, query.codes ?? panel.codes);
      return batch;
    }
    case 'latest':
      return latestBatch(open, query, query.codes ?? panel.codes);
    case 'baselines': {
      const scored = [];
      for (const baseline of BASELINES) {
        scored.push([baseline, await scoreBaseline(panel, spec, plan, rows, baseline, pause)] as const);
      }
      return Object.fromEntries(scored) as QueryAnswers['baselines'];
    }
    case 'score': {
      const run: RunModel = async (batch) => {
        const moved = Object.values(batch.tensors).map(({ buffer }) => buffer);
        return (await send(batch, moved)) as Float32Array | undefined;
      };
      return scoreModel(panel, spec, plan, rows, { run, codes: query.codes ?? panel.codes }, pause);
    }
    case 'rows': {
      let lines: string[] = [];
      let size = 0;
      for (const line of trainingRows(panel, spec, plan)) {
        lines.push(line);
        size += line.length;
        if (size < PART) continue;
        await sendLines(lines, send);
        lines = [];
        size = 0;
      }
      if (size > 0) await sendLines(lines, send);
      return undefined;
    }
    case 'series':
      return listSeries(panel, query.query);
    case 'grade':
      return grade(panel, spec, query.forecasts);
  }
}

async function sendLines(lines: readonly string[], send: CallContext['send']): Promise<void> {
  const encoded = new TextEncoder().encode(lines.join(''));
  await send(encoded, [encoded.buffer]);
}

function factsOf({ panel, spec, plan, rows, latest }: OpenPanel): PanelFacts {
  const label = (index: number): string => labelOf(spec.period, index);
  return {
    series: panel.names.length,
    first: label(firstPeriod(panel)),
    last: label(lastPeriod(panel)),
    windows: plan.windows.map(({ origin, role }) => ({ origin: label(origin), role })),
    trainedUntil: label(plan.trainedUntil),
    unscored: plan.changes.filter((change) => Number.isNaN(change)).length,
    windowRows: rows.length,
    rowStride: planRows(panel, spec, plan).stride,
    batchRows: batchRows(spec),
    latestRows: latest.length,
    codes: panel.codes,
  };
}

function question({ panel, spec }: OpenPanel, name: string): UncodedQuestion | undefined {
  const series = panel.numbers.get(name);
  if (series === undefined) return undefined;
  const origin = lastPeriod(panel);
  const { levels, ...batch } = tensorsOf(panel, spec, [{ series, origin }], {});
  const values = new Float64Array(spec.context);
  const first = origin - spec.context + 1;
  copyPeriods(panel, panel.target, series, first, values);
  return {
    ...batch,
    statics: panel.statics.map(({ name: column, texts }) => ({ name: column, text: texts[series] ?? '' })),
    level: levels[0] ?? { mean: 0, scale: 1, count: 0 },
    observed: Array.from(values, (value, step) => ({
      period: labelOf(spec.period, first + step),
      value: Number.isNaN(value) ? null : value,
    })),
    future: Array.from({ length: spec.horizon }, (_, step) => labelOf(spec.period, origin + 1 + step)),
  };
}

function latestBatch(
  { panel, spec, latest }: OpenPanel,
  range: { from: number; count: number },
  codes: StaticCodes,
): LatestBatch {
  const origin = lastPeriod(panel);
  const windows = slice(latest.length, range).map((at): SeriesWindow => ({ series: latest[at] ?? 0, origin }));
  return {
    ...tensorsOf(panel, spec, windows, codes),
    series: windows.map(({ series }) => panel.names[series] ?? ''),
  };
}

/** The numbers of a range that exist. */
function slice(length: number, { from, count }: { from: number; count: number }): number[] {
  return Array.from({ length: Math.max(0, Math.min(count, length - from)) }, (_, at) => from + at);
}

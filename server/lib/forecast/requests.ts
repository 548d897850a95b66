// What the worker executes, and what it answers.
import type { Baseline } from './baselines.ts';
import type { Evaluation } from './evaluation.ts';
import type { TensorBatch } from './features.ts';
import type { Grade, MadeForecasts } from './grade.ts';
import type { DatasetSummary } from './inspect.ts';
import type { Level } from './level.ts';
import type { SeriesPage, SeriesQuery } from './list-series.ts';
import type { RawFault } from './serve.ts';
import type { ForecastSpec, StaticCodes } from './spec.ts';
import type { WindowRole } from './windows.ts';

/** A panel: the caller streams its dataset where the worker does not hold it. */
export interface PanelPlace {
  /** The dataset's digest: what has the same key has the same bytes. */
  key: string;
  spec: ForecastSpec;
}

export type PanelQuery =
  | { kind: 'facts' }
  | { kind: 'question'; series: string }
  | { kind: 'windows'; from: number; count: number; codes: StaticCodes | undefined }
  | { kind: 'latest'; from: number; count: number; codes: StaticCodes | undefined }
  | { kind: 'baselines' }
  | { kind: 'score'; codes: StaticCodes | undefined }
  | { kind: 'rows' }
  | { kind: 'series'; query: SeriesQuery }
  | { kind: 'grade'; forecasts: MadeForecasts };

export type ForecastRequest = { kind: 'inspect' } | { kind: 'panel'; location: PanelPlace; query: PanelQuery };

/** What every caller of a panel may want to know. Periods are labels. */
export interface PanelFacts {
  /** The number of series. */
  series: number;
  /** The first period with a value, of any series, and the last one. */
  first: string;
  last: string;
  /** The windows at the end of the dataset, in time order; none where the data is too short. */
  windows: { origin: string; role: WindowRole }[];
  /** The last period that training may see: the origin of the first window. */
  trainedUntil: string;
  /** Series that cannot be scored, because no value of theirs changes before the first window. */
  unscored: number;
  /** Rows of the windows that are scored: what `windows` serves. */
  windowRows: number;
  /** Training rows are made of every n-th origin: what n is. */
  rowStride: number;
  /** The rows of a batch whose tensors take about 1 MiB, at most 1,024. */
  batchRows: number;
  /** Series with a value in the last context: what `latest` serves. */
  latestRows: number;
  codes: StaticCodes;
}

export interface Question extends TensorBatch {
  /** For `serveForecasts`. Its `count` is 0 where the series has no value in the context. */
  level: Level;
  /** The last periods of the dataset, as many as the context; null is missing. */
  observed: { period: string; value: number | null }[];
  /** The periods of the horizon. */
  future: string[];
}

/** A question with the texts of the series, which have other codes for each version. */
export interface UncodedQuestion extends Question {
  statics: { name: string; text: string }[];
}

export interface LatestBatch extends TensorBatch {
  /** The names of the rows' series. */
  series: string[];
  levels: Level[];
}

export interface QueryAnswers {
  facts: PanelFacts;
  question: UncodedQuestion | undefined;
  windows: TensorBatch;
  latest: LatestBatch;
  baselines: Record<Baseline, Evaluation>;
  score: Evaluation | RawFault | undefined;
  rows: undefined;
  series: SeriesPage;
  grade: Grade;
}

export type { DatasetSummary };

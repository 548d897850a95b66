// The caller's side of the forecasts: everything is read and computed in a worker thread. Calls share it and take turns.
import { MIB } from '../../../shared/product.ts';
import type { Baseline } from './baselines.ts';
import { type CallWorker, createCallWorker } from './call-worker.ts';
import type { Evaluation } from './evaluation.ts';
import type { TensorBatch } from './features.ts';
import type { ForecastWorkerData } from './forecast-worker.ts';
import type { Grade, MadeForecasts } from './grade.ts';
import type { DatasetSummary } from './inspect.ts';
import type { SeriesPage, SeriesQuery } from './list-series.ts';
import type {
  ForecastRequest,
  LatestBatch,
  PanelFacts,
  PanelPlace,
  PanelQuery,
  QueryAnswers,
  Question,
} from './requests.ts';
import type { RawFault } from './serve.ts';
import type { ForecastSpec, StaticCodes } from './spec.ts';

export interface Abortable {
  /** Aborted when the caller no longer waits: the call rejects with its reason. */
  signal?: AbortSignal | undefined;
}

export interface RowRange {
  /** From 0. */
  from: number;
  /** At most 1,024. */
  count: number;
  /** The codes of the version whose model is fed; without them the dataset's own. */
  codes?: StaticCodes;
}

/** Every call throws Refused `unavailable` where the worker ended, and what the dataset's stream throws. */
export interface Forecaster {
  /**
   * Reads a dataset as it streams, no faster than it is read.
   * @throws Refused `invalid_input` with an issue at the body, whose detail begins with `Line N`
   */
  inspect(chunks: AsyncIterable<Uint8Array>, options?: Abortable): Promise<DatasetSummary>;
  /**
   * Opens a dataset for a function.
   * @param key the dataset's digest
   * @param read streams the dataset. The worker keeps what it read while there is room, and may ask for it again
   * @throws Refused `invalid_input` with an issue at the body where the dataset does not fit: another period, a column that
   *   is missing or has other cells than its role needs
   */
  open(key: string, spec: ForecastSpec, read: () => AsyncIterable<Uint8Array>, options?: Abortable): Promise<Panel>;
  /** Ends the worker; open calls are refused. */
  close(): Promise<void>;
}

/** A dataset with the roles that a function gives its columns. It needs no closing. */
export interface Panel {
  readonly facts: PanelFacts;
  /** What a model is fed for the periods after the dataset's last one; undefined where the series is unknown. */
  question(series: string, options?: Abortable & { codes?: StaticCodes }): Promise<Question | undefined>;
  /** Lists series with their latest values. */
  series(query: SeriesQuery, options?: Abortable): Promise<SeriesPage>;
  /** Rows of the windows, `facts.windowRows` altogether. A candidate is run on all of them, in order. */
  windows(range: RowRange, options?: Abortable): Promise<TensorBatch>;
  /** Rows of the whole panel for the periods after its last one, `facts.latestRows` altogether. */
  latest(range: RowRange, options?: Abortable): Promise<LatestBatch>;
  /** Scores the baselines. It takes seconds for 10,000 series. */
  baselines(options?: Abortable): Promise<Record<Baseline, Evaluation>>;
  /**
   * Scores what a model returned for all rows of the windows.
   * @param output [rows, horizon, 3], as parts in order
   * @returns a fault where the model is disqualified
   * @throws Refused `internal` where the parts have another length
   */
  score(output: readonly Float32Array[], options?: Abortable): Promise<Evaluation | RawFault>;
  /** The training rows as CSV in UTF-8, made as they are read. */
  trainingRows(options?: Abortable): AsyncGenerator<Uint8Array>;
  /** Compares forecasts that were made from an earlier dataset with the values of this one. */
  grade(forecasts: MadeForecasts, options?: Abortable): Promise<Grade>;
}

export interface ForecasterOptions {
  /** Is called with what the worker failed with, for the log. */
  onFailure?: (message: string) => void;
  /** What the panels that the worker keeps may take, in bytes. */
  mostBytes?: number;
}

/** The memory of JavaScript objects; a panel's figures are outside of it. */
const MOST_HEAP_MB = 512;

export function createForecaster({ onFailure = () => {}, mostBytes = 512 * MIB }: ForecasterOptions = {}): Forecaster {
  const worker = createCallWorker<ForecastRequest>(new URL('./forecast-worker.ts', import.meta.url), {
    limits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    workerData: { mostBytes } satisfies ForecastWorkerData,
    onFailure,
  });
  return {
    async inspect(chunks, { signal } = {}) {
      return (await worker.call({ request: { kind: 'inspect' }, source: () => chunks, signal })) as DatasetSummary;
    },
    async open(key, spec, read, { signal } = {}) {
      const source: PanelSource = { worker, place: { key, spec }, read };
      return panelOf(source, await ask(source, { kind: 'facts' }, signal));
    },
    close: () => worker.close(),
  };
}

interface PanelSource {
  worker: CallWorker<ForecastRequest>;
  place: PanelPlace;
  read: () => AsyncIterable<Uint8Array>;
}

async function ask<Query extends PanelQuery>(
  { worker, place, read }: PanelSource,
  query: Query,
  signal: AbortSignal | undefined,
  onPart?: (part: unknown) => Promise<void>,
): Promise<QueryAnswers[Query['kind']]> {
  const call = { request: { kind: 'panel', place, query }, source: read, signal, onPart } as const;
  return (await worker.call(call)) as QueryAnswers[Query['kind']];
}

function panelOf(source: PanelSource, facts: PanelFacts): Panel {
  return {
    facts,
    question: (series, { codes, signal } = {}) => ask(source, { kind: 'question', series, codes }, signal),
    series: (query, { signal } = {}) => ask(source, { kind: 'series', query }, signal),
    windows: ({ from, count, codes }, { signal } = {}) => ask(source, { kind: 'windows', from, count, codes }, signal),
    latest: ({ from, count, codes }, { signal } = {}) => ask(source, { kind: 'latest', from, count, codes }, signal),
    baselines: ({ signal } = {}) => ask(source, { kind: 'baselines' }, signal),
    score: (output, { signal } = {}) => ask(source, { kind: 'score', output }, signal),
    trainingRows: ({ signal } = {}) => streamRows(source, signal),
    grade: (forecasts, { signal } = {}) => ask(source, { kind: 'grade', forecasts }, signal),
  };
}

/**
 * The worker makes a part when the one before was taken. Nothing that lasts as long as the stream may wait for each part
 * (as in `Promise.race`): it would hold all of them.
 */
async function* streamRows(source: PanelSource, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const left = new AbortController();
  const either = signal === undefined ? left.signal : AbortSignal.any([left.signal, signal]);
  let part: Uint8Array | undefined;
  let isOver = false;
  let failure: unknown;
  let takePart = (): void => {};
  let wake = (): void => {};
  const onPart = (made: unknown): Promise<void> => {
    part = made as Uint8Array;
    wake();
    return new Promise((resolve) => {
      takePart = resolve;
    });
  };
  ask(source, { kind: 'rows' }, either, onPart)
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  try {
    for (;;) {
      if (part !== undefined) {
        const taken = part;
        part = undefined;
        yield taken;
        takePart();
      } else if (isOver) {
        if (failure !== undefined) throw failure;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    left.abort();
  }
}

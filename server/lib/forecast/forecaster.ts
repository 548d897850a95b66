// The caller's side of the forecasts: everything is read and computed in a worker thread. Calls share it and take turns.
import { LRUCache } from 'lru-cache';
import { MIB } from '../../../shared/product.ts';
import type { Clock } from '../clock.ts';
import type { Baseline } from './baselines.ts';
import { type Call, CallWorker } from './call-worker.ts';
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
  UncodedQuestion,
} from './requests.ts';
import type { RunModel } from './score-forecasts.ts';
import type { RawFault } from './serve.ts';
import { createShared, type Shared } from './shared.ts';
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
  /** The same without a call: the first one that is made of it opens the dataset, and throws what `open` does. */
  at(key: string, spec: ForecastSpec, read: () => AsyncIterable<Uint8Array>): PanelCalls;
  /** Ends the worker; open calls are refused. */
  close(): Promise<void>;
}

/** A dataset that is opened, and what is known of it. */
export interface Panel extends PanelCalls {
  readonly facts: PanelFacts;
}

/** A dataset with the roles that a function gives its columns. It needs no closing. */
export interface PanelCalls {
  /**
   * What a model is fed for the periods after the dataset's last one; undefined where the series is unknown.
   * @param codes those of the version whose model is fed
   */
  question(series: string, options: Abortable & { codes: StaticCodes }): Promise<Question | undefined>;
  /** Lists series with their latest values. */
  series(query: SeriesQuery, options?: Abortable): Promise<SeriesPage>;
  /** Rows of the windows, `facts.windowRows` altogether. */
  windows(range: RowRange, options?: Abortable): Promise<TensorBatch>;
  /** Rows of the whole panel for the periods after its last one, `facts.latestRows` altogether. */
  latest(range: RowRange, options?: Abortable): Promise<LatestBatch>;
  /** Scores the baselines. It takes seconds for 10,000 series; the figures are kept, and calls at once share them. */
  baselines(options?: Abortable): Promise<Record<Baseline, Evaluation>>;
  /**
   * Runs a model on all rows of the windows, in order, and scores it. Only one batch is in memory at a time.
   * @param run runs the model on a batch of `facts.batchRows` rows or fewer; undefined ends the scoring
   * @param options the codes of the version whose model is fed; without them the dataset's own
   * @returns a fault where the model is disqualified; undefined where `run` ended the scoring
   * @throws Refused `internal` where an output has another length; what `run` throws
   */
  score(run: RunModel, options?: Abortable & { codes?: StaticCodes }): Promise<Evaluation | RawFault | undefined>;
  /** The training rows as CSV in UTF-8, made as they are read. */
  trainingRows(options?: Abortable): AsyncGenerator<Uint8Array>;
  /** Compares forecasts that were made from an earlier dataset with the values of this one. */
  grade(forecasts: MadeForecasts, options?: Abortable): Promise<Grade>;
}

export interface ForecasterOptions {
  clock: Clock;
  /** Is called with what the worker failed with, for the log. */
  onFailure?: (message: string) => void;
  /** What the panels that the worker keeps may take, in bytes. */
  mostBytes?: number;
  /** Milliseconds without a call after which the worker ends; the panels that it held are read again when needed. */
  idleMs?: number;
}

/** The memory of JavaScript objects; a panel's figures are outside of it. */
const MOST_HEAP_MB = 512;

/** As long as the process that answers questions stays without one. */
const IDLE_MS = 300_000;
/** The builds whose baselines are kept. */
const MOST_BASELINES = 64;

export function createForecaster({
  clock,
  onFailure = () => {},
  mostBytes = 512 * MIB,
  idleMs = IDLE_MS,
}: ForecasterOptions): Forecaster {
  const worker = new CallWorker<ForecastRequest>(new URL('./forecast-worker.ts', import.meta.url), {
    limits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    workerData: { mostBytes } satisfies ForecastWorkerData,
    onFailure,
    clock,
    idleMs,
  });
  const baselines = createShared(new LRUCache<string, Record<Baseline, Evaluation>>({ max: MOST_BASELINES }));
  const sourceOf = (key: string, spec: ForecastSpec, read: PanelSource['read']): PanelSource => ({
    worker,
    baselines,
    location: { key, spec },
    read,
  });
  return {
    async inspect(chunks, { signal } = {}) {
      return (await worker.call({ request: { kind: 'inspect' }, source: () => chunks, signal })) as DatasetSummary;
    },
    async open(key, spec, read, { signal } = {}) {
      const source = sourceOf(key, spec, read);
      return { ...panelOf(source), facts: await ask(source, { kind: 'facts' }, signal) };
    },
    at: (key, spec, read) => panelOf(sourceOf(key, spec, read)),
    close: () => worker.close(),
  };
}

interface PanelSource {
  worker: CallWorker<ForecastRequest>;
  baselines: Shared<Record<Baseline, Evaluation>>;
  location: PanelPlace;
  read: () => AsyncIterable<Uint8Array>;
}

async function ask<Query extends PanelQuery>(
  { worker, location, read }: PanelSource,
  query: Query,
  signal: AbortSignal | undefined,
  onPart?: Call<ForecastRequest>['onPart'],
): Promise<QueryAnswers[Query['kind']]> {
  const call = { request: { kind: 'panel', location, query }, source: read, signal, onPart } as const;
  return (await worker.call(call)) as QueryAnswers[Query['kind']];
}

function panelOf(source: PanelSource): PanelCalls {
  const key = JSON.stringify(source.location);
  return {
    async question(series, { codes, signal }) {
      const question = await ask(source, { kind: 'question', series }, signal);
      return question && withCodes(question, codes);
    },
    series: (query, { signal } = {}) => ask(source, { kind: 'series', query }, signal),
    windows: ({ from, count, codes }, { signal } = {}) => ask(source, { kind: 'windows', from, count, codes }, signal),
    latest: ({ from, count, codes }, { signal } = {}) => ask(source, { kind: 'latest', from, count, codes }, signal),
    baselines: ({ signal } = {}) => source.baselines.get(key, () => ask(source, { kind: 'baselines' }, signal)),
    score: (run, { codes, signal } = {}) =>
      ask(source, { kind: 'score', codes }, signal, async (batch) => {
        const output = await run(batch as TensorBatch);
        // A view of a larger buffer would take all of it along.
        const reply = output && new Float32Array(output);
        return { reply, transfer: reply === undefined ? [] : [reply.buffer] };
      }),
    trainingRows: ({ signal } = {}) => streamRows(source, signal),
    grade: (forecasts, { signal } = {}) => ask(source, { kind: 'grade', forecasts }, signal),
  };
}

/** The worker does not know the codes of the version, which may be thousands of texts. */
function withCodes({ statics, ...question }: UncodedQuestion, codes: StaticCodes): Question {
  const coded = statics.map(({ name, text }) => BigInt((codes[name]?.indexOf(text) ?? -1) + 1));
  const tensors = statics.length === 0 ? {} : { static: BigInt64Array.from(coded) };
  return { ...question, tensors: { ...question.tensors, ...tensors } };
}

/**
 * The worker makes a part when the one before was taken. Nothing that lasts as long as the stream may wait for each part
 * (as in `Promise.race`): it would hold all of them.
 */
async function* streamRows(source: PanelSource, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const abandoned = new AbortController();
  const either = signal === undefined ? abandoned.signal : AbortSignal.any([abandoned.signal, signal]);
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
    abandoned.abort();
  }
}

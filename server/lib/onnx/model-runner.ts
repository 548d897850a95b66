// Runs models that others have trained. Who owns what:
// 1. A model is tried and scored in a process of its own, so that it cannot change another's results; at most two at once.
// 2. Questions share one process, which is started for the first and ended when none comes.
// 3. What is wrong with a model is a fault, which is returned; what is wrong with this machine is thrown.
import { randomInt } from 'node:crypto';
import { type Clock, stopwatch } from '../clock.ts';
import type { Turn } from '../gate.ts';
import { unavailable } from '../rejection.ts';
import { createSlots, type Slot } from './build-slots.ts';
import { type Fault, FaultyModel } from './fault.ts';
import { removeLeftFolders } from './model-folders.ts';
import { type ModelProcess, startModelProcess } from './model-process.ts';
import { checkRow } from './output.ts';
import type { Batch } from './process-protocol.ts';
import type { ModelFacts } from './read-model.ts';
import { type Availability, locateRuntime, type RuntimeLocation } from './runtime.ts';
import type { Signature } from './signature.ts';
import { rowOf, tryModel } from './trial.ts';
import { createWarmProcess, type StoredModel } from './warm-process.ts';

export type Result<T> = { fault: Fault; value?: never } | { value: T; fault?: never };

export interface ModelRunner {
  readonly availability: Availability;
  /**
   * Loads a model and runs it with zeros, with ones and with the samples, in batches of 1, 7 and 128.
   * @param read called once there is a slot, so that no more models are in memory than slots
   * @param samples rows of real data with every input of the signature
   * @throws Refused `unavailable`, with the kind `model_process_busy` when both slots are taken
   */
  tryUpload(read: () => Promise<Uint8Array>, signature: Signature, samples?: Batch): Promise<Result<ModelFacts>>;
  /**
   * Loads a model for many runs. Waits for a slot, and holds it until the model is closed.
   * @throws Refused `unavailable`; the signal's reason
   */
  open(model: Uint8Array, signature: Signature, signal?: AbortSignal): Promise<Result<OpenModel>>;
  /**
   * Runs a model in the process for questions, which keeps it loaded.
   * @param batchOf makes the rows, for the inputs that the model declares
   * @throws Refused `unavailable`; the reason of the signal
   */
  ask(model: StoredModel, batchOf: (facts: ModelFacts) => Batch, turn?: Turn): Promise<Result<Float32Array>>;
  /** Removes what the processes of a server that was killed left behind. */
  removeLeft(): Promise<void>;
  /** Ends every process. */
  close(): Promise<void>;
}

export interface OpenModel {
  readonly facts: ModelFacts;
  /**
   * One at a time. The output's values, row after row. After a fault of `memory` or `time` every run has that fault. A
   * row of the batch, chosen by chance, is run alone as well: a model may recognise the batches of its trial.
   */
  run(batch: Batch): Promise<Result<Float32Array>>;
  /** Ends the process and frees its slot. */
  close(): Promise<void>;
}

/** Milliseconds. */
export interface RunnerLimits {
  /** For starting a process, which is no fault of a model. */
  startMs: number;
  /** For loading a model. */
  loadMs: number;
  /** For one run, and for all runs of a trial together. */
  runMs: number;
  /** For the process of questions to end. */
  idleMs: number;
}

export interface RunnerOptions {
  clock: Clock;
  limits?: Partial<RunnerLimits>;
  locate?: () => RuntimeLocation;
}

const BUILD_SLOTS = 2;
const BUSY_SECONDS = 5;
const MOST_ROWS = 1024;
const LIMITS: RunnerLimits = { startMs: 30_000, loadMs: 20_000, runMs: 20_000, idleMs: 300_000 };
const KEY = 'model';

interface Loaded {
  process: ModelProcess;
  facts: ModelFacts;
  close: () => Promise<void>;
}

/** Starts nothing. */
export function createModelRunner({ clock, limits, locate = locateRuntime }: RunnerOptions): ModelRunner {
  const { startMs, loadMs, runMs, idleMs } = { ...LIMITS, ...limits };
  const location = locate();
  const slots = createSlots(BUILD_SLOTS);
  const processes = new Set<ModelProcess>();
  let isClosed = false;
  const warm = createWarmProcess({ start, clock, loadMs, runMs, idleMs, busy: modelsAreBusy });

  async function start(): Promise<ModelProcess> {
    if ('reason' in location) throw unavailable(location.reason, { because: 'no_model_runtime' });
    if (isClosed) throw stopping();
    const process = await startModelProcess({ runtime: location.module, clock, startMs });
    processes.add(process);
    void process.exited.then(() => processes.delete(process));
    if (isClosed) {
      await process.end();
      throw stopping();
    }
    return process;
  }

  /** Loads a model into a process of its own. */
  async function load(slot: Slot, read: () => Promise<Uint8Array>, signature: Signature): Promise<Loaded> {
    let process: ModelProcess | undefined;
    const close = async (): Promise<void> => {
      await process?.end();
      slot();
    };
    try {
      const model = await read();
      process = await start();
      return { process, facts: await process.load(KEY, model, signature, loadMs), close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  async function runAndCheck(process: ModelProcess, { inputs }: Signature, batch: Batch): Promise<Float32Array> {
    const output = await process.run(KEY, batch, runMs);
    if (batch.rows === 1) return output;
    const row = randomInt(batch.rows);
    checkRow(output, batch.rows, row, await process.run(KEY, rowOf(batch, inputs, row), runMs));
    return output;
  }

  return {
    availability: 'reason' in location ? { isAvailable: false, reason: location.reason } : { isAvailable: true },
    tryUpload: (read, signature, samples) =>
      resultOf(async () => {
        const slot = slots.tryTake();
        if (slot === undefined) throw modelsAreBusy();
        const { process, facts, close } = await load(slot, read, signature);
        try {
          const tookMs = stopwatch(clock);
          const run = (batch: Batch): Promise<Float32Array> => process.run(KEY, batch, Math.max(1, runMs - tookMs()));
          await tryModel(run, signature, samples);
          return facts;
        } finally {
          await close();
        }
      }),
    open: (model, signature, signal) =>
      resultOf(async () => {
        const { process, facts, close } = await load(await slots.take(signal), () => Promise.resolve(model), signature);
        return { facts, close, run: (batch) => resultOf(() => runAndCheck(process, signature, bounded(batch))) };
      }),
    ask: (model, batchOf, turn) => resultOf(() => warm.ask(model, (facts) => bounded(batchOf(facts)), turn)),
    removeLeft: removeLeftFolders,
    async close() {
      isClosed = true;
      await Promise.all([warm.end(), ...[...processes].map((process) => process.end())]);
    },
  };
}

/** @throws what is no fault of a model */
async function resultOf<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof FaultyModel) return { fault: error.fault };
    throw error;
  }
}

function bounded(batch: Batch): Batch {
  if (batch.rows >= 1 && batch.rows <= MOST_ROWS) return batch;
  throw new RangeError(`A batch has 1 to ${MOST_ROWS} rows; this one has ${batch.rows}.`);
}

/** Why a model cannot be tried or asked now. */
export function modelsAreBusy(): Error {
  return unavailable('Every process that runs models is busy; try again in a moment.', {
    kind: 'model_process_busy',
    retryAfter: BUSY_SECONDS,
  });
}

function stopping(): Error {
  return unavailable('The service is stopping; try again once it is running.', { retryAfter: BUSY_SECONDS });
}

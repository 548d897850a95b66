// The process that answers questions: it keeps the models that were asked last, and ends when nobody asks.
import { LRUCache } from 'lru-cache';
import { MIB } from '../../../shared/product.ts';
import type { Clock } from '../clock.ts';
import { createGate, type Turn } from '../gate.ts';
import { FaultyModel } from './fault.ts';
import type { ModelProcess } from './model-process.ts';
import type { Batch } from './process-protocol.ts';
import type { ModelFacts } from './read-model.ts';
import type { Signature } from './signature.ts';

export interface StoredModel {
  /** What identifies the model: its digest. */
  key: string;
  signature: Signature;
  /** Called when the process has not loaded it. */
  read: () => Promise<Uint8Array>;
}

export interface WarmProcess {
  /**
   * @param batchOf makes the rows for the inputs that the model declares
   * @throws FaultyModel, and what ends the wait behind other questions (gate.ts)
   */
  ask(model: StoredModel, batchOf: (facts: ModelFacts) => Batch, turn?: Turn): Promise<Float32Array>;
  end(): Promise<void>;
}

interface WarmOptions {
  start: () => Promise<ModelProcess>;
  clock: Clock;
  loadMs: number;
  runMs: number;
  idleMs: number;
  busy: () => Error;
}

/** Loaded, a model takes about twice its size; the process has 1 GB. */
const MOST_MODELS = 16;
const MOST_BYTES = 192 * MIB;

export function createWarmProcess({ start, clock, loadMs, runMs, idleMs, busy }: WarmOptions): WarmProcess {
  const gate = createGate(1, clock, busy);
  let process: ModelProcess | undefined;
  let models = newCache();
  let cancelIdle: (() => void) | undefined;

  function newCache(): LRUCache<string, ModelFacts> {
    return new LRUCache<string, ModelFacts>({ max: MOST_MODELS, maxSize: MOST_BYTES });
  }

  async function end(): Promise<void> {
    cancelIdle?.();
    const ending = process;
    process = undefined;
    models = newCache();
    await ending?.end();
  }

  async function running(): Promise<ModelProcess> {
    if (process?.hasEnded === true) await end();
    process ??= await start();
    return process;
  }

  /** Loads the model, alone in a new process where the loaded models leave it no memory. */
  async function load(model: StoredModel): Promise<ModelFacts> {
    const known = process?.hasEnded === false ? models.get(model.key) : undefined;
    if (known !== undefined) return known;
    const bytes = await model.read();
    const isAlone = models.size === 0;
    try {
      return await loadInto(await running(), model, bytes);
    } catch (error) {
      if (isAlone || !isMemory(error)) throw error;
      await end();
      return loadInto(await running(), model, bytes);
    }
  }

  async function loadInto(
    process: ModelProcess,
    { key, signature }: StoredModel,
    bytes: Uint8Array,
  ): Promise<ModelFacts> {
    const facts = await process.load(key, bytes, signature, loadMs);
    const before = [...models.keys()];
    models.set(key, facts, { size: bytes.length });
    for (const other of before) if (!models.has(other)) await process.release(other);
    return facts;
  }

  return {
    ask: (model, batchOf, turn) =>
      gate.pass(async () => {
        cancelIdle?.();
        try {
          const facts = await load(model);
          return await (await running()).run(model.key, batchOf(facts), runMs);
        } finally {
          if (process !== undefined) cancelIdle = clock.wakeAfter(idleMs, () => void end());
        }
      }, turn),
    end,
  };
}

function isMemory(error: unknown): boolean {
  return error instanceof FaultyModel && error.fault.kind === 'memory';
}

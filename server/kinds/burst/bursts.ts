// Sends bursts to the workers of the sandbox.
import type { Clock } from '../../lib/clock.ts';
import type { Sandbox } from '../../lib/sandbox/index.ts';
import { ownerIn } from '../../lib/worker-pool/index.ts';
import type { SentBurst } from './continue-burst.job.ts';
import { type BurstJob, type Continued, CONTROL, monotonicMs, type PureFunction, type WorkerDecider } from './model.ts';

/** A function as the main thread names it. */
export type SentFunction = Omit<PureFunction, 'isStripped'>;

export interface SentJob extends Omit<BurstJob, 'functions'> {
  functions: readonly SentFunction[];
}

export interface Bursts {
  /**
   * Continues a burst in a worker, from its next call.
   * @param signal ends the worker if it has not responded
   * @returns undefined if the worker did not respond; `CONTROL.inProgress` names the function that it executed
   */
  continueInWorker(job: SentJob, decider: WorkerDecider, signal: AbortSignal): Promise<Continued | undefined>;
}

const MODULE = new URL('./continue-burst.job.ts', import.meta.url).href;

export function createBursts(sandbox: Sandbox, clock: Clock): Bursts {
  return {
    async continueInWorker({ functions, ...job }, decider, signal) {
      const sent = { now: clock.now(), at: monotonicMs() };
      const stripped = functions.map((one) => ({ ...one, ...sandbox.programOf(one.source) }));
      const input: SentBurst = { job: { ...job, functions: stripped }, decider, sent };
      const owner = ownerIn(job.run, job.run.name);
      const outcome = await sandbox.carryOut<Continued>(
        { module: MODULE, name: 'continueBurstJob', input },
        { owner, signal },
      );
      return typeof outcome === 'string' ? undefined : outcome;
    },
  };
}

/** Prevents further calls of the burst. */
export function stopBurst(control: Int32Array): void {
  Atomics.store(control, CONTROL.stopped, 1);
}

/** The index of the function in progress when the worker ended; -1 if no function was begun. */
export function inProgress(control: Int32Array): number {
  return Atomics.load(control, CONTROL.inProgress) - 1;
}

export function newControl(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

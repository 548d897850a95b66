// Runs workflows side by side for a while and measures the processes that execute them.
import { atOnce, latenciesOf, timed } from '../figures.ts';
import { cpuSecondsOf, residentMiBOf } from '../process-tree.ts';
import { STEPS } from './workflow-sources.ts';

export interface Round {
  stepsPerSecond: number;
  /** Milliseconds of processor time for a step, of all processes. */
  cpu: number;
  /** The most that was seen. */
  residentMiB: number;
  /** Milliseconds of each run. */
  latencies: readonly number[];
}

/** A look reads all processes of the machine. */
const LOOK_EVERY_MS = 250;

/** @param run runs one workflow; each slot starts the next when one has ended */
export async function drive(
  processes: readonly number[],
  run: () => Promise<unknown>,
  slots: number,
  milliseconds: number,
): Promise<Round> {
  const until = performance.now() + milliseconds;
  const cpuBefore = cpuSecondsOf(processes);
  const driven = await timed(
    () => residentMiBOf(processes),
    () => atOnce(slots, () => latenciesOf(run, () => performance.now() >= until)),
    LOOK_EVERY_MS,
  );
  const cpu = (cpuSecondsOf(processes) - cpuBefore) * 1000;
  const latencies = driven.result.flat();
  const steps = latencies.length * STEPS;
  return {
    stepsPerSecond: (steps * 1000) / driven.milliseconds,
    cpu: cpu / steps,
    residentMiB: driven.peak,
    latencies,
  };
}

// Runs workflows side by side for a while and measures the processes that carry them out.
import { STEPS } from '../workflow-sources.ts';
import type { Peer } from './peer.ts';
import { cpuSecondsOf, residentMiBOf } from './process-tree.ts';

export interface Round {
  stepsPerSecond: number;
  /** Milliseconds of processor time for a step, of all processes of the peer. */
  cpu: number;
  /** The most that was seen. */
  residentMiB: number;
}

const LOOK_EVERY = 250;

/** @param run runs one workflow; each slot starts the next when one has ended */
export async function drive(
  peer: Pick<Peer, 'processes'>,
  run: () => Promise<unknown>,
  slots: number,
  milliseconds: number,
): Promise<Round> {
  let steps = 0;
  let residentMiB = 0;
  const look = (): void => {
    residentMiB = Math.max(residentMiB, residentMiBOf(peer.processes));
  };
  const looking = setInterval(look, LOOK_EVERY);
  const cpuBefore = cpuSecondsOf(peer.processes);
  const begun = performance.now();
  async function slot(): Promise<void> {
    while (performance.now() < begun + milliseconds) {
      await run();
      steps += STEPS;
    }
  }
  await Promise.all(Array.from({ length: slots }, slot));
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(looking);
  look();
  const cpu = ((cpuSecondsOf(peer.processes) - cpuBefore) * 1000) / steps;
  return { stepsPerSecond: steps / seconds, cpu, residentMiB };
}

/** The round with the middle number of steps per second. */
export function median(rounds: readonly Round[]): Round {
  const sorted = rounds.toSorted((a, b) => a.stepsPerSecond - b.stepsPerSecond);
  return sorted[Math.floor(sorted.length / 2)] ?? { stepsPerSecond: 0, cpu: 0, residentMiB: 0 };
}

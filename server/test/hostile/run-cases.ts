// Sends cases, one after the other, and gathers what an honest caller felt.
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileCase } from './hostile-case.ts';
import { startWorld, type World } from './hostile-world.ts';

export interface CaseResult {
  name: string;
  felt: Figures;
  /** Probes that were refused or broken off. */
  failures: number;
  /** Milliseconds of CPU that the server's main thread used, the probe's requests included. */
  mainThread: number | undefined;
  /** MB of memory of the server when the time of the case is over. */
  resident: number | undefined;
  /** Milliseconds of the honest run; undefined where it did not succeed. */
  honest: number | undefined;
  /** The server did not answer any more and was killed. */
  wasKilled: boolean;
}

export interface Results {
  cases: CaseResult[];
  overall: Figures;
  honest: Figures;
  /** How long the server took to stop at the end; undefined where it had to be killed. */
  stoppedIn: number | undefined;
}

export interface Pace {
  /** Of each case, sent side by side. */
  copies: number;
  /** How long the answers to a case are waited for. */
  caseMs: number;
  onResult?: (result: CaseResult) => void;
}

/** A server that has not answered for so long is killed, and another one started. */
const HELD_MS = 20_000;

export async function runCases(cases: readonly HostileCase[], pace: Pace): Promise<Results> {
  const results: CaseResult[] = [];
  const latencies: number[] = [];
  let world = await startWorld();
  // The first requests of a process are slower than all that follow.
  await world.runHonestly();
  await world.probe.take(HELD_MS);
  for (const one of cases) {
    // oxlint-disable-next-line no-await-in-loop -- what is felt of one case is not to be felt in another
    const { felt, result } = await runCase(world, one, pace);
    latencies.push(...felt);
    results.push(result);
    pace.onResult?.(result);
    if (!result.wasKilled) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await world.stop();
    // oxlint-disable-next-line no-await-in-loop -- as above
    world = await startWorld();
  }
  const honest = results.flatMap(({ honest: took }) => (took === undefined ? [] : [took]));
  return {
    cases: results,
    overall: figuresOf(latencies),
    honest: figuresOf(honest),
    stoppedIn: await world.stop(),
  };
}

async function runCase(
  world: World,
  { name, run, leastMs = 0 }: HostileCase,
  { copies, caseMs }: Pace,
): Promise<{ felt: number[]; result: CaseResult }> {
  const over = new AbortController();
  const cpuBefore = world.mainThreadMs();
  const target = world.target(over.signal);
  const sent = Promise.all(Array.from({ length: copies }, () => run(target).catch(() => undefined)));
  const honest = world.runHonestly();
  await Promise.race([Promise.all([sent, honest]), sleep(Math.max(caseMs, leastMs))]);
  const resident = world.residentMb();
  over.abort();
  await sent;
  const { latencies, failures } = await world.probe.take(HELD_MS);
  const felt = figuresOf(latencies);
  const cpuAfter = world.mainThreadMs();
  const result: CaseResult = {
    name,
    felt,
    failures,
    mainThread: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
    resident,
    honest: await honest,
    wasKilled: felt.max >= HELD_MS,
  };
  return { felt: latencies, result };
}

/** Of latencies in milliseconds; a percentile is the nearest rank. */
export interface Figures {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

function figuresOf(latencies: readonly number[]): Figures {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function figureWords({ count, p50, p99, max }: Figures): string {
  const [half, most, worst] = [p50, p99, max].map((one) => one.toFixed(one < 10 ? 1 : 0));
  return `p50 ${half} ms, p99 ${most} ms, max ${worst} ms of ${count}`;
}

// What each system of the comparison offers the benchmark.
import type { Opened } from '../serve.ts';

/**
 * Ten steps, one after the other and each durable before the next begins: `calls` of a function, as cheap as the system has
 * them; `runs`, calls of a function whose run has an identity and a history of its own; `waits` of no time.
 */
export type Workload = 'calls' | 'runs' | 'waits';
export const WORKLOADS: readonly Workload[] = ['calls', 'runs', 'waits'];

export interface Peer {
  /** The processes that it started. What they start in turn belongs to it as well. */
  processes: readonly number[];
  /** Milliseconds from its start on an empty directory to the result of its first workflow. */
  firstResult: number;
  /** Returns what runs one workflow to its end. */
  runner(workload: Workload): () => Promise<unknown>;
}

export interface System {
  name: string;
  /** Packages of npm with their versions. */
  packages: readonly string[];
  /**
   * @param installed the folder in whose node_modules the packages are
   * @param data an empty directory
   * @param opened takes what stops it, also where the start fails halfway
   */
  start(installed: string, data: string, opened: Opened): Promise<Peer>;
}

const ATTEMPTS_MS = 30_000;

/** Repeats an attempt until it succeeds, for at most 30 s. @throws the last error */
export async function untilItWorks<T>(attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + ATTEMPTS_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

// What an honest caller feels meanwhile. The probe runs in a thread of its own, so that it measures the server and not
// the program that attacks it.
//
// 1. Every 10 ms it sends `GET /health` and `list_runs`, whether the ones before were answered or not.
// 2. A latency counts for the case in which its request was sent, also where it is answered later.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** Latencies in milliseconds. */
export interface Felt {
  latencies: number[];
  /** Requests that were refused or broken off. */
  failures: number;
}

export interface Probe {
  /** What was felt since the last call, once all of it is answered, or `patienceMs` have passed. */
  take: (patienceMs: number) => Promise<Felt>;
  stop: () => Promise<unknown>;
}

const EVERY_MS = 10;
/** A server that is held is not asked again and again for what it has not answered. */
const MOST_OUTSTANDING = 400;

export function startProbe(address: string, paths: readonly string[]): Probe {
  const worker = new Worker(new URL(import.meta.url), { workerData: { address, paths } });
  return {
    take(patienceMs) {
      worker.postMessage(patienceMs);
      return once(worker, 'message').then(([felt]) => felt as Felt);
    },
    stop: () => worker.terminate(),
  };
}

function serve({ address, paths }: { address: string; paths: readonly string[] }): void {
  const agent = new Agent({ keepAlive: true });
  let round: Felt & { open: Set<number>; isAnswered?: () => void } = { latencies: [], failures: 0, open: new Set() };
  let outstanding = 0;

  function ask(path: string): void {
    if (outstanding >= MOST_OUTSTANDING) return;
    outstanding += 1;
    const own = round;
    const sentAt = performance.now();
    own.open.add(sentAt);
    const done = (isAnswered: boolean): void => {
      if (!own.open.delete(sentAt)) return;
      outstanding -= 1;
      own.latencies.push(performance.now() - sentAt);
      if (!isAnswered) own.failures += 1;
      if (own.open.size === 0) own.isAnswered?.();
    };
    const asked = request(`${address}${path}`, { agent }, (response) => {
      response.resume();
      response.once('close', () => done(response.statusCode === 200));
    });
    asked.once('error', () => done(false));
    asked.end();
  }

  setInterval(() => paths.forEach(ask), EVERY_MS);
  parentPort?.on('message', (patienceMs: number) => {
    const ended = round;
    round = { latencies: [], failures: 0, open: new Set() };
    const tell = (): void => {
      clearTimeout(timer);
      delete ended.isAnswered;
      const now = performance.now();
      // What is still open has lasted so long at least.
      const waiting = [...ended.open].map((sentAt) => now - sentAt);
      outstanding -= ended.open.size;
      ended.open.clear();
      parentPort?.postMessage({ latencies: [...ended.latencies, ...waiting], failures: ended.failures });
    };
    const timer = setTimeout(tell, patienceMs);
    if (ended.open.size === 0) tell();
    else ended.isAnswered = tell;
  });
}

if (parentPort !== null && workerData !== null) serve(workerData as { address: string; paths: readonly string[] });

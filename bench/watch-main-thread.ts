// Preloaded into a server (`node --import`): how long its main thread was busy without a pause. The parent process sends
// any message to begin, and gets the figures since then with the next one.
import { isMainThread } from 'node:worker_threads';

export interface Busy {
  /** Milliseconds of the longest stretch, as the clock went. */
  longest: number;
  /** Milliseconds of processor time of the stretch that used most: what else the machine does is not in it. */
  longestCpu: number;
  /** How many stretches used more than 20 ms of processor time. */
  over: number;
}

const TICK_MS = 1;
const LONG_MS = 20;

function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function watch(): void {
  let busy: Busy = { longest: 0, longestCpu: 0, over: 0 };
  let clock = performance.now();
  let cpu = cpuNow();
  setInterval(() => {
    const now = performance.now();
    const used = cpuNow();
    busy.longest = Math.max(busy.longest, now - clock - TICK_MS);
    busy.longestCpu = Math.max(busy.longestCpu, used - cpu);
    if (used - cpu > LONG_MS) busy.over += 1;
    clock = now;
    cpu = used;
  }, TICK_MS).unref();
  process.on('message', () => {
    process.send?.(busy);
    busy = { longest: 0, longestCpu: 0, over: 0 };
  });
  process.channel?.unref();
}

if (isMainThread && process.send !== undefined) watch();

// Trial: would commits in a thread of their own be quicker than on the main thread? Appends published events to an event log that
// stands on the main thread, and to one in a worker that gets each event as a message. Usage: npm run bench:writer
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createIds } from '../server/kernel/ids.ts';
import { createEventLog, logMigrations, openSqliteStore } from '../server/kernel/log/index.ts';
import { systemClock } from '../server/lib/clock.ts';

const PLACE = { org: 'local', playbook: 'bench' };
const ROUND_MS = 3000;
const AT_ONCE = [1, 64];
const EVENT = {
  id: 'e',
  source: 'urn:bench',
  type: 'bench.event',
  time: '2026-01-01T00:00:00Z',
  data: 'x'.repeat(1024),
};

interface Message {
  number: number;
  /** Whether the worker answers at once, which measures the way of a message alone. */
  isEmpty: boolean;
}

function openAppend(folder: string): () => Promise<unknown> {
  const store = openSqliteStore({
    file: path.join(folder, 'writer.db'),
    migrations: logMigrations,
    clock: systemClock,
    onUnknownCommit: (sentence) => {
      throw new Error(sentence);
    },
  });
  const log = createEventLog({ store, projections: [], clock: systemClock, ids: createIds(systemClock) });
  const events = [{ type: 'event_published', data: { event: EVENT }, metadata: { by: 'developer' } }];
  return () => log.write(PLACE, (tx) => log.append(tx, { ...PLACE, stream: 'events', events }));
}

/** In the worker: appends an event for each message. */
function serve(port: NonNullable<typeof parentPort>, folder: string): void {
  const append = openAppend(folder);
  port.on('message', async ({ number, isEmpty }: Message) => {
    if (!isEmpty) await append();
    port.postMessage(number);
  });
  port.postMessage('ready');
}

/** The wall-clock time and the processor time of this thread for each call, in microseconds. */
async function measure(atOnce: number, call: () => Promise<unknown>): Promise<string> {
  let count = 0;
  const loop = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      await call();
      count += 1;
    }
  };
  const loops = (milliseconds: number): Promise<unknown> => {
    const until = performance.now() + milliseconds;
    return Promise.all(Array.from({ length: atOnce }, () => loop(until)));
  };
  await loops(500);
  count = 0;
  const begun = performance.now();
  const used = process.threadCpuUsage();
  await loops(ROUND_MS);
  const wall = ((performance.now() - begun) * 1000) / count;
  const { user, system } = process.threadCpuUsage(used);
  return `${wall.toFixed(0).padStart(6)} µs, of which the main thread works ${((user + system) / count).toFixed(0)} µs`;
}

async function compare(folder: string): Promise<void> {
  const append = openAppend(mkdtempSync(path.join(folder, 'main-')));
  const worker = new Worker(import.meta.filename, { workerData: mkdtempSync(path.join(folder, 'worker-')) });
  await once(worker, 'message');
  const waiting = new Map<number, () => void>();
  worker.on('message', (number: number) => {
    waiting.get(number)?.();
    waiting.delete(number);
  });
  let last = 0;
  const ask = (isEmpty: boolean) => (): Promise<void> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      worker.postMessage({ number: last, isEmpty } satisfies Message);
    });
  for (const atOnce of AT_ONCE) {
    console.log(`events at once: ${atOnce}`);
    console.log(`  main thread      ${await measure(atOnce, append)}`);
    console.log(`  writer thread    ${await measure(atOnce, ask(false))}`);
    console.log(`  a message alone  ${await measure(atOnce, ask(true))}`);
  }
  await worker.terminate();
}

if (isMainThread) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-writer-'));
  try {
    await compare(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else if (parentPort !== null) {
  serve(parentPort, workerData as string);
}

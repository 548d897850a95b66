// What the writer thread saves: appends published events to an event log whose store writes on the main thread, and to one
// whose store writes in a thread of its own. Usage: npm run bench:writer
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createIds } from '../server/kernel/ids.ts';
import { createEventLog, type EventLog, logMigrations, openSqliteStore } from '../server/kernel/log/index.ts';
import { systemClock } from '../server/lib/clock.ts';

const PLACE = { org: 'local', playbook: 'bench' };
const ROUND_MS = 3000;
const ROUNDS = 3;
const AT_ONCE = [1, 64];
const EVENT = {
  id: 'e',
  source: 'urn:bench',
  type: 'bench.event',
  time: '2026-01-01T00:00:00Z',
  data: 'x'.repeat(1024),
};

function openEventLog(folder: string, writesInThread: boolean): EventLog {
  const store = openSqliteStore({
    file: path.join(folder, `${writesInThread ? 'thread' : 'main'}.db`),
    migrations: logMigrations,
    clock: systemClock,
    ...(writesInThread ? { threadAfter: 0 } : {}),
    onUnknownCommit: (sentence) => {
      throw new Error(sentence);
    },
  });
  return createEventLog({ store, projections: [], clock: systemClock, ids: createIds(systemClock) });
}

/** The wall-clock time and the processor time of this thread for each append, in microseconds. */
async function measure(log: EventLog, atOnce: number): Promise<{ wall: number; main: number }> {
  const events = [{ type: 'event_published', data: { event: EVENT }, metadata: { by: 'developer' } }];
  let count = 0;
  const loop = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      await log.write(PLACE, (tx) => log.append(tx, { ...PLACE, stream: 'events', events }));
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
  return { wall, main: (user + system) / count };
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-writer-'));
try {
  const [main, thread] = [openEventLog(folder, false), openEventLog(folder, true)];
  await thread.opened();
  for (const atOnce of AT_ONCE) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other] = [await measure(main, atOnce), await measure(thread, atOnce)];
      console.log(
        `${atOnce} at once: main thread ${one.main.toFixed(0)} of ${one.wall.toFixed(0)} µs; with a writer thread ${other.main.toFixed(0)} of ${other.wall.toFixed(0)} µs; ratio ${(one.wall / other.wall).toFixed(2)}`,
      );
    }
  }
  await Promise.all([main.close(), thread.close()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

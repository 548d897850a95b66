// What the writer thread saves: appends published events to an event log whose store writes on the main thread, and to one
// whose store writes in a thread of its own. BENCH_MS says how long a round takes.
import path from 'node:path';
import type { EventLog } from '../../server/kernel/log/index.ts';
import { atOnce, print, setting } from '../figures.ts';
import { KEY, openBareLog } from '../open-log.ts';
import type { Bench } from '../serve.ts';

const ROUND_MS = setting('BENCH_MS', 3000);
const WARM_UP_MS = 500;
const ROUNDS = 3;
const CALLERS = [1, 64];
const EVENT = {
  id: 'e',
  source: 'urn:bench',
  type: 'bench.event',
  time: '2026-01-01T00:00:00Z',
  data: 'x'.repeat(1024),
};

export async function run({ folder, defer }: Bench): Promise<void> {
  const main = openBareLog(path.join(folder, 'main.db'));
  defer(() => main.close());
  const thread = openBareLog(path.join(folder, 'thread.db'), { threadAfter: 0 });
  defer(() => thread.close());
  await thread.opened();
  for (const callers of CALLERS) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other] = [await measure(main, callers), await measure(thread, callers)];
      print(
        `${callers} at once`,
        `main thread ${one.main.toFixed(0)} of ${one.wall.toFixed(0)} µs; with a writer thread ${other.main.toFixed(0)} of ${other.wall.toFixed(0)} µs; ratio ${(one.wall / other.wall).toFixed(2)}`,
      );
    }
  }
}

/** The wall-clock time and the processor time of this thread for each append, in microseconds. */
async function measure(log: EventLog, callers: number): Promise<{ wall: number; main: number }> {
  const events = [{ type: 'event_published', data: { event: EVENT }, metadata: { by: 'developer' } }];
  let count = 0;
  const append = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    await atOnce(callers, async () => {
      while (performance.now() < until) {
        await log.write(KEY, (tx) => log.append(tx, { ...KEY, stream: 'events', events }));
        count += 1;
      }
    });
  };
  await append(WARM_UP_MS);
  count = 0;
  const begun = performance.now();
  const used = process.threadCpuUsage();
  await append(ROUND_MS);
  const wall = ((performance.now() - begun) * 1000) / count;
  const { user, system } = process.threadCpuUsage(used);
  return { wall, main: (user + system) / count };
}

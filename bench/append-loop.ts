// Measures the store alone: appends the events of a durable step in a loop, each step in its own transaction.
import { createEventLog, logMigrations, openSqliteStore } from '../server/kernel/log/index.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createIds } from '../server/kernel/ids.ts';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

const PLACE = { org: 'local', playbook: 'bench' };

/** Steps a second of so many loops side by side, each in a stream of its own. */
export async function appendLoop(folder: string, loops: number, milliseconds: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const store = openSqliteStore({
    file: path.join(folder, 'loop.db'),
    migrations: logMigrations,
    clock: systemClock,
    onUnknownCommit: (sentence) => {
      throw new Error(sentence);
    },
  });
  const log = createEventLog({ store, projections: [], clock: systemClock, ids: createIds(systemClock) });
  const begun = performance.now();
  const until = begun + milliseconds;
  let steps = 0;
  async function loop(number: number): Promise<void> {
    const metadata = { by: 'developer', run_id: `run-${number}`, correlation_id: `run-${number}` };
    while (performance.now() < until) {
      await log.write(PLACE, (tx) =>
        log.append(tx, {
          ...PLACE,
          stream: `run-${number}`,
          events: [
            {
              type: 'workflow_input_applied',
              data: { kind: 'timer_due', key: '1', moved: 2, steps: ['/do/0/a', '/do/1/b'] },
              metadata,
            },
            { type: 'step_finished', data: { step: '/do/0/a', kind: 'wait', output: {} }, metadata },
            { type: 'step_waiting', data: { step: '/do/1/b', kind: 'wait' }, metadata },
          ],
        }),
      );
      steps += 1;
    }
  }
  await Promise.all(Array.from({ length: loops }, (_none, number) => loop(number)));
  const perSecond = (steps * 1000) / (performance.now() - begun);
  await log.close();
  return perSecond;
}

// Measures the store alone: appends the events of a durable step in a loop, each step in its own transaction.
import path from 'node:path';
import { atOnce } from '../figures.ts';
import { KEY, openBareLog } from '../open-log.ts';

/** Steps a second of so many loops side by side, each in a stream of its own. */
export async function appendLoop(folder: string, loops: number, milliseconds: number): Promise<number> {
  const log = openBareLog(path.join(folder, 'loop.db'));
  const begun = performance.now();
  const until = begun + milliseconds;
  let steps = 0;
  await atOnce(loops, async (number) => {
    const metadata = { by: 'developer', run_id: `run-${number}`, correlation_id: `run-${number}` };
    while (performance.now() < until) {
      await log.write(KEY, (tx) =>
        log.append(tx, {
          ...KEY,
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
  });
  const perSecond = (steps * 1000) / (performance.now() - begun);
  await log.close();
  return perSecond;
}

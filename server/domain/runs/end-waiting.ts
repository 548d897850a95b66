// The end of a run that waited for its request.
import type { Clock } from '../../lib/clock.ts';
import type { EventLog, Place, WriteTransaction } from '../../kernel/log/index.ts';
import type { Tasks } from '../../kernel/tasks/index.ts';
import type { Ending } from '../../kinds/run.ts';
import { requireRun, streamOf } from './present.ts';
import { attemptOf, endedEvent } from './record.ts';
import { createTellWaiter } from './waiter.ts';

/**
 * Ends a run that waited for its request, in the transaction that records why. Nothing happens where it has ended.
 * @param cause the event that led to the end
 */
export type EndWaiting = (
  tx: WriteTransaction,
  place: Place,
  runId: string,
  ending: Ending,
  cause: { eventId: string; by?: string },
) => Promise<void>;

export function createEndWaiting({ log, tasks, clock }: { log: EventLog; tasks: Tasks; clock: Clock }): EndWaiting {
  const tellWaiter = createTellWaiter(tasks, clock);
  return async (tx, place, runId, ending, { eventId, by }) => {
    const row = await requireRun(tx, place, runId);
    if (row.status !== 'started') return;
    const [ended] = await log.append(tx, {
      org: row.org,
      playbook: row.playbook,
      stream: streamOf(row.run_id),
      events: [await endedEvent(tx, attemptOf(row, by), ending, undefined, eventId)],
    });
    await tellWaiter(tx, row, ending, ended?.id ?? null);
  };
}

// How a request ended is taken in by its run, or is the run's own end.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { EventLog, PlaybookKey, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Ending } from '../../../kinds/run.ts';
import { requireRun, streamOf } from '../history/present.ts';
import { attemptOf, endedEvent } from '../history/record.ts';
import { attemptField, inputTask } from './keys.ts';
import { createTellWaiter, endingData, type TellWaiter } from './waiter.ts';

/**
 * Ends a run with the end of its request, in the transaction that records why; a run whose kind decides takes it in as
 * an input. Nothing happens where the run has ended.
 * @param request the event that put the request
 * @param cause the event that led to the end
 * @param tell passes the end of the run on, where `withCaller` records it
 */
export type EndWaiting = (
  tx: WriteTransaction,
  request: PlaybookKey & { run_id: string; event_id: string },
  ending: Ending,
  cause: { eventId: string; by?: string },
  tell?: TellWaiter,
) => Promise<void>;

export interface EndWaitingOptions {
  log: EventLog;
  tasks: Tasks;
  clock: Clock;
  kinds: Readonly<Record<DefinitionType, Kind>>;
}

export function createEndWaiting({ log, tasks, clock, kinds }: EndWaitingOptions): EndWaiting {
  const tellWaiter = createTellWaiter(tasks, clock);
  return async (tx, request, ending, { eventId, by }, tell = tellWaiter) => {
    const row = await requireRun(tx, request, request.run_id);
    if (row.status !== 'started') return;
    if (kinds[row.type].decide !== undefined) {
      const ended = { run_id: row.run_id, kind: 'request_ended', key: request.event_id, cause: eventId } as const;
      const input = { ...ended, ...attemptField(row), data: endingData(ending) };
      // An answer that arrives before the run has processed the expiry replaces the expiry.
      await tasks.add(tx, row, inputTask(input, clock.now()), { replace: true });
      return;
    }
    const [ended] = await log.append(tx, {
      org: row.org,
      playbook: row.playbook,
      stream: streamOf(row.run_id),
      events: [await endedEvent(tx, attemptOf(row, by), ending, undefined, eventId)],
    });
    await tell(tx, row, ending, ended?.id ?? null);
  };
}

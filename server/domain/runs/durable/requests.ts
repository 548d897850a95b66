// Requests of runs: questions and notifications to people, whose end is an input of the run, or its ending.
import type { RunRow } from '../history/sql.ts';
import type { NewRequest } from '../../../kinds/conversing.ts';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { EventLog, PlaybookKey, WriteTransaction, ReadTransaction, NewEvent } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { endingData } from '../../../kinds/ending-data.ts';
import type { Ending } from '../../../kinds/run.ts';
import { requireRun } from '../history/present.ts';
import { attemptOf, endedEvent, type Attempt, appendToRun } from '../history/events.ts';
import { attemptField, inputTask } from './run-tasks.ts';
import { createNotifyWaiter, type NotifyWaiter } from './waiter.ts';

/** The event that puts a request, with its id. */
export type RequestEvent = NewEvent & { id: string };

/** What runs need of the part of the service that keeps the requests. */
export interface RunRequests {
  /**
   * Makes the event that puts a request of a run.
   * @returns the run's ending instead where the request cannot be put: its tool is not offered, or too many are open
   */
  put(
    tx: WriteTransaction,
    attempt: Attempt,
    request: NewRequest,
    cause: string,
  ): Promise<{ event: RequestEvent } | { ending: Ending }>;
  /** The event is recorded: from now on the request is delivered, and expires. */
  opened(
    tx: WriteTransaction,
    attempt: Attempt,
    put: { request: NewRequest; eventId: string; now: number },
  ): Promise<void>;
  /** The run ends: nothing of a request that is open is due any more. */
  dropped(tx: WriteTransaction, run: PlaybookKey & { runId: string }): Promise<void>;
  /** Whether the run put a question that is open: a notification waits for no answer. */
  asks(tx: ReadTransaction, playbookKey: PlaybookKey, runId: string): Promise<boolean>;
  /** A cancel of the run was recorded: its request is withdrawn. */
  withdraw(tx: WriteTransaction, run: RunRow, request: { kind: string; detail: string; cause: string }): Promise<void>;
}

/**
 * Ends a run with the end of its request, in the transaction that records why; a run whose kind decides takes it in as
 * an input. Nothing happens where the run has ended.
 * @param request the event that put the request
 * @param cause the event that led to the end
 * @param notify passes the end of the run on, where `withCaller` records it
 */
export type EndWaiting = (
  tx: WriteTransaction,
  request: PlaybookKey & { run_id: string; event_id: string },
  ending: Ending,
  cause: { eventId: string; by?: string },
  notify?: NotifyWaiter,
) => Promise<void>;

export interface EndWaitingOptions {
  log: EventLog;
  tasks: Tasks;
  clock: Clock;
  kinds: Readonly<Record<DefinitionType, Kind>>;
}

export function createEndWaiting({ log, tasks, clock, kinds }: EndWaitingOptions): EndWaiting {
  const notifyWaiter = createNotifyWaiter(tasks, clock);
  return async (tx, request, ending, { eventId, by }, notify = notifyWaiter) => {
    const row = await requireRun(tx, request, request.run_id);
    if (row.status !== 'started') return;
    if (kinds[row.type].decide !== undefined) {
      const ended = { run_id: row.run_id, kind: 'request_ended', key: request.event_id, cause: eventId } as const;
      const input = { ...ended, ...attemptField(row), data: endingData(ending) };
      // An answer that arrives before the run has processed the expiry replaces the expiry.
      await tasks.add(tx, row, inputTask(input, clock.now()), { replace: true });
      return;
    }
    const attempt = attemptOf(row, by);
    const event = await endedEvent(tx, attempt, ending, undefined, eventId);
    const [ended] = await appendToRun(log, tx, attempt, [event]);
    await notify(tx, row, ending, ended?.id ?? null);
  };
}

// Cancels a waiting run. The request is recorded immediately; the run processes it as an input.
import type { CancelKind } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { EventLog, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { attemptOf, appendEvent } from '../history/events.ts';
import { isWaiting } from '../history/leases.ts';
import { type RunRow, selectRun } from '../history/sql.ts';
import type { RunRequests } from './requests.ts';
import { attemptField, inputTask, SLOW_START_TASK, START_TASK } from './run-tasks.ts';
import { type RunKey, takeWaiter } from './sql.ts';

export interface CancelRequest {
  kind: CancelKind;
  detail: string;
  by: string;
  traceId?: string;
}

export interface Cancelling {
  /** Asks a waiting run to stop; a second request before it ends records nothing. */
  request(tx: WriteTransaction, run: RunRow, request: CancelRequest): Promise<void>;
  /** The caller no longer waits for a called run: it is not begun, or is asked to stop if it is waiting. */
  cancelCalled(tx: WriteTransaction, run: RunKey, request: CancelRequest): Promise<void>;
}

export interface CancellingOptions {
  log: EventLog;
  tasks: Tasks;
  clock: Clock;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  requests: Pick<RunRequests, 'withdraw'>;
}

export function createCancelling({ log, tasks, clock, kinds, requests }: CancellingOptions): Cancelling {
  async function request(
    tx: WriteTransaction,
    run: RunRow,
    { kind, detail, by, traceId }: CancelRequest,
  ): Promise<void> {
    if (run.cancel_requested_at !== null) return;
    const event = { type: 'run_cancel_requested', data: { kind, detail } };
    const { id: cause } = await appendEvent(log, tx, attemptOf(run, by), event, {
      cause: run.attempt_event_id,
      traceId,
    });
    if (kinds[run.type].decide === undefined) return requests.withdraw(tx, run, { kind, detail, cause });
    const own = { run_id: run.run_id, ...attemptField(run) };
    const input = { ...own, kind: 'cancel_requested', key: kind, data: { kind, detail }, cause } as const;
    await tasks.add(tx, run, inputTask(input, clock.now()));
  }

  return {
    request,
    async cancelCalled(tx, key, asked) {
      await takeWaiter(tx, key);
      for (const kind of [START_TASK, SLOW_START_TASK]) await tasks.remove(tx, key, kind, key.run_id);
      const run = await selectRun(tx, key, key.run_id);
      if (run?.status !== 'started') return;
      if (await isWaiting(tx, run)) await request(tx, run, asked);
    },
  };
}

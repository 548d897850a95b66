// Requests that end without an answer: expired, withdrawn, or never delivered.
import type { EventLog, WriteTransaction } from '../../kernel/log/index.ts';
import type { TaskHandler, Tasks } from '../../kernel/tasks/index.ts';
import type { Rejection } from '../../lib/rejection.ts';
import type { Ending } from '../../kinds/run.ts';
import { type EndWaiting, PROCESS_DIED, type NotifyWaiter } from '../runs/index.ts';
import { recordOf, requestOf, wantedRequestOf } from './put-requests.ts';
import type { RequestRow } from './sql.ts';
import {
  dropTasks,
  EXPIRE_TASK,
  type ExpirePayload,
  type RequestRef,
  WITHDRAW_TASK,
  type WithdrawPayload,
} from './tasks.ts';

export interface Closing {
  handlers: Readonly<Record<string, TaskHandler>>;
  /** Ends the run of a task during which the process died three times. */
  processDied: TaskHandler;
  end(
    tx: WriteTransaction,
    request: RequestRow,
    ending: Ending,
    cause: { eventId: string; by?: string },
    notify?: NotifyWaiter,
  ): Promise<void>;
  /** The run ends without what it asked for. */
  reject(
    tx: WriteTransaction,
    request: RequestRow,
    rejection: Rejection,
    cause: { eventId: string; by?: string },
  ): Promise<void>;
}

export interface ClosingOptions {
  log: EventLog;
  tasks: Tasks;
  endWaiting: EndWaiting;
}

export function createClosing({ log, tasks, endWaiting }: ClosingOptions): Closing {
  const end: Closing['end'] = async (tx, request, ending, cause, notify) => {
    await dropTasks(tasks, tx, request);
    await endWaiting(tx, request, ending, cause, notify);
  };

  const reject: Closing['reject'] = async (tx, request, rejection, cause) => {
    await end(tx, request, { status: 'rejected', rejection, record: await recordOf(tx, request) }, cause);
  };

  const expire: TaskHandler = (task, lease) =>
    log.write(task, async (tx) => {
      await lease.finish(tx);
      const request = await wantedRequestOf(tx, task, task.payload as ExpirePayload);
      if (request === undefined) return;
      const detail = `The request to ${request.to_party} expired without an answer at ${request.expires_at}.`;
      const rejection = { reason: 'unanswered', kind: 'expired', detail } as const;
      await reject(tx, request, rejection, { eventId: request.event_id, by: 'runtime' });
    });

  const withdraw: TaskHandler = (task, lease) =>
    log.write(task, async (tx) => {
      await lease.finish(tx);
      const { kind, detail, cause, ...ref } = task.payload as WithdrawPayload;
      const request = await requestOf(tx, task, ref);
      if (request !== undefined) await reject(tx, request, { reason: 'cancelled', kind, detail }, { eventId: cause });
    });

  const processDied: TaskHandler = (task, lease) =>
    log.write(task, async (tx) => {
      await lease.finish(tx);
      const request = await wantedRequestOf(tx, task, task.payload as RequestRef);
      if (request === undefined) return;
      await reject(tx, request, PROCESS_DIED, { eventId: request.event_id, by: 'runtime' });
    });

  return { end, reject, processDied, handlers: { [EXPIRE_TASK]: expire, [WITHDRAW_TASK]: withdraw } };
}

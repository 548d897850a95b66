// Notifies the waiter of a run of its ending, in the transaction that records it.
import type { JsonObject } from '../../../../shared/json.ts';
import { endingData } from '../../../kinds/ending-data.ts';
import type { Ending } from '../../../kinds/run.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { PlaybookKey, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import { type InputPayload, inputTask, waitingAttempt } from './run-tasks.ts';
import { takeWaiter, type Waiter } from './sql.ts';
import type { Attempt } from '../history/events.ts';

/** The run that ended, or that could not begin. */
export interface EndedRun extends PlaybookKey {
  run_id: string;
  type: string;
  name: string;
  /** Its caller; null for a run that only a call under its run id may wait for. */
  called_by?: string | null;
}

/** What a task gets that waits for the run of its key: as an input holds it. */
export interface EndedPayload extends JsonObject {
  /** The event that ended the run, or null where nothing was recorded of it. */
  cause: string | null;
}

/**
 * @param cause the event that ended the run, or null where nothing was recorded of it
 * @param known who waits, where the task that started the run held that
 */
export type NotifyWaiter = (
  tx: WriteTransaction,
  run: EndedRun,
  ending: Ending,
  cause: string | null,
  known?: Waiter,
) => Promise<void>;

export function createNotifyWaiter(tasks: Tasks, clock: Clock): NotifyWaiter {
  return async (tx, run, ending, cause, known) => {
    const waiter = known ?? (await takeWaiter(tx, run, run.called_by !== null));
    if (waiter === undefined) return;
    if (waiter.waiting_run_id === '') {
      const { task } = JSON.parse(waiter.data) as { task: string };
      const payload: EndedPayload = { ...endingData(ending), cause };
      await tasks.add(tx, run, { kind: task, key: run.run_id, dueAt: clock.now(), payload });
      return;
    }
    await tasks.add(tx, run, inputTask(inputOfWaiter(waiter, run, ending, cause), clock.now()));
  };
}

/** A run that waits for one that it calls. @param data what its kind gets back */
export function waiterOf(attempt: Pick<Attempt, 'runId' | 'attempt'>, data: JsonObject): Waiter {
  return { waiting_run_id: attempt.runId, data: JSON.stringify({ ...data, ...waitingAttempt(attempt) }) };
}

/** The input of the run that waits. */
export function inputOfWaiter(waiter: Waiter, run: EndedRun, ending: Ending, cause: string | null): InputPayload {
  const { waiting_attempt: attempt, ...given } = JSON.parse(waiter.data) as JsonObject & { waiting_attempt?: number };
  const data: JsonObject = { ...given, run_id: run.run_id, subject: `${run.type}/${run.name}`, ...endingData(ending) };
  const own = { run_id: waiter.waiting_run_id, ...(attempt === undefined ? {} : { attempt }) };
  return { ...own, kind: 'called_run_ended', key: run.run_id, data, cause };
}

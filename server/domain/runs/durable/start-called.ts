// Runs that are called in the name of a run that has ended.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { RunRow } from '../history/sql.ts';
import { type StartPayload, startTaskOf } from './keys.ts';
import { putWaiter } from './sql.ts';

export interface CalledLater {
  /** The id of the run to start; the same id again starts nothing. */
  runId: string;
  type: DefinitionType;
  name: string;
  input: Json;
  /** The JSON Pointer of the call in the document of the caller. */
  reference: string;
  /** The event that led to the call. */
  cause: string;
  /** The kind of the task that gets how the run ended, an `EndedPayload`; its key is the run's id. */
  endTask: string;
}

/** Starts a run below another one. The transaction that records why it is called also adds what starts it. */
export type StartCalled = (tx: WriteTransaction, caller: RunRow, call: CalledLater) => Promise<void>;

export interface StartCalledOptions {
  tasks: Tasks;
  clock: Clock;
  kinds: Readonly<Record<DefinitionType, Kind>>;
}

export function createStartCalled({ tasks, clock, kinds }: StartCalledOptions): StartCalled {
  return async (tx, { org, playbook, run_id: caller_run_id }, { runId: run_id, endTask, ...call }) => {
    const waiter = { waiting_run_id: '', data: JSON.stringify({ task: endTask }) };
    await putWaiter(tx, { org, playbook, run_id }, waiter);
    const payload: StartPayload = { run_id, caller_run_id, ...call, isAwaited: false };
    const kind = startTaskOf(kinds[call.type]);
    await tasks.add(tx, { org, playbook }, { kind, key: run_id, dueAt: clock.now(), payload });
  };
}

// Runs that other runs call: a task starts each of them.
import type { Clock } from '../../../lib/clock.ts';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import type { Json } from '../../../../shared/json.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Ending } from '../../../kinds/run.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import type { EventLog, PlaybookKey, WriteTransaction } from '../../../kernel/log/index.ts';
import { Refused, type Rejection } from '../../../lib/rejection.ts';
import {
  isFirstTry,
  LeaseLost,
  limitingDeaths,
  type Task,
  type TaskHandler,
  type TaskLease,
  type Tasks,
} from '../../../kernel/tasks/index.ts';
import { type Attempt, attemptOf, type Chain } from '../history/events.ts';
import type { RunInvocation } from './invocation.ts';
import { selectRun, type RunRow } from '../history/sql.ts';
import type { KnownState } from './states.ts';
import type { NotifyWaiter } from './waiter.ts';
import { PROCESS_DIED, type StartPayload, startTaskOf } from './run-tasks.ts';
import { hasWaiter, putWaiter } from './sql.ts';

/** A run stands at most so many calls below the one at the top. */
const MOST_CALL_DEPTH = 32;

export interface StartingOptions {
  log: EventLog;
  tasks: Tasks;
  runOrFind: (invocation: RunInvocation & { runId: string }) => Promise<RunWithRecord>;
  notifyWaiter: NotifyWaiter;
  /** A run that waits, where it is known without a read. */
  known: (playbookKey: PlaybookKey, runId: string) => Pick<KnownState, 'row'> | undefined;
  isStopping: () => boolean;
}

/**
 * A function that was called runs here; its task goes with its ending, so that a crash before that begins
 * it again under its run id. The task of a run that waits goes with its start.
 */
export function createStarting({
  log,
  tasks,
  runOrFind,
  notifyWaiter,
  known,
  isStopping,
}: StartingOptions): TaskHandler {
  return limitingDeaths(
    (task, lease) => start(task, lease),
    (task, lease) => start(task, lease, PROCESS_DIED),
  );

  /** @param rejection with which the run ends at once */
  async function start(task: Task, lease: TaskLease, rejection?: Rejection): Promise<void> {
    const payload = task.payload as StartPayload;
    const { caller_run_id, waiter } = payload;
    const caller = known(task, caller_run_id)?.row ?? (await log.read((tx) => selectRun(tx, task, caller_run_id)));
    const isWanted = caller?.status === 'started' || !payload.isAwaited;
    if (caller === undefined || !isWanted) return log.write(task, (tx) => lease.finish(tx));
    const refusal = refusalOf(payload, attemptOf(caller));
    if (refusal !== undefined) return endWithout(task, lease, payload, refusal);
    let isSettled = false;
    const onceCommitted = (tx: WriteTransaction): void =>
      tx.afterCommit(() => {
        isSettled = true;
      });
    try {
      const run = await runOrFind({
        ...invocationOf(attemptOf(caller), payload),
        runId: payload.run_id,
        ...(rejection === undefined ? {} : { rejection }),
        cause: payload.cause,
        call: {
          isFirstTry: isFirstTry(task),
          ...(waiter === undefined ? {} : { waiter }),
          requireHeld: (tx) => lease.require(tx),
          worked: () => lease.leavePlace(),
          async settle(tx) {
            // If the store refused the ending at first, the task is due for another try, which is no longer needed.
            const wasThere = (await lease.settle(tx)) || (await tasks.take(tx, task, task.kind, task.key));
            onceCommitted(tx);
            if (waiter !== undefined) return wasThere;
            return !payload.isAwaited || hasWaiter(tx, { ...placeOf(task), run_id: payload.run_id });
          },
          async finish(tx) {
            await lease.finish(tx);
            onceCommitted(tx);
          },
        },
      });
      if (isSettled) return;
      // If the run existed before, its ending notified no waiter.
      await log.write(task, async (tx) => {
        if ((await lease.settle(tx)) && run.status !== 'started')
          await notifyWaiter(tx, ended(task, payload), endingOf(run), null, waiter);
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The next start carries it out.
      if (isStopping()) throw new LeaseLost(task);
      // The store could not be written: the task is tried again, as an input would be.
      if (error.rejection.reason === 'unavailable') throw error;
      await endWithout(task, lease, payload, { status: 'rejected', rejection: error.rejection });
    }
  }

  /** Nothing was recorded of the run: its waiter gets the reason. */
  function endWithout(task: Task, lease: TaskLease, payload: StartPayload, ending: Ending): Promise<void> {
    return log.write(task, async (tx) => {
      await lease.finish(tx);
      await notifyWaiter(tx, ended(task, payload), ending, null, payload.waiter);
    });
  }
}

const NEVER = new AbortController().signal;

function placeOf({ org, playbook }: Task): { org: string; playbook: string } {
  return { org, playbook };
}

function ended(task: Task, { run_id, type, name }: StartPayload) {
  return { ...placeOf(task), run_id, type, name };
}

type Call = Pick<StartPayload, 'type' | 'name' | 'input' | 'reference'>;

/** The run of a call, without its id and the event that led to it. */
function invocationOf(caller: Attempt, { type, name, input, reference }: Call): Omit<RunInvocation, 'runId'> {
  const { org, playbook, by } = caller;
  return { org, playbook, type, name, input, by, signal: NEVER, chain: chainBelow(caller, reference) };
}

export function chainBelow({ runId, definition, chain }: Attempt, reference: string): Chain {
  return {
    top: chain.top,
    calledBy: { run_id: runId, reference, run: `${definition.type}/${definition.name}` },
    callDepth: chain.callDepth + 1,
    depth: chain.depth,
  };
}

/** Whether the runs that it calls would stand too many calls below the one at the top. */
export function isTooDeep({ chain }: Pick<Attempt, 'chain'>): boolean {
  return chain.callDepth + 1 > MOST_CALL_DEPTH;
}

/** How a run ends that may not be called. */
function refusalOf({ input }: Pick<Call, 'input'>, caller: Attempt): Ending | undefined {
  if (isTooDeep(caller)) {
    const detail = `The call is ${MOST_CALL_DEPTH + 1} levels below the top-level run; at most ${MOST_CALL_DEPTH} levels are allowed.`;
    return { status: 'failed', detail };
  }
  const bytes = jsonBytes(input);
  if (bytes <= LIMITS.inputBytes) return undefined;
  const detail = `The input has ${bytes} bytes as JSON; it may have at most ${LIMITS.inputBytes}.`;
  return {
    status: 'rejected',
    rejection: { reason: 'invalid_input', detail, issues: [{ pointer: '/input', detail }] },
  };
}

function endingOf(run: RunWithRecord): Ending {
  if (run.status === 'succeeded') return { status: 'succeeded', output: (run.output ?? null) as Json, record: {} };
  const detail = run.detail ?? 'The run ended without a reason.';
  if (run.status !== 'rejected' || run.reason === undefined) return { status: 'failed', detail };
  const { reason, kind, because, issues } = run;
  const rejection: Rejection = {
    reason,
    detail,
    ...(kind === undefined ? {} : { kind }),
    ...(because === undefined ? {} : { because }),
    ...(issues === undefined ? {} : { issues }),
  };
  return { status: 'rejected', rejection };
}

/** A run that is called in the name of a run that has ended. */
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

// Applies an input to a waiting run: decides, then records the decision in one transaction that also removes the input. If the
// run has moved meanwhile, it is decided again.
import type { Logger } from 'pino';
import { type PlaybookKey, selectStreamEnd, StreamMoved, type WriteTransaction } from '../../../kernel/log/index.ts';
import { isFirstTry, limitingDeaths, type Tasks, type TaskHandler } from '../../../kernel/tasks/index.ts';
import type { Decided } from '../../../kinds/burst/index.ts';
import type { Ending } from '../../../kinds/run.ts';
import { attemptOf, streamOf } from '../history/events.ts';
import { selectRun } from '../history/sql.ts';
import type { RunBurst } from './bursts.ts';
import { DecisionRetry, type DurableContext, writeDecided } from './context.ts';
import type { DecideOptions } from './deciding.ts';
import { endWith, recordAll } from './record-decision.ts';
import { type InputPayload, givenUpTask, PROCESS_DIED } from './run-tasks.ts';
import { keepMoved, type KnownState, stateKey } from './states.ts';

/** Removes the input, in the transaction that records it or that finds nothing to record. */
export type Finish = (tx: WriteTransaction) => Promise<void>;

/** An input for a run that has ended, or that moves nothing, leaves no history. */
function applyInput(
  context: DurableContext,
  playbookKey: PlaybookKey,
  payload: InputPayload,
  finish: Finish,
  mayCall: boolean,
): Promise<void> {
  return context.serially(stateKey(playbookKey, payload.run_id), async () => {
    const again = new DecisionRetry();
    for (;;) {
      const state = await context.deciding.load(playbookKey, payload.run_id);
      if (state === undefined) return context.log.write(playbookKey, finish);
      const burst = mayCall ? context.runBursts.afterInput(state) : undefined;
      if (await applyOnce(context, state, { payload, finish, again, burst })) return;
    }
  });
}

interface Applying {
  payload: InputPayload;
  finish: Finish;
  again: DecisionRetry;
  /** Absent if an earlier try was cut off: then nothing is called before the input is recorded. */
  burst: RunBurst | undefined;
}

/** Decides and records once; false when the run has moved meanwhile, so that it is to be decided again. */
async function applyOnce(
  context: DurableContext,
  state: KnownState,
  { payload, finish, again, burst }: Applying,
): Promise<boolean> {
  const { log, clock, states, record, passOnEnding } = context;
  const { row, shape, position } = state;
  const { takenEventKeys, isFirstOnly } = again;
  const now = clock.now();
  const decided = await decideFrom(context, state, payload, { now, takenEventKeys, isFirstOnly, burst });
  if (decided === undefined) return finishUnmoved(context, state, finish);
  const attempt = attemptOf(row);
  const given = { attempt, shape, position, before: [], cause: payload.cause, now };
  try {
    const recorded = await writeDecided(context, attempt, decided, (notify) =>
      log.write(row, async (tx) => {
        const written = await recordAll(tx, record, given, decided, burst);
        await finish(tx);
        await passOnEnding(tx, row, written.ended, notify);
        return written;
      }),
    );
    keepMoved(states, state, recorded);
    return true;
  } catch (error) {
    states.drop(stateKey(row, row.run_id));
    if (!(error instanceof StreamMoved) || decided.length > 1) again.after(error, decided);
    return false;
  }
}

/** Deciding may fail because another process has moved the run: the state in memory is outdated then. */
async function decideFrom(
  { log, states, deciding }: DurableContext,
  state: KnownState,
  payload: InputPayload,
  options: DecideOptions,
): Promise<readonly Decided[] | undefined> {
  try {
    return await deciding.decide(state, payload, options);
  } catch (error) {
    if (log.shared !== undefined) states.drop(stateKey(state.row, state.row.run_id));
    throw error;
  }
}

/**
 * Nothing waits for the input in the state as it is known here. False where another process has moved the run, so that it is to
 * be decided again.
 */
async function finishUnmoved(
  { log, states }: DurableContext,
  { row, position }: KnownState,
  finish: Finish,
): Promise<boolean> {
  const isCurrent = await log.write(row, async (tx) => {
    const end = log.shared === undefined ? position : await selectStreamEnd(tx, row, streamOf(row.run_id));
    if (end === position) await finish(tx);
    return end === position;
  });
  if (!isCurrent) states.drop(stateKey(row, row.run_id));
  return isCurrent;
}

/** Ends a run as failed, because an input of it cannot be applied. */
function failRun(
  { log, clock, states, serially, record, passOnEnding, notifyWaiter }: DurableContext,
  playbookKey: PlaybookKey,
  { run_id, kind, key, cause }: InputPayload,
  finish: Finish,
): Promise<void> {
  const ending: Ending = { status: 'failed', detail: 'The service failed during the run.', record: {} };
  return serially(stateKey(playbookKey, run_id), async () => {
    states.drop(stateKey(playbookKey, run_id));
    await log.write(playbookKey, async (tx) => {
      await finish(tx);
      const row = await selectRun(tx, playbookKey, run_id);
      if (row === undefined || row.status !== 'started') return;
      const position = await selectStreamEnd(tx, playbookKey, streamOf(run_id));
      const given = { attempt: attemptOf(row), shape: undefined, position, before: [], cause, now: clock.now() };
      const recorded = await record(tx, { ...given, input: { kind, key }, decision: endWith(ending) });
      await passOnEnding(tx, row, recorded.ended, notifyWaiter);
    });
  });
}

/** How often applying an input is tried. The waits between grow, so that a full disk has time to be emptied. */
const MOST_TRIES = 12;

export interface InputHandlerOptions {
  tasks: Pick<Tasks, 'add'>;
  logger: Logger;
}

/** An input that fails repeatedly, or with which the process dies, ends its run: no run stays in progress forever. */
export function createInputHandler(context: DurableContext, { tasks, logger }: InputHandlerOptions): TaskHandler {
  const apply: TaskHandler = async (task, lease) => {
    const payload = task.payload as InputPayload;
    const finish: Finish = (tx) => lease.finish(tx);
    if (task.tries < MOST_TRIES) return applyInput(context, task, payload, finish, isFirstTry(task));
    const { run_id, kind: input } = payload;
    logger.error({ run_id, input }, 'A run was ended as failed because its input cannot be applied.');
    return failRun(context, task, payload, finish);
  };
  const giveUp: TaskHandler = (task, lease) =>
    context.log.write(task, async (tx) => {
      await lease.finish(tx);
      await tasks.add(tx, task, givenUpTask(task.payload as InputPayload, PROCESS_DIED, context.clock.now()));
    });
  return limitingDeaths(apply, giveUp);
}

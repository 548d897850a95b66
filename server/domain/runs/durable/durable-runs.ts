// Runs that wait: started, moved by inputs, ended.
//
// 1. Inputs of a run are applied one at a time. Deciding comes first and has no effects; then one transaction,
//    guarded by where the run's stream ends, records what was decided and removes the input. On a clash it is
//    decided again.
// 2. Whatever a decision asks for is written in the transaction that records it, as a task of its own. A run that ends
//    moves the run that waits for it in the same transaction where it can (with-caller.ts).
// 3. An input that comes for a run that has ended, or that moves nothing, is removed and leaves no history.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import type { RunOrigin, RunWithRecord } from '../../../../shared/schemas/index.ts';
import type { DefinitionKey, Runnable } from '../../definitions/index.ts';
import { EventIdTaken } from '../../events/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Ids } from '../../../kernel/ids.ts';
import {
  type EventLog,
  type PlaybookKey,
  selectStreamEnd,
  StreamMoved,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import { createSerial } from '../../../lib/gate.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import type { Decision, RunInput } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { NO_TOOLS } from '../../../kinds/tools.ts';
import type { Ending } from '../../../kinds/run.ts';
import { presentRun, requireRun } from '../history/present.ts';
import { type Attempt, attemptOf, type Chain, startedEvent, streamOf } from '../history/events.ts';
import { selectRun } from '../history/sql.ts';
import type { RunTrigger } from './invocation.ts';
import type { NotifyWaiter } from './waiter.ts';
import { createDeciding, type Decided, newState } from './deciding.ts';
import type { InputPayload } from './run-tasks.ts';
import { recordAll, type RecordDecision, endWith } from './record-decision.ts';
import { createStates, keepMoved, type KnownState, stateKey } from './states.ts';
import { createWithCaller, type WithCaller, type WithCallerOptions, type WriteEnding } from './with-caller.ts';

export interface StartRequest extends DefinitionKey {
  runId: string;
  input: Json;
  inputSha256: string;
  by: string;
  chain: Chain;
  traceId?: string;
  /** The event that started it, where one did. */
  cause?: string;
  /** What its start comes to, where it continues from another run. It may be called again. */
  continued?: (now: number, takenEventKeys: ReadonlySet<string>) => Promise<{ decision: Decision; origin: RunOrigin }>;
}

export interface DurableRuns {
  /**
   * Starts a run with its first decision, in one transaction. Answers undefined when `mayStart` says no.
   * @param mayStart asked in that transaction, before anything is recorded
   */
  start(
    request: StartRequest,
    runnable: Runnable,
    mayStart: (tx: WriteTransaction) => Promise<boolean>,
  ): Promise<RunWithRecord | undefined>;
  /**
   * Applies an input to its run.
   * @param finish called in the transaction that records it, or that finds that there is nothing to record
   */
  apply(
    playbookKey: PlaybookKey,
    payload: InputPayload,
    finish: (tx: WriteTransaction) => Promise<void>,
  ): Promise<void>;
  /** Ends a run as failed: the service cannot carry on with it. */
  fail(playbookKey: PlaybookKey, payload: InputPayload, finish: (tx: WriteTransaction) => Promise<void>): Promise<void>;
  withCaller: WithCaller;
  /** A run that waits, where its state is in memory. */
  known(playbookKey: PlaybookKey, runId: string): KnownState | undefined;
}

export interface DurableRunsOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  record: RecordDecision;
  tasks: Pick<Tasks, 'firstDue'>;
  /** Aborted when the service stops and has waited long enough. */
  graceOver: AbortSignal;
  notifyWaiter: NotifyWaiter;
  triggeredRunEnded: (
    tx: WriteTransaction,
    playbookKey: PlaybookKey,
    name: string,
    trigger: RunTrigger,
  ) => Promise<void>;
}

export function createDurableRuns(options: DurableRunsOptions): DurableRuns {
  const { log, clock, ids, kinds, schemas, record, notifyWaiter, triggeredRunEnded, graceOver } = options;
  const states = createStates();
  const serially = createSerial();

  const deciding = createDeciding({ log, kinds, states });

  const tellOfEnding: WithCallerOptions['tellOfEnding'] = async (tx, row, ended, tell) => {
    if (ended === undefined) return;
    await tell(tx, row, ended.ending, ended.event.id);
    const { trigger } = attemptOf(row).chain;
    if (trigger !== undefined) await triggeredRunEnded(tx, row, row.name, trigger);
  };
  const withCaller = createWithCaller({ ...options, states, serially, deciding, tellOfEnding });

  /** Writes what a run comes to, with what its caller does next if it ends. */
  function writeWithCaller<T>(run: Attempt, decided: readonly Decided[], write: WriteEnding<T>): Promise<T> {
    const ending = decided.at(-1)?.decision.ending;
    return ending === undefined ? write(notifyWaiter) : withCaller(run, ending, write);
  }

  /** A state that another process has moved on may be one that nothing can be decided from. */
  const decideFrom: typeof deciding.decide = (state, payload, asked) =>
    deciding.decide(state, payload, asked).catch((error: unknown) => {
      if (log.shared !== undefined) states.drop(stateKey(state.row, state.row.run_id));
      throw error;
    });

  /**
   * Nothing waits for the input in the state as it is known here. False where another process has moved the run, so that
   * it is to be decided again.
   */
  async function finishUnmoved(
    { row, position }: KnownState,
    finish: (tx: WriteTransaction) => Promise<void>,
  ): Promise<boolean> {
    const isCurrent = await log.write(row, async (tx) => {
      const end = log.shared === undefined ? position : await selectStreamEnd(tx, row, streamOf(row.run_id));
      if (end === position) await finish(tx);
      return end === position;
    });
    if (!isCurrent) states.drop(stateKey(row, row.run_id));
    return isCurrent;
  }

  /** Decides and records once; false when the run moved on meanwhile, so that it is to be decided again. */
  async function applyOnce(
    state: KnownState,
    payload: InputPayload,
    finish: (tx: WriteTransaction) => Promise<void>,
    again: DecidedAgain,
  ): Promise<boolean> {
    const { row, shape, position } = state;
    const now = clock.now();
    const decided = await decideFrom(state, payload, { now, ...again });
    if (decided === undefined) return finishUnmoved(state, finish);
    const attempt = attemptOf(row);
    const given = { attempt, shape, position, before: [], cause: payload.cause, now };
    try {
      const recorded = await writeWithCaller(attempt, decided, (tell) =>
        log.write(row, async (tx) => {
          const written = await recordAll(tx, record, given, decided);
          await finish(tx);
          await tellOfEnding(tx, row, written.ended, tell);
          return written;
        }),
      );
      keepMoved(states, state, recorded);
      return true;
    } catch (error) {
      states.drop(stateKey(row, row.run_id));
      if (error instanceof EventIdTaken) decideOtherwise(error, decided, again);
      else if (!(error instanceof StreamMoved)) throw error;
      return false;
    }
  }

  /** What the start of a run comes to; an ending is a decision that does nothing else. */
  async function firstDecision(
    request: StartRequest,
    { runId, attempt, definition, chain }: Attempt,
    { source, outputSchema }: Runnable,
    now: number,
    takenEventKeys: ReadonlySet<string>,
  ): Promise<Decision> {
    const { org, playbook, input, type, traceId } = request;
    const came = await kinds[type].start({
      org,
      playbook,
      runId,
      attempt,
      name: definition.name,
      version: definition.version,
      source,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      input,
      startedAt: now,
      depth: chain.depth,
      takenEventKeys,
      ...(traceId === undefined ? {} : { traceId }),
      signal: graceOver,
      tools: NO_TOOLS,
    });
    return came.status === 'waiting' ? came.decision : endWith(came);
  }

  return {
    withCaller,
    known: (playbookKey, runId) => states.get(stateKey(playbookKey, runId)),
    async start(request, runnable, mayStart) {
      const now = clock.now();
      const attempt = firstAttempt(request, runnable.version);
      const { shape } = runnable;
      const refusal = await inputRefusal(schemas, request, runnable);
      const input: RunInput = { kind: 'started', key: request.runId, data: {} };
      let origin: RunOrigin | undefined;
      const firstOf = async (takenEventKeys: ReadonlySet<string>): Promise<Decision> => {
        const continued = await request.continued?.(now, takenEventKeys);
        origin = continued?.origin;
        return continued?.decision ?? firstDecision(request, attempt, runnable, now, takenEventKeys);
      };
      const trace = request.traceId === undefined ? {} : { traceId: request.traceId };
      const startWith = (all: readonly Decided[]): Promise<RunWithRecord | undefined> =>
        writeWithCaller(attempt, all, (tell) =>
          log.write(request, async (tx) => {
            if (!(await mayStart(tx))) return undefined;
            // Asked for before what the run calls is: that looks for its state.
            let keep: (() => void) | undefined;
            tx.afterCommit(() => keep?.());
            const started = await startedEvent(tx, attempt, request, origin);
            const event = { ...started, id: ids() };
            const given = { attempt, shape, position: 0, before: [event], cause: event.id, now, ...trace };
            const written = await recordAll(tx, record, given, all);
            const row = await requireRun(tx, request, request.runId);
            if (written.ended === undefined) {
              keep = () => keepMoved(states, newState(row, runnable, 0, true), written);
            }
            await tellOfEnding(tx, row, written.ended, tell);
            return presentRun(tx, row, written.ended?.event);
          }),
        );
      const again: DecidedAgain = { takenEventKeys: new Set(), isAlone: false };
      for (;;) {
        const first: Decided =
          refusal === undefined
            ? { input, decision: await firstOf(again.takenEventKeys) }
            : { decision: endWith(refusal) };
        const decided = again.isAlone
          ? [first]
          : await deciding.follow(attempt, runnable.source, first, { now, ...again });
        try {
          return await startWith(decided);
        } catch (error) {
          if (!(error instanceof EventIdTaken)) throw error;
          decideOtherwise(error, decided, again);
        }
      }
    },
    fail: (playbookKey, payload, finish) =>
      serially(stateKey(playbookKey, payload.run_id), async () => {
        states.drop(stateKey(playbookKey, payload.run_id));
        await log.write(playbookKey, async (tx) => {
          await finish(tx);
          const row = await selectRun(tx, playbookKey, payload.run_id);
          if (row === undefined || row.status !== 'started') return;
          const { kind, key, data } = payload;
          const detail = 'The service failed during the run.';
          const ending: Ending = { status: 'failed', detail, record: {} };
          const position = await selectStreamEnd(tx, playbookKey, streamOf(row.run_id));
          const decision = endWith(ending);
          const given = { attempt: attemptOf(row), shape: undefined, position, before: [], decision };
          const now = clock.now();
          const recorded = await record(tx, { ...given, input: { kind, key, data }, cause: payload.cause, now });
          await tellOfEnding(tx, row, recorded.ended, notifyWaiter);
        });
      }),
    apply: (playbookKey, payload, finish) =>
      serially(stateKey(playbookKey, payload.run_id), async () => {
        const again: DecidedAgain = { takenEventKeys: new Set(), isAlone: false };
        for (;;) {
          const state = await deciding.load(playbookKey, payload.run_id);
          if (state === undefined) return log.write(playbookKey, finish);
          if (await applyOnce(state, payload, finish, again)) return;
        }
      }),
  };
}

/** What is known of the decisions that could not be recorded. */
interface DecidedAgain {
  takenEventKeys: Set<string>;
  isAlone: boolean;
}

/** Among several decisions, one may have published what another one cannot. @throws the error where that is known */
function decideOtherwise(error: EventIdTaken, decided: readonly Decided[], again: DecidedAgain): void {
  if (decided.length > 1) again.isAlone = true;
  else if (again.takenEventKeys.has(error.key)) throw error;
  else again.takenEventKeys.add(error.key);
}

function firstAttempt(request: StartRequest, version: number): Attempt {
  const { org, playbook, runId, type, name, by, chain } = request;
  return { org, playbook, runId, attempt: 1, definition: { type, name, version }, by, chain };
}

async function inputRefusal(
  schemas: SchemaChecker,
  request: StartRequest,
  { inputSchema }: Runnable,
): Promise<Ending | undefined> {
  if (inputSchema === undefined) return undefined;
  const issues = await schemas.compileSchema(inputSchema).check(request.input, '/input');
  if (issues.length === 0) return undefined;
  const detail = `The input does not match the input schema of ${request.type}/${request.name}.`;
  return { status: 'rejected', rejection: { reason: 'invalid_input', detail, issues } };
}

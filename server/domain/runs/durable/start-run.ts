// Starts a run of a kind that runs once (a workflow). One transaction records its first decision, and those that follow from it at once.
import type { Json } from '../../../../shared/json.ts';
import type { RunOrigin, RunWithRecord } from '../../../../shared/schemas/index.ts';
import type { NewEvent, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Decided } from '../../../kinds/burst/index.ts';
import type { Decision, RunInput } from '../../../kinds/durable.ts';
import { refusalOfInput } from '../../../kinds/refuse-input.ts';
import { NO_TOOLS } from '../../../kinds/tools.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import type { DefinitionKey, Runnable } from '../../definitions/index.ts';
import { type Attempt, type Chain, startedEvent } from '../history/events.ts';
import { asStarted, presentRun, requireRun } from '../history/present.ts';
import type { RunBurst } from './bursts.ts';
import { DecisionRetry, type DurableContext, writeDecided } from './context.ts';
import { newState } from './deciding.ts';
import { endWith, recordAll } from './record-decision.ts';
import { startKind } from './start-kind.ts';
import { keepMoved } from './states.ts';
import type { NotifyWaiter } from './waiter.ts';

export interface StartRequest extends DefinitionKey {
  runId: string;
  input: Json;
  inputSha256: string;
  by: string;
  chain: Chain;
  traceId?: string;
  /** The event that started it, where one did. */
  cause?: string;
  /** Whether pure functions may be called before the start is recorded: no earlier try was cut off. */
  mayCall: boolean;
  /** The first decision of a run that continues from another one. It may be called again. */
  continued?: (now: number, takenEventKeys: ReadonlySet<string>) => Promise<FirstDecision>;
}

interface FirstDecision {
  decision: Decision;
  /** The run that it continues from. */
  origin?: RunOrigin;
}

/** Asked in the transaction that starts a run, before anything is recorded. */
export type MayStart = (tx: WriteTransaction) => Promise<boolean>;

/**
 * Starts a run. The pure functions that it calls first are executed before its start is recorded (bursts.ts), but what it
 * returns does not depend on that: the run is shown as it ended or, if it waits, as it was when it first waited.
 * @returns undefined if `mayStart` resolves to false
 */
export async function startRun(
  context: DurableContext,
  request: StartRequest,
  runnable: Runnable,
  mayStart: MayStart,
): Promise<RunWithRecord | undefined> {
  const { schemas, clock, deciding, runBursts } = context;
  const now = clock.now();
  const attempt = firstAttempt(request, runnable.version);
  const refusal = await refusalOfInput(schemas, attempt.definition, runnable.inputSchema, request.input);
  const input: RunInput = { kind: 'started', key: request.runId, data: {} };
  const inputBytes = jsonBytes(request.input);
  const again = new DecisionRetry();
  for (;;) {
    const { takenEventKeys } = again;
    const { decision, origin } =
      refusal === undefined
        ? await firstDecision(context, { request, attempt, runnable, now, takenEventKeys })
        : { decision: endWith(refusal) };
    const first: Decided = refusal === undefined ? { input, decision } : { decision };
    const burst = runBursts.atStart(attempt, runnable.source, inputBytes);
    const calls = request.mayCall ? { burst } : {};
    const decided = again.isFirstOnly
      ? [first]
      : await deciding.decideStart(attempt, runnable.source, first, { now, takenEventKeys, ...calls });
    try {
      const starting = { request, attempt, runnable, now, origin, decided, burst };
      return await writeDecided(context, attempt, decided, (notify) => writeStart(context, starting, mayStart, notify));
    } catch (error) {
      again.after(error, decided);
    }
  }
}

interface Starting {
  request: StartRequest;
  attempt: Attempt;
  runnable: Runnable;
  now: number;
}

/** An ending is a decision that does nothing else. */
async function firstDecision(
  { kinds, graceOver }: DurableContext,
  { request, attempt, runnable, now, takenEventKeys }: Starting & { takenEventKeys: ReadonlySet<string> },
): Promise<FirstDecision> {
  if (request.continued !== undefined) return request.continued(now, takenEventKeys);
  const surroundings = { takenEventKeys, signal: graceOver, tools: NO_TOOLS };
  const outcome = await startKind(kinds, { attempt, runnable, request, startedAt: now }, surroundings);
  return { decision: outcome.status === 'waiting' ? outcome.decision : endWith(outcome) };
}

function writeStart(
  { log, ids, record, states, passOnEnding, withAwaited }: DurableContext,
  { request, attempt, runnable, now, origin, decided, burst }: Starting & FirstDecisions,
  mayStart: MayStart,
  notify: NotifyWaiter,
): Promise<RunWithRecord | undefined> {
  return log.write(request, async (tx) => {
    if (!(await mayStart(tx))) return undefined;
    // Registered before the tasks of what the run calls: they look for its state after the commit.
    let keep: (() => void) | undefined;
    tx.afterCommit(() => keep?.());
    const event: NewEvent & { id: string } = { ...(await startedEvent(tx, attempt, request, origin)), id: ids() };
    const trace = request.traceId === undefined ? {} : { traceId: request.traceId };
    const given = { attempt, shape: runnable.shape, position: 0, before: [event], cause: event.id, now, ...trace };
    const written = await recordAll(tx, record, given, decided, burst);
    const row = await requireRun(tx, request, request.runId);
    if (written.ended === undefined) keep = () => keepMoved(states, newState(row, runnable, 0, true), written);
    await passOnEnding(tx, row, written.ended, notify);
    if (burst.partsAtFirstCall === undefined) return presentRun(tx, row, written.ended?.event);
    const started = asStarted(row);
    const state = { row: started, parts: burst.partsAtFirstCall, isWhole: true };
    const run = await presentRun(tx, started);
    return (await withAwaited.known(state, run)) ?? run;
  });
}

interface FirstDecisions {
  origin: RunOrigin | undefined;
  decided: readonly Decided[];
  burst: RunBurst;
}

function firstAttempt(request: StartRequest, version: number): Attempt {
  const { org, playbook, runId, type, name, by, chain } = request;
  return { org, playbook, runId, attempt: 1, definition: { type, name, version }, by, chain };
}

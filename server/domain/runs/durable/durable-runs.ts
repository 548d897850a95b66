// Runs that wait: started, moved by inputs, ended.
//
// 1. Inputs of a run are applied one at a time. Deciding comes first and has no effects; then one transaction,
//    guarded by where the run's stream ends, records what was decided and removes the input. On a clash it is
//    decided again.
// 2. Whatever a decision asks for is written in the transaction that records it, as a task of its own.
// 3. An input that comes for a run that has ended, or that moves nothing, is removed and leaves no history.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import { type DefinitionKey, readVersion, type Runnable } from '../../definitions/index.ts';
import { EventIdTaken, readPublished } from '../../events/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Ids } from '../../../kernel/ids.ts';
import {
  type EventLog,
  type PlaybookKey,
  type ReadTransaction,
  selectEvent,
  selectStreamEnd,
  StreamMoved,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';
import { createSerial } from '../../../lib/gate.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import type { CloudEvent, Decision, DurableRun, RunInput, RunState } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { NO_TOOLS } from '../../../kinds/tools.ts';
import type { Ending } from '../../../kinds/run.ts';
import { presentRun, requireRun, streamOf } from '../present.ts';
import { type Attempt, attemptOf, type Chain, endedEvent, startedEvent } from '../record.ts';
import { type RunRow, selectRun } from '../sql.ts';
import type { RunTrigger } from '../invocation.ts';
import type { TellWaiter } from '../waiter.ts';
import { type InputPayload, isOfAttempt } from './keys.ts';
import type { Recorded, RecordDecision } from './recording.ts';
import { selectMailbox, selectPart, selectSent } from './sql.ts';
import { createStates, type KnownState, moveOn } from './states.ts';

export interface StartRequest extends DefinitionKey {
  runId: string;
  input: Json;
  inputSha256: string;
  by: string;
  chain: Chain;
  traceId?: string;
  /** The event that started it, where one did. */
  cause?: string;
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
  apply(place: PlaybookKey, payload: InputPayload, finish: (tx: WriteTransaction) => Promise<void>): Promise<void>;
  /** Ends a run as failed: the service cannot carry on with it. */
  fail(place: PlaybookKey, payload: InputPayload, finish: (tx: WriteTransaction) => Promise<void>): Promise<void>;
}

export interface DurableRunsOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  record: RecordDecision;
  /** Aborted when the service stops and has waited long enough. */
  graceOver: AbortSignal;
  tellWaiter: TellWaiter;
  triggeredRunEnded: (tx: WriteTransaction, place: PlaybookKey, name: string, trigger: RunTrigger) => Promise<void>;
}

export function createDurableRuns(options: DurableRunsOptions): DurableRuns {
  const { log, clock, ids, kinds, schemas, record, tellWaiter, triggeredRunEnded, graceOver } = options;
  const states = createStates();
  const serially = createSerial();

  async function load(place: PlaybookKey, runId: string): Promise<KnownState | undefined> {
    return (
      states.get(keyOf(place, runId)) ??
      log.read(async (tx) => {
        const row = await selectRun(tx, place, runId);
        if (row === undefined) return undefined;
        const key = { ...place, type: row.type, name: row.name };
        const { source, shape } = await readVersion(tx, key, Number(row.definition_version));
        return newState(row, { source, shape }, await selectStreamEnd(tx, place, streamOf(runId)), false);
      })
    );
  }

  function readerOf({ row, parts, isWhole }: KnownState): RunState {
    return {
      part(part) {
        if (isWhole || parts.has(part)) return parts.get(part);
        return log.read(async (tx) => {
          const value = await selectPart(tx, row, part);
          parts.set(part, value);
          return value;
        });
      },
      mailbox: () => log.read((tx) => selectMailbox(tx, row)),
    };
  }

  /** An input as the kind takes it: an event comes by its name and is read now. */
  async function inputOf(place: PlaybookKey, payload: InputPayload): Promise<RunInput | undefined> {
    const { kind, key, data } = payload;
    if (kind !== 'event_received') return { kind, key, data };
    const event = await log.read((tx) => eventOf(tx, place, payload));
    return event === undefined ? undefined : { kind, key, data: { ...data, event } };
  }

  async function decideOn(
    state: KnownState,
    payload: InputPayload,
    now: number,
    takenEventKeys: ReadonlySet<string>,
  ): Promise<{ input: RunInput; decision: Decision } | undefined> {
    if (state.row.status !== 'started' || !isOfAttempt(payload, state.row)) return undefined;
    const input = await inputOf(state.row, payload);
    if (input === undefined) return undefined;
    const run = { ...runOf(attemptOf(state.row), state.source, now), takenEventKeys };
    const decision = await kinds[state.row.type].decide?.(run, readerOf(state), input);
    return decision && { input, decision };
  }

  /** Decides and records once; false when the run moved on meanwhile, so that it is to be decided again. */
  async function applyOnce(
    state: KnownState,
    payload: InputPayload,
    finish: (tx: WriteTransaction) => Promise<void>,
    takenEventKeys: Set<string>,
  ): Promise<boolean> {
    const { row, shape, position } = state;
    const key = keyOf(row, row.run_id);
    const now = clock.now();
    const decided = await decideOn(state, payload, now, takenEventKeys);
    if (decided === undefined) {
      await log.write(row, finish);
      return true;
    }
    const given = { attempt: attemptOf(row), shape, position, before: [], ...decided, cause: payload.cause, now };
    try {
      const recorded = await log.write(row, async (tx) => {
        const written = await record(tx, given);
        await finish(tx);
        await tellOfEnding(tx, row, written.ended);
        return written;
      });
      if (recorded.ended === undefined) {
        moveOn(state, recorded.position, recorded.parts, recorded.texts);
        states.put(key, state);
      } else states.drop(key);
      return true;
    } catch (error) {
      states.drop(key);
      if (error instanceof EventIdTaken) takenEventKeys.add(error.key);
      else if (!(error instanceof StreamMoved)) throw error;
      return false;
    }
  }

  async function tellOfEnding(tx: WriteTransaction, row: RunRow, ended: Recorded['ended']): Promise<void> {
    if (ended === undefined) return;
    await tellWaiter(tx, row, ended.ending, ended.event.id);
    const { trigger } = attemptOf(row).chain;
    if (trigger !== undefined) await triggeredRunEnded(tx, row, row.name, trigger);
  }

  /** What the start of a run comes to; an ending is a decision that does nothing else. */
  async function firstDecision(
    request: StartRequest,
    { runId, attempt, definition, chain }: Attempt,
    { source, outputSchema }: Runnable,
    now: number,
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
      ...(traceId === undefined ? {} : { traceId }),
      signal: graceOver,
      tools: NO_TOOLS,
    });
    return came.status === 'waiting' ? came.decision : { moved: [], parts: new Map(), commands: [], ending: came };
  }

  return {
    async start(request, runnable, mayStart) {
      const now = clock.now();
      const attempt = firstAttempt(request, runnable.version);
      const { shape } = runnable;
      const refusal = await inputRefusal(schemas, request, runnable);
      const decision = refusal === undefined ? await firstDecision(request, attempt, runnable, now) : undefined;
      const trace = request.traceId === undefined ? {} : { traceId: request.traceId };
      return log.write(request, async (tx) => {
        if (!(await mayStart(tx))) return undefined;
        const started = await startedEvent(tx, attempt, request.input, request.inputSha256, request.cause);
        const first = { ...started, id: ids() };
        let ended: Recorded['ended'];
        if (decision === undefined && refusal !== undefined) {
          const last = await endedEvent(tx, attempt, refusal, shape, first.id);
          const where = { org: request.org, playbook: request.playbook, stream: streamOf(request.runId) };
          const [, event] = await log.append(tx, { ...where, ...trace, expected: 0, at: now, events: [first, last] });
          if (event === undefined) throw new Error('An append answered without its event.');
          ended = { event, ending: refusal };
        } else if (decision !== undefined) {
          const input: RunInput = { kind: 'started', key: request.runId, data: {} };
          const given = {
            attempt,
            shape,
            position: 0,
            before: [first],
            input,
            cause: first.id,
            decision,
            now,
            ...trace,
          };
          const written = await record(tx, given);
          ({ ended } = written);
          const row = await requireRun(tx, request, request.runId);
          if (ended === undefined) {
            tx.afterCommit(() => {
              const state = newState(row, runnable, 0, true);
              moveOn(state, written.position, written.parts, written.texts);
              states.put(keyOf(request, request.runId), state);
            });
          }
        } else throw new Error('A run was started with neither a decision nor a refusal.');
        const row = await requireRun(tx, request, request.runId);
        await tellOfEnding(tx, row, ended);
        return presentRun(tx, row, ended?.event);
      });
    },
    fail: (place, payload, finish) =>
      serially(keyOf(place, payload.run_id), async () => {
        states.drop(keyOf(place, payload.run_id));
        await log.write(place, async (tx) => {
          await finish(tx);
          const row = await selectRun(tx, place, payload.run_id);
          if (row === undefined || row.status !== 'started') return;
          const { kind, key, data } = payload;
          const detail = 'The service failed during the run.';
          const ending: Ending = { status: 'failed', detail, record: {} };
          const position = await selectStreamEnd(tx, place, streamOf(row.run_id));
          const decision: Decision = { moved: [], parts: new Map(), commands: [], ending };
          const given = { attempt: attemptOf(row), shape: undefined, position, before: [], decision };
          const now = clock.now();
          const recorded = await record(tx, { ...given, input: { kind, key, data }, cause: payload.cause, now });
          await tellOfEnding(tx, row, recorded.ended);
        });
      }),
    apply: (place, payload, finish) =>
      serially(keyOf(place, payload.run_id), async () => {
        const takenEventKeys = new Set<string>();
        for (;;) {
          const state = await load(place, payload.run_id);
          if (state === undefined) return log.write(place, finish);
          if (await applyOnce(state, payload, finish, takenEventKeys)) return;
        }
      }),
  };
}

function keyOf({ org, playbook }: PlaybookKey, runId: string): string {
  return JSON.stringify([org, playbook, runId]);
}

function firstAttempt(request: StartRequest, version: number): Attempt {
  const { org, playbook, runId, type, name, by, chain } = request;
  return { org, playbook, runId, attempt: 1, definition: { type, name, version }, by, chain };
}

function newState(
  row: RunRow,
  { source, shape }: Pick<Runnable, 'source' | 'shape'>,
  position: number,
  isWhole: boolean,
): KnownState {
  return { row, source, shape, position, parts: new Map(), isWhole, sizes: new Map(), size: source.length };
}

function runOf(
  { org, playbook, runId, definition, chain }: Attempt,
  source: string,
  now: number,
): Omit<DurableRun, 'takenEventKeys'> {
  const { name, version } = definition;
  return { org, playbook, runId, name, version, source, depth: chain.depth, now };
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

/** The event that an input names: one that was sent to the run, or one that was published. */
async function eventOf(
  tx: ReadTransaction,
  place: PlaybookKey,
  { run_id, data }: InputPayload,
): Promise<CloudEvent | undefined> {
  if (typeof data['sent'] === 'string') {
    const sent = await selectSent(tx, { org: place.org, playbook: place.playbook, run_id }, data['sent']);
    return sent?.isTaken === false ? sent.event : undefined;
  }
  const recorded = await selectEvent(tx, place, String(data['published']));
  return recorded && ({ specversion: '1.0', ...(await readPublished(tx, recorded)).event } as CloudEvent);
}

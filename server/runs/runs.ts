// Runs: one execution of a definition each, known by its run id.
//
// 1. A run has one final result. The same id with the same definition and input meets it; any other is refused.
// 2. `run_started` is committed before the kind works, and one ending after it. An attempt whose ending is not
//    recorded is ended as failed when that is noticed; a run without a final result may be attempted again.
// 3. An attempt is held by a lease of this process start. An ending is recorded only by whoever holds the lease.
// 4. A run that waits has no lease: it is started and moved by transactions of its own (durable/).
import type { Logger } from 'pino';
import { DEFINITION_TYPES, type DefinitionType } from '../../shared/definition-types.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Run, RunListEntry, RunWithRecord } from '../../shared/schemas/index.ts';
import { createRunnables, readVersion, type Runnable } from '../definitions/index.ts';
import type { Publishing } from '../events/index.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Clock } from '../kernel/clock.ts';
import { sha256 } from '../kernel/contents/index.ts';
import type { Ids } from '../kernel/ids.ts';
import type { EventLog, Place, ReadTransaction, WriteTransaction } from '../kernel/log/index.ts';
import { conflict, Refused, unavailable } from '../kernel/rejection.ts';
import type { SchemaChecker } from '../kernel/schemas/index.ts';
import type { TaskHandler, Tasks } from '../kernel/tasks/index.ts';
import { type CloudEvent, type Ending, type FunctionKind, isDurable, type Kind, type Waiting } from '../kinds/kind.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import type { Tools } from '../tools/index.ts';
import { type Callers, createCallers } from './callers.ts';
import { createCancelling } from './durable/cancel.ts';
import { createCommands, RUN_REACTION } from './durable/commands.ts';
import { createDurableRuns } from './durable/durable-runs.ts';
import {
  INPUT_TASK,
  type InputPayload,
  inputTask,
  PERFORM_TASK,
  RESUME_TASK,
  SLOW_START_TASK,
  START_TASK,
} from './durable/keys.ts';
import { createMailbox } from './durable/mailbox.ts';
import { createPerforming } from './durable/performing.ts';
import { createRecording } from './durable/recording.ts';
import { createStarting } from './durable/starting.ts';
import type { RunInvocation, RunTrigger, TriggeredRun } from './invocation.ts';
import { listEntry, presentRun, refuseUnlessSucceeded, requireRun, streamOf } from './present.ts';
import { type Attempt, attemptOf, boundedEnding, type Chain, endedEvent, startedEvent } from './record.ts';
import { decideRetry, decideWorkflowRetry } from './retry.ts';
import { type AttemptTools, brokenOff, createAttemptTools } from './run-tools.ts';
import {
  dropLease,
  type Lease,
  putLease,
  type RunFilter,
  type RunRow,
  selectAnyStarted,
  selectDeadLeases,
  selectRun,
  selectRuns,
  selectStarted,
} from './sql.ts';
import { createTellWaiter } from './waiter.ts';
import type { Waits } from './waits.ts';

export interface Runs {
  /** Carries out a definition, or meets what its run id already has. @throws Refused when the run did not succeed */
  run(invocation: RunInvocation): Promise<Run>;
  get(place: Place, runId: string): Promise<RunWithRecord>;
  list(place: Place, filter: RunFilter, after: number | undefined, limit: number): Promise<RunPlace[]>;
  /** As `run`, but a run that was recorded is answered however it ended. @throws Refused where none was recorded */
  carryOut(invocation: RunInvocation & { runId: string }): Promise<RunWithRecord>;
  /** Asks a run that waits to stop. @throws Refused `conflict` for a run that has ended or that does not wait */
  cancel(
    place: Place,
    runId: string,
    request: { reason: string | undefined; by: string; traceId: string },
  ): Promise<Run>;
  /** Delivers an event to a workflow that goes on. @throws Refused `not_found`, `unavailable` */
  send(place: Place, runId: string, event: JsonObject, by: string): Promise<{ run_id: string; event: CloudEvent }>;
  /** The playbook was retired: every run of it that waits is asked to stop. */
  playbookRetired(tx: WriteTransaction, place: Place, by: string): Promise<void>;
  /**
   * Ends a run that waited for its request, in the transaction that records why. Nothing happens where it has ended.
   * @param cause the event that led to the end
   */
  endWaiting(
    tx: WriteTransaction,
    place: Place,
    runId: string,
    ending: Ending,
    cause: { eventId: string; by?: string },
  ): Promise<void>;
  /** Starts a run for a trigger; false when `mayStart`, asked in the transaction that records it, says no. */
  startTriggered(run: TriggeredRun): Promise<boolean>;
  /** What carries out the tasks of runs that wait. */
  handlers: Readonly<Record<string, TaskHandler>>;
  /** Whether any run goes on. */
  goOn(): Promise<boolean>;
  /** Ends, as failed, every attempt that another process start left behind. Answers how many. */
  endInterrupted(): Promise<number>;
  /** From now on new runs are refused; answers when those that go on have ended. */
  stop(): Promise<void>;
}

/** A run of a list with its place in it. */
export interface RunPlace {
  entry: RunListEntry;
  place: number;
}

export interface RunsOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  clock: Clock;
  ids: Ids;
  tasks: Tasks;
  publishing: Publishing;
  tools: Tools;
  waits: Waits;
  /** Called in the transaction that ends a run that a trigger started. */
  triggeredRunEnded: (tx: WriteTransaction, place: Place, name: string, trigger: RunTrigger) => Promise<void>;
  /** This process start: the holder of its leases. */
  holder: string;
  logger: Logger;
}

const LEASES_A_PAGE = 100;
const RUNS_A_PAGE = 500;
/** How long runs that go on are let end when the service stops. */
const STOP_PATIENCE_MS = 5000;
/** How often applying an input is tried. The waits between grow, so that a full disk has time to be emptied. */
const MOST_TRIES = 12;

/** What an attempt needs once it is recorded. */
interface Begun {
  attempt: Attempt;
  startEventId: string;
  startedAt: string;
  startedPosition: number;
  runnable: Runnable;
}

type Beginning = { begun: Begun } | { existing: true } | { join: true };

export function createRuns(options: RunsOptions): Runs {
  const { log, kinds, schemas, clock, ids, tasks, publishing, tools, waits, holder, logger } = options;
  const tellWaiter = createTellWaiter(tasks, clock);
  const { triggeredRunEnded } = options;
  const cancelling = createCancelling({ log, tasks, clock, kinds, waits });
  const performing = createPerforming({ log, tasks, clock, kinds });
  const commands = createCommands({ tasks, publishing, cancelling, stopPerforming: (key) => performing.stop(key) });
  const record = createRecording(log, ids, commands);
  const durable = createDurableRuns({ log, clock, ids, kinds, schemas, record, tellWaiter, triggeredRunEnded });
  publishing.onPublished(RUN_REACTION, async (tx, place, { subscriber, listener }, { id }) => {
    const data = { listener: Number(listener), published: id };
    const input = { run_id: subscriber, kind: 'event_received', key: id, data, cause: id } as const;
    const task = inputTask(input, clock.now());
    // An event may reach several listens of a run, each with an input of its own.
    await tasks.add(tx, place, { ...task, key: `${task.key} ${listener}` });
  });
  const mailbox = createMailbox({ log, tasks, clock, ids });
  const live = new Map<string, { settled: Promise<void>; callers: Callers }>();
  const runnableOf = createRunnables();
  let stopping = false;
  /** Aborted when the service stops and a run that ends within its request has not. */
  const breakingOff = new AbortController();

  const liveKey = (place: Place, runId: string): string => JSON.stringify([place.org, place.playbook, runId]);

  async function begin(
    tx: WriteTransaction,
    request: RunInvocation,
    runId: string,
    digest: string,
  ): Promise<Beginning> {
    await requireActivePlaybook(tx, request);
    const existing = await selectRun(tx, request, runId);
    if (existing !== undefined) {
      const asked = { type: request.type, name: request.name, inputSha256: digest };
      const decision = decideRetry(existing, asked, {
        isLive: live.has(liveKey(request, runId)),
        isWaiting: await waits.isWaiting(tx, request, runId),
        mayCallTools: await mayCallTools(tx, existing),
      });
      if (decision === 'answer') return { existing: true };
      if (decision === 'join') return { join: true };
      if (decision === 'refuse') throw belongsToAnother(runId);
      if (decision === 'tools_called') throw toolsCalled(existing);
    }
    const runnable = await runnableOf(tx, request);
    const attempt: Attempt = {
      org: request.org,
      playbook: request.playbook,
      runId,
      attempt: existing === undefined ? 1 : Number(existing.attempt) + 1,
      definition: { type: request.type, name: request.name, version: runnable.version },
      by: request.by,
      chain: request.chain ?? newChain(runId),
    };
    const [started] = await log.append(tx, {
      org: request.org,
      playbook: request.playbook,
      stream: streamOf(runId),
      ...traceOf(request),
      events: [await startedEvent(tx, attempt, request.input, digest, request.cause)],
    });
    if (started === undefined) throw new Error('An append answered without its event.');
    await putLease(tx, leaseOf(attempt));
    const startedPosition = Number(started.readPosition);
    return { begun: { attempt, startEventId: started.id, startedAt: started.metadata.at, startedPosition, runnable } };
  }

  async function mayCallTools(tx: ReadTransaction, row: RunRow): Promise<boolean> {
    const { mayCallTools: may }: Partial<FunctionKind> = kinds[row.type];
    if (row.status !== 'started' || may === undefined) return false;
    return may((await readVersion(tx, row, Number(row.definition_version))).source);
  }

  const leaseOf = ({ org, playbook, runId, attempt }: Attempt): Lease => ({
    org,
    playbook,
    run_id: runId,
    attempt,
    holder,
  });

  async function work(begun: Begun, request: RunInvocation, callers: AbortSignal): Promise<Ending | Waiting> {
    const { attempt, startEventId } = begun;
    const kind = kinds[request.type];
    if (isDurable(kind)) throw new Error(`Runs of ${request.type} are started otherwise.`);
    const signal = kind.outlivesCaller === true ? breakingOff.signal : AbortSignal.any([callers, breakingOff.signal]);
    const used = createAttemptTools({ log, tools, attempt, startEventId, signal, ...traceOf(request) });
    try {
      const ending = await carryOutKind(kind, begun, request, used, signal);
      if (ending.status === 'waiting') {
        waits.refuseUnoffered(attempt, ending.request);
        return ending;
      }
      const bounded = boundedEnding(ending);
      return bounded.status === 'failed' ? brokenOff(used.used(), bounded) : bounded;
    } catch (error) {
      const ending = endingOfError(error, attempt);
      return ending.status === 'failed' ? brokenOff(used.used(), ending) : ending;
    }
  }

  async function carryOutKind(
    kind: FunctionKind,
    { attempt, startedAt, startedPosition, runnable }: Begun,
    request: RunInvocation,
    attemptTools: AttemptTools,
    signal: AbortSignal,
  ): Promise<Ending | Waiting> {
    const { inputSchema, outputSchema, source } = runnable;
    if (inputSchema !== undefined) {
      const issues = await schemas.compileSchema(inputSchema).check(request.input, '/input');
      if (issues.length > 0) {
        const detail = `The input does not fit ${attempt.definition.type}/${attempt.definition.name}.`;
        return { status: 'rejected', rejection: { reason: 'invalid_input', detail, issues } };
      }
    }
    return kind.start({
      org: attempt.org,
      playbook: attempt.playbook,
      runId: attempt.runId,
      attempt: attempt.attempt,
      name: attempt.definition.name,
      version: attempt.definition.version,
      source,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      input: request.input,
      startedAt: Date.parse(startedAt),
      startedPosition,
      ...traceOf(request),
      signal,
      tools: attemptTools,
    });
  }

  function endingOfError(error: unknown, attempt: Attempt): Ending {
    if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
    logger.error({ err: error, run_id: attempt.runId }, 'A run failed.');
    return { status: 'failed', detail: 'The service failed while it carried out the run.' };
  }

  /** Records the ending, or that the run waits, unless somebody else has taken it over; answers how it then stands. */
  function end(begun: Begun, came: Ending | Waiting, request: RunInvocation): Promise<RunWithRecord> {
    const { attempt, runnable, startEventId } = begun;
    return log.write(async (tx) => {
      const isHeld = await dropLease(tx, leaseOf(attempt));
      if (!isHeld) return presentRun(tx, await requireRun(tx, attempt, attempt.runId));
      const isWanted = (await request.finish?.(tx)) ?? true;
      const ending = came.status === 'waiting' ? await wait(tx, begun, came, { ...request, isWanted }) : came;
      if (ending === undefined) return presentRun(tx, await requireRun(tx, attempt, attempt.runId));
      const [ended] = await log.append(tx, {
        org: attempt.org,
        playbook: attempt.playbook,
        stream: streamOf(attempt.runId),
        ...traceOf(request),
        events: [await endedEvent(tx, attempt, ending, runnable.shape, startEventId)],
      });
      const row = await requireRun(tx, attempt, attempt.runId);
      await tellWaiter(tx, row, ending, ended?.id ?? null);
      return presentRun(tx, row, ended);
    });
  }

  /** The run begins to wait for its request, or ends where nothing is to be waited for. */
  async function wait(
    tx: WriteTransaction,
    { attempt, startEventId, startedAt }: Begun,
    { request }: Waiting,
    asked: { isWanted: boolean; traceId?: string },
  ): Promise<Ending | undefined> {
    if (!asked.isWanted) {
      const detail = 'Whoever called the run no longer waited for it when its request was to be put.';
      return { status: 'rejected', rejection: { reason: 'cancelled', kind: 'parent_ended', detail } };
    }
    try {
      await requireActivePlaybook(tx, attempt);
    } catch (error) {
      if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
      throw error;
    }
    const start = { eventId: startEventId, at: Date.parse(startedAt) };
    return waits.begin(
      tx,
      attempt,
      request,
      asked.traceId === undefined ? start : { ...start, traceId: asked.traceId },
    );
  }

  function read(place: Place, runId: string): Promise<RunWithRecord> {
    return log.read(async (tx) => presentRun(tx, await requireRun(tx, place, runId)));
  }

  async function carryOutFunction(request: RunInvocation, runId: string): Promise<RunWithRecord> {
    const digest = sha256(canonicalJson(request.input));
    const key = liveKey(request, runId);
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const callers = createCallers(request.signal);
    try {
      const beginning = await log.write(async (tx) => {
        await request.begin?.(tx);
        const decided = await begin(tx, request, runId, digest);
        // From the very moment on in which the start is decided, a second request joins it.
        if ('begun' in decided) live.set(key, { settled, callers });
        if ('join' in decided) live.get(key)?.callers.join(request.signal);
        return decided;
      });
      if ('join' in beginning) await live.get(key)?.settled;
      return 'begun' in beginning
        ? await end(beginning.begun, await work(beginning.begun, request, callers.signal), request)
        : await read(request, runId);
    } finally {
      if (live.get(key)?.settled === settled) live.delete(key);
      callers.done();
      settle();
    }
  }

  /** Starts a run that may wait, or meets the one that its id has. */
  async function startDurable(request: RunInvocation, runId: string): Promise<RunWithRecord> {
    const inputSha256 = sha256(canonicalJson(request.input));
    for (;;) {
      const { existing, runnable } = await log.read((tx) => look(tx, request, runId, inputSha256));
      if (runnable === undefined) return existing;
      const start = { ...request, runId, inputSha256, chain: request.chain ?? newChain(runId) };
      const started = await durable.start(start, runnable, async (tx) => {
        await request.begin?.(tx);
        await requireActivePlaybook(tx, request);
        if ((await selectRun(tx, request, runId)) !== undefined) return false;
        if ((await runnableOf(tx, request)).version !== runnable.version) return false;
        await request.finish?.(tx);
        return true;
      });
      if (started !== undefined) return started;
    }
  }

  type Looked = { existing: RunWithRecord; runnable?: undefined } | { existing?: undefined; runnable: Runnable };

  async function look(tx: ReadTransaction, request: RunInvocation, runId: string, digest: string): Promise<Looked> {
    await requireActivePlaybook(tx, request);
    const row = await selectRun(tx, request, runId);
    if (row === undefined) return { runnable: await runnableOf(tx, request) };
    const asked = { type: request.type, name: request.name, inputSha256: digest };
    const decision = decideWorkflowRetry(row, asked);
    if (decision === 'refuse') throw belongsToAnother(runId);
    if (decision === 'refuse_again') {
      const detail = `The run ${runId} ended without a final result, and a workflow runs once under its id; send a new \`run_id\`.`;
      throw conflict(detail, 'unworkable');
    }
    return { existing: await presentRun(tx, row) };
  }

  /** An input that fails again and again ends its run: nothing stays started for ever. */
  const applyInput: TaskHandler = async (task, lease) => {
    const payload = task.payload as InputPayload;
    const finish = (tx: WriteTransaction): Promise<void> => lease.finish(tx);
    if (task.tries < MOST_TRIES) return durable.apply(task, payload, finish);
    logger.error(
      { run_id: payload.run_id, input: payload.kind },
      'A run is ended as failed: its input cannot be applied.',
    );
    return durable.fail(task, payload, finish);
  };

  const carryOut: Runs['carryOut'] = async (request) => {
    if (stopping) throw unavailable('The service is stopping; send the run again shortly.', { retryAfter: 1 });
    const starts = isDurable(kinds[request.type]) ? startDurable : carryOutFunction;
    return starts(request, request.runId);
  };

  const starting = createStarting({ log, carryOut, tellWaiter, isStopping: () => stopping });

  return {
    async run(request) {
      const { record: _record, ...run } = await carryOut({ ...request, runId: request.runId ?? ids() });
      return refuseUnlessSucceeded(run);
    },
    carryOut,
    handlers: {
      [INPUT_TASK]: applyInput,
      [RESUME_TASK]: applyInput,
      [START_TASK]: starting,
      [SLOW_START_TASK]: starting,
      [PERFORM_TASK]: performing.handle,
    },
    get: (place, runId) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, place);
        return presentRun(tx, await requireRun(tx, place, runId));
      }),
    list: (place, filter, after, limit) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, place);
        const rows = await selectRuns(tx, place, filter, after, limit);
        return rows.map((row) => ({ entry: listEntry(row), place: Number(row.started_position) }));
      }),
    cancel: (place, runId, { reason, by, traceId }) =>
      log.write(async (tx) => {
        await requireActivePlaybook(tx, place);
        const row = await requireRun(tx, place, runId);
        if (row.status !== 'started') {
          throw conflict(`The run ${runId} has ended (${row.status}) and cannot be cancelled.`);
        }
        if (!isDurable(kinds[row.type]) && !(await waits.isWaiting(tx, place, row.run_id))) {
          throw conflict(`The run ${runId} ends within the request that started it and cannot be cancelled.`);
        }
        await cancelling.request(tx, row, { kind: 'requested', detail: reason ?? `Asked for by ${by}.`, by, traceId });
        const { record: _record, ...run } = await presentRun(tx, row);
        return run;
      }),
    async startTriggered({ key, runnable, mayStart, trigger, depth, ...run }) {
      if (stopping) throw unavailable('The service is stopping.');
      const chain = { ...newChain(run.runId), depth, trigger };
      const by = `playbook:${key.playbook}`;
      const started = await durable.start({ ...key, ...run, by, chain }, runnable, async (tx) => {
        await requireActivePlaybook(tx, key);
        return mayStart(tx);
      });
      return started !== undefined;
    },
    async send(place, runId, event, by) {
      if (stopping) throw unavailable('The service is stopping; send the event again shortly.', { retryAfter: 1 });
      return mailbox.send(place, runId, event, by);
    },
    async playbookRetired(tx, place, by) {
      const request = { kind: 'requested', detail: `The playbook ${place.playbook} was retired.`, by } as const;
      for (const type of DEFINITION_TYPES) {
        for (let after = 0; ; ) {
          const rows = await selectStarted(tx, place, type, after, RUNS_A_PAGE);
          for (const row of rows) {
            const isWaiting = isDurable(kinds[type]) || (await waits.isWaiting(tx, place, row.run_id));
            if (isWaiting) await cancelling.request(tx, row, request);
          }
          if (rows.length < RUNS_A_PAGE) break;
          after = Number(rows.at(-1)?.started_position);
        }
      }
    },
    async endWaiting(tx, place, runId, ending, { eventId, by }) {
      const row = await requireRun(tx, place, runId);
      if (row.status !== 'started') return;
      const [ended] = await log.append(tx, {
        org: row.org,
        playbook: row.playbook,
        stream: streamOf(row.run_id),
        events: [await endedEvent(tx, attemptOf(row, by), ending, undefined, eventId)],
      });
      await tellWaiter(tx, row, ending, ended?.id ?? null);
    },
    goOn: () => log.read(selectAnyStarted),
    async endInterrupted() {
      for (let count = 0; ; ) {
        const leases = await log.read((tx) => selectDeadLeases(tx, holder, LEASES_A_PAGE));
        for (const lease of leases) await endDead(lease);
        count += leases.length;
        if (leases.length < LEASES_A_PAGE) return count;
      }
    },
    async stop() {
      stopping = true;
      const callOff = clock.wakeAt(clock.now() + STOP_PATIENCE_MS, () => breakingOff.abort());
      await Promise.allSettled([...live.values()].map(({ settled }) => settled));
      callOff();
    },
  };

  async function endDead(lease: Lease): Promise<void> {
    await log.write(async (tx) => {
      const run = await selectRun(tx, lease, lease.run_id);
      if (!(await dropLease(tx, lease)) || run === undefined || run.status !== 'started') return;
      const attempt = attemptOf(run, 'runtime');
      const ending = brokenOff(run.tools_called, { status: 'failed', detail: 'interrupted' });
      await log.append(tx, {
        org: run.org,
        playbook: run.playbook,
        stream: streamOf(run.run_id),
        events: [await endedEvent(tx, attempt, ending, undefined, run.attempt_event_id)],
      });
    });
  }
}

function traceOf({ traceId }: RunInvocation): { traceId?: string } {
  return traceId === undefined ? {} : { traceId };
}

/** The chain of a run that a caller started. */
function newChain(runId: string): Chain {
  return { top: runId, callDepth: 0, depth: 0 };
}

function toolsCalled({ run_id: runId, status, tools_called: called }: RunRow): Refused {
  const onlyRead = status !== 'started' && called === 'reads';
  const why = status === 'started' ? 'still goes on and may call tools' : 'called tools and has no final result';
  const detail = `The run ${runId} ${why}: it is not run again under its id; send a new \`run_id\`${onlyRead ? ', which is safe, since it only read' : ' where doing it twice does no harm'}.`;
  const because = onlyRead ? { because: 'only_read' } : {};
  const rejection = { reason: 'conflict', kind: 'tools_called', ...because, detail } as const;
  return new Refused(rejection, { problem: 'tools_called', members: { run_id: runId } });
}

function belongsToAnother(runId: string): Refused {
  return conflict(`The run ${runId} belongs to another definition or another input; send a new \`run_id\`, or none.`);
}

// Runs: one execution of a definition each, known by its run id.
//
// 1. A run has one final result. The same id with the same definition and input meets it; any other is refused.
// 2. A run is started in an attempt (attempts/), which holds a lease. A run of a kind that runs once is started by one
//    transaction, without a lease (durable/).
// 3. A run that waits has no lease: it is moved by transactions of its own (durable/).
import type { Logger } from 'pino';
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Run, RunListEntry, RunWithRecord } from '../../../shared/schemas/index.ts';
import { createRunnables } from '../definitions/index.ts';
import { type Publishing, requirePublishedEvent } from '../events/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { inOrder } from '../../lib/in-order.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import { conflict, invalidInput, unavailable } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Stopping } from '../../kernel/stopping.ts';
import { limitingDeaths, type TaskHandler, type Tasks } from '../../kernel/tasks/index.ts';
import type { CloudEvent } from '../../kinds/durable.ts';
import type { Kind } from '../../kinds/kind.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import type { Tools } from '../tools/index.ts';
import type { RunWait } from '../../operations/index.ts';
import { createAttempts } from './attempts/attempts.ts';
import { createAwaitEnd } from './await-end.ts';
import { createStartOnce } from './start-once.ts';
import { createWithAwaited } from './durable/waits-for.ts';
import { type Cancelling, createCancelling } from './durable/cancel.ts';
import { createCommands, readListener, RUN_REACTION } from './durable/commands.ts';
import { createDurableRuns, type DurableRunsOptions } from './durable/durable-runs.ts';
import {
  givenUpTask,
  INPUT_TASK,
  type InputPayload,
  inputTask,
  PERFORM_TASK,
  PROCESS_DIED,
  RESUME_TASK,
  SLOW_START_TASK,
  START_TASK,
} from './durable/run-tasks.ts';
import { createMailbox } from './durable/mailbox.ts';
import { createPerforming } from './durable/external-calls.ts';
import { createRecording } from './durable/record-decision.ts';
import type { WithCaller } from './durable/with-caller.ts';
import { createStartCalled, createStarting, type StartCalled } from './durable/called-runs.ts';
import { createUploads, type Uploads } from './durable/uploads.ts';
import { findRuns, type RunFilter } from './finding/index.ts';
import { endInterrupted } from './attempts/interrupted.ts';
import type { RunInvocation, TextPiece, TriggeredRun } from './durable/invocation.ts';
import { presentEntry, presentRun, refuseUnlessSucceeded, requireRun, withoutRecord } from './history/present.ts';
import { newChain } from './history/events.ts';
import { isWaiting, LEFT_BY_STOP, selectLeaseHolders } from './history/leases.ts';
import { type RunRow, selectAnyStarted, selectStarted } from './history/sql.ts';
import { createRerun, type RerunRequest } from './rerun/rerun.ts';
import { createNotifyWaiter } from './durable/waiter.ts';
import type { RunRequests } from './durable/requests.ts';

export interface Runs {
  /** Carries out a definition, or meets what its run id already has. @throws Refused when the run did not succeed */
  run(invocation: RunInvocation): Promise<Run>;
  /** Runs a workflow again from a step. @throws Refused also when the new run was rejected within the request */
  rerun(request: Omit<RerunRequest, 'runId'> & { runId: string | undefined } & Waited): Promise<Run>;
  get(playbookKey: PlaybookKey, runId: string): Promise<RunWithRecord>;
  /** @throws Refused `not_found`; what follows is as `Attempts.follow` gives it */
  follow(playbookKey: PlaybookKey, runId: string, signal: AbortSignal): Promise<AsyncIterable<TextPiece>>;
  /** Newest first. @param after the position that the last page ended with */
  list(playbookKey: PlaybookKey, filter: ListedRuns, after: number | undefined, limit: number): Promise<RunList>;
  /** As `run`, but a run that was recorded is answered however it ended. @throws Refused where none was recorded */
  carryOut(invocation: RunInvocation & { runId: string }): Promise<RunWithRecord>;
  /** Asks a run that waits to stop. @throws Refused `conflict` for a run that has ended or that does not wait */
  cancel(
    playbookKey: PlaybookKey,
    runId: string,
    request: { reason: string | undefined; by: string; traceId: string },
  ): Promise<Run>;
  /** Delivers an event to a workflow run in progress. @throws Refused `not_found`, `unavailable` */
  send(
    playbookKey: PlaybookKey,
    runId: string,
    event: JsonObject,
    by: string,
  ): Promise<{ run_id: string; event: CloudEvent }>;
  /** The playbook was retired: every run of it that waits is asked to stop. */
  playbookRetired(tx: WriteTransaction, playbookKey: PlaybookKey, by: string): Promise<void>;
  /** Starts a run for a trigger; false when `mayStart`, asked in the transaction that records it, says no. */
  startTriggered(run: TriggeredRun): Promise<boolean>;
  /** Records the ending of a run with what the run that waits for it does next. */
  withCaller: WithCaller;
  startCalled: StartCalled;
  /** A run that was started by `startCalled` is not begun, or is asked to stop; no task gets how it ended. */
  cancelCalled: Cancelling['cancelCalled'];
  /** What runs expect to be uploaded to them. */
  uploads: Uploads;
  /** What carries out the tasks of runs that wait. */
  handlers: Readonly<Record<string, TaskHandler>>;
  /** Whether any run is in progress. */
  goOn(): Promise<boolean>;
  /**
   * Ends, as failed, every attempt that another process start left behind. Answers how many.
   * @param holders those whose lease has expired, where several processes share the store
   */
  endInterrupted(holders?: readonly string[]): Promise<number>;
  /** Everyone who holds an attempt. */
  attemptHolders(): Promise<string[]>;
  /** Answers when the runs in progress have ended, or are left to the next start. New ones are refused since the stop began. */
  stop(): Promise<void>;
}

/** How long a caller waits for the end of a run. */
type Waited = Pick<RunInvocation, 'wait' | 'signal'>;

export interface RunList {
  entries: RunListEntry[];
  /** The position that the next page follows; undefined if there is none. */
  end: number | undefined;
  /** When the oldest run started that was looked at, for a search that stopped before the page was full. */
  searchedTo?: string;
}

/** `event`: the id of the record of an event or, with its source, the event's own id. */
type ListedRuns = RunFilter & { eventSource?: string | undefined };

export interface RunsOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  clock: Clock;
  ids: Ids;
  tasks: Tasks;
  publishing: Publishing;
  tools: Tools;
  requests: RunRequests;
  /** Called in the transaction that ends a run that a trigger started. */
  triggeredRunEnded: DurableRunsOptions['triggeredRunEnded'];
  /** This process start: the holder of its leases. */
  holder: string;
  logger: Logger;
  stopping: Stopping;
}

const RUNS_A_PAGE = 500;
/** How often applying an input is tried. The waits between grow, so that a full disk has time to be emptied. */
const MOST_TRIES = 12;

export function createRuns(options: RunsOptions): Runs {
  const { log, kinds, schemas, clock, ids, tasks, publishing, requests, logger } = options;
  const notifyWaiter = createNotifyWaiter(tasks, clock);
  const withAwaited = createWithAwaited(kinds, requests);
  const { triggeredRunEnded } = options;
  const cancelling = createCancelling({ log, tasks, clock, kinds, requests });
  const commands = createCommands({ tasks, publishing, cancelling, kinds });
  const record = createRecording({ log, ids, carryOut: commands, requests });
  const durable = createDurableRuns({
    log,
    clock,
    ids,
    kinds,
    schemas,
    record,
    tasks,
    notifyWaiter,
    triggeredRunEnded,
    graceOver: options.stopping.graceOver,
  });
  publishing.onPublished(RUN_REACTION, async (tx, playbookKey, { subscriber, listener }, { id }) => {
    const { listener: number, ...attempt } = readListener(listener);
    const data = { listener: number, published: id };
    const input = { run_id: subscriber, ...attempt, kind: 'event_received', key: id, data, cause: id } as const;
    const task = inputTask(input, clock.now());
    // An event may reach several listens of a run, each with an input of its own.
    await tasks.add(tx, playbookKey, { ...task, key: `${task.key} ${listener}` });
    return { run_id: subscriber, effect: 'receives' };
  });
  const uploads = createUploads({ tasks, clock });
  const mailbox = createMailbox({ log, tasks, clock, ids, kinds });
  const runnableOf = createRunnables();
  const attempts = createAttempts({ ...options, notifyWaiter, withCaller: durable.withCaller, record });
  const awaitEnd = createAwaitEnd({ log, clock, stopping: options.stopping.begun });
  const startOnce = createStartOnce({ log, durable, runnableOf });
  const isStopping = (): boolean => options.stopping.begun.aborted;

  const presentWhole = async (tx: ReadTransaction, row: RunRow): Promise<RunWithRecord> =>
    withAwaited.stored(tx, row, await presentRun(tx, row));

  /** An input that fails repeatedly ends its run, so that no run stays in progress forever. */
  const applyInput: TaskHandler = async (task, lease) => {
    const payload = task.payload as InputPayload;
    const finish = (tx: WriteTransaction): Promise<void> => lease.finish(tx);
    if (task.tries < MOST_TRIES) return durable.apply(task, payload, finish);
    logger.error(
      { run_id: payload.run_id, input: payload.kind },
      'A run was ended as failed because its input cannot be applied.',
    );
    return durable.fail(task, payload, finish);
  };

  const giveUp: TaskHandler = (task, lease) =>
    log.write(task, async (tx) => {
      await lease.finish(tx);
      await tasks.add(tx, task, givenUpTask(task.payload as InputPayload, PROCESS_DIED, clock.now()));
    });

  const carryOut: Runs['carryOut'] = async (request) => {
    if (isStopping()) throw unavailable('The service is stopping; send the run again shortly.', { retryAfter: 1 });
    const { type, runId } = request;
    return kinds[type].traits.runsOnce === true ? startOnce(request, runId) : attempts.carryOut(request, runId);
  };

  /** The run after the wait for its end: as it ended, or as it is then. */
  async function endOf(run: Run, request: PlaybookKey & Waited, wait: RunWait): Promise<Run> {
    if (run.status !== 'started') return run;
    await awaitEnd(request, run.run_id, wait, request.signal);
    return withoutRecord(await log.read(async (tx) => presentWhole(tx, await requireRun(tx, request, run.run_id))));
  }

  /** A run that was started, as its caller gets it. @throws Refused when it did not succeed */
  async function answered(run: Run, request: PlaybookKey & Waited & Pick<RunInvocation, 'isNewId'>): Promise<Run> {
    const { traits } = kinds[run.type];
    if (request.wait !== undefined) return refuseUnlessSucceeded(await endOf(run, request, request.wait), traits);
    // A run that happens once may have failed long after its start, and is read like any other.
    if (run.status === 'failed' && traits.runsOnce === true) return run;
    if (run.status !== 'started') return refuseUnlessSucceeded(run, traits);
    // One that was there already may have been moved by another server.
    const known = request.isNewId === true ? durable.known(request, run.run_id) : undefined;
    const withKnown = known && (await withAwaited.known(known, run));
    if (withKnown !== undefined) return withKnown;
    return log.read(async (tx) => withAwaited.stored(tx, await requireRun(tx, request, run.run_id), run));
  }

  const rerun = createRerun({ log, kinds, durable, runnableOf });

  const starting = createStarting({
    log,
    tasks,
    carryOut,
    notifyWaiter,
    known: (playbookKey, runId) => durable.known(playbookKey, runId),
    isStopping,
  });

  return {
    async run(request) {
      refuseModel(kinds[request.type], request);
      const { runId = ids() } = request;
      const asked = { ...request, runId, isNewId: request.runId === undefined };
      return answered(withoutRecord(await carryOut(asked)), asked);
    },
    async rerun(request) {
      if (isStopping()) throw unavailable('The service is stopping; send the rerun again shortly.', { retryAfter: 1 });
      return answered(withoutRecord(await rerun({ ...request, runId: request.runId ?? ids() })), request);
    },
    carryOut,
    withCaller: durable.withCaller,
    startCalled: createStartCalled({ tasks, clock, kinds }),
    cancelCalled: (tx, run, request) => cancelling.cancelCalled(tx, run, request),
    uploads,
    handlers: {
      [INPUT_TASK]: limitingDeaths(applyInput, giveUp),
      [RESUME_TASK]: limitingDeaths(applyInput, giveUp),
      [START_TASK]: starting,
      [SLOW_START_TASK]: starting,
      [PERFORM_TASK]: createPerforming({ log, tasks, clock, kinds, graceOver: options.stopping.graceOver }),
    },
    get: (playbookKey, runId) =>
      log.read(async (tx) =>
        presentWhole(tx, await inOrder(requirePlaybook(tx, playbookKey), requireRun(tx, playbookKey, runId))),
      ),
    async follow(playbookKey, runId, signal) {
      await log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        await requireRun(tx, playbookKey, runId);
      });
      return attempts.follow(playbookKey, runId, signal);
    },
    list: (playbookKey, { event, eventSource, ...filter }, after, limit) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        const started =
          event === undefined ? {} : { event: await requirePublishedEvent(tx, playbookKey, event, eventSource) };
        const { rows, last, isBounded } = await findRuns(tx, playbookKey, { ...filter, ...started }, after, limit);
        const entries: RunListEntry[] = [];
        for (const row of rows) entries.push(await withAwaited.stored(tx, row, await presentEntry(tx, row)));
        return {
          entries,
          end: last?.position,
          ...(last !== undefined && isBounded ? { searchedTo: last.startedAt } : {}),
        };
      }),
    cancel: (playbookKey, runId, { reason, by, traceId }) =>
      log.write(playbookKey, async (tx) => {
        await requireActivePlaybook(tx, playbookKey);
        const row = await requireRun(tx, playbookKey, runId);
        if (row.status !== 'started') {
          throw conflict(`The run ${runId} has ended (${row.status}) and cannot be cancelled.`);
        }
        if (!(await isWaiting(tx, row))) {
          throw conflict(`The run ${runId} ends within the request that started it and cannot be cancelled.`);
        }
        await cancelling.request(tx, row, { kind: 'requested', detail: reason ?? `Requested by ${by}.`, by, traceId });
        return withoutRecord(await presentWhole(tx, row));
      }),
    async startTriggered({ key, runnable, mayStart, trigger, depth, by = `playbook:${key.playbook}`, ...run }) {
      if (isStopping()) throw unavailable('The service is stopping.');
      const chain = { ...newChain(run.runId), depth, trigger };
      const started = await durable.start({ ...key, ...run, by, chain }, runnable, async (tx) => {
        await requireActivePlaybook(tx, key);
        return mayStart(tx);
      });
      return started !== undefined;
    },
    async send(playbookKey, runId, event, by) {
      if (isStopping()) throw unavailable('The service is stopping; send the event again shortly.', { retryAfter: 1 });
      return mailbox.send(playbookKey, runId, event, by);
    },
    async playbookRetired(tx, playbookKey, by) {
      const request = { kind: 'requested', detail: `The playbook ${playbookKey.playbook} was retired.`, by } as const;
      for (const type of DEFINITION_TYPES) {
        for (let after = 0; ; ) {
          const rows = await selectStarted(tx, playbookKey, type, after, RUNS_A_PAGE);
          for (const row of rows) {
            if (await isWaiting(tx, row)) await cancelling.request(tx, row, request);
          }
          if (rows.length < RUNS_A_PAGE) break;
          after = Number(rows.at(-1)?.started_position);
        }
      }
    },
    goOn: async () => attempts.inProgress() || (await log.read(selectAnyStarted)),
    async endInterrupted(holders) {
      if (holders === undefined) return endInterrupted(log, { allBut: options.holder });
      let ended = 0;
      for (const holder of [...holders, LEFT_BY_STOP]) ended += await endInterrupted(log, { holder });
      return ended;
    },
    attemptHolders: () => log.read(selectLeaseHolders),
    stop: () => attempts.stop(),
  };
}

/** A run that calls no model would ignore it. @throws Refused `invalid_input` */
function refuseModel({ traits }: Kind, { type, name, model }: RunInvocation): void {
  if (model === undefined || traits.needsModel === true) return;
  const detail = `${type}/${name} calls no model itself; leave \`model\` out. Only reasoning functions take it.`;
  throw invalidInput([{ pointer: '/model', detail }]);
}

// Runs: one execution of a definition each, known by its run id. What happens when a run is requested is described step by
// step in docs/decisions/run-path.md.
//
// 1. A run has one final result. The same id with the same definition and input returns it; any other is refused.
// 2. A run is started in an attempt (attempts/), which holds a lease if its start is committed by itself. A run of a kind that
//    runs once (a workflow) is started by one transaction, without a lease (durable/).
// 3. A run that waits has no lease. Its inputs move it one after the other, each in one transaction (durable/).
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Run } from '../../../shared/schemas/index.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { invalidInput, unavailable } from '../../lib/rejection.ts';
import { Runnables } from '../definitions/index.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import { Attempts } from './attempts/attempts.ts';
import { endInterrupted } from './attempts/interrupted.ts';
import { createAwaitEnd, type AwaitEnd } from './await-end.ts';
import { createInputHandler } from './durable/apply-input.ts';
import { createStartCalled, createStarting } from './durable/called-runs.ts';
import { Cancelling } from './durable/cancel.ts';
import { createCommands } from './durable/commands.ts';
import { createDurableContext, type DurableContext } from './durable/context.ts';
import { createPerforming } from './durable/external-calls.ts';
import type { RunInvocation } from './durable/invocation.ts';
import { createMailbox, receivePublished } from './durable/mailbox.ts';
import { createRecording } from './durable/record-decision.ts';
import { INPUT_TASK, PERFORM_TASK, RESUME_TASK, SLOW_START_TASK, START_TASK } from './durable/run-tasks.ts';
import { startRun } from './durable/start-run.ts';
import { stateKey, type States } from './durable/states.ts';
import { createUploads } from './durable/uploads.ts';
import { createNotifyWaiter } from './durable/waiter.ts';
import { createWithAwaited, type WithAwaited } from './durable/waits-for.ts';
import { newChain } from './history/events.ts';
import { LEFT_BY_STOP, selectLeaseHolders } from './history/leases.ts';
import { presentRun, requireRun, withoutRecord, refuseUnlessSucceeded } from './history/present.ts';
import { selectAnyStarted } from './history/sql.ts';
import type { Runs, Waited, RunsOptions } from './interface.ts';
import { readRun, listRuns } from './read-runs.ts';
import { createRerun } from './rerun/rerun.ts';
import { createStartOnce } from './start-once.ts';

export function createRuns(options: RunsOptions): Runs {
  const { log, kinds, clock, ids, tasks, stopping } = options;
  const { durable, cancelling, attempts, withAwaited } = createParts(options);
  const awaitEnd = createAwaitEnd({ log, clock, stopping: stopping.begun });
  const responding = { log, kinds, states: durable.states, withAwaited, awaitEnd };
  const runnables = new Runnables();
  const startOnce = createStartOnce({ log, durable, runnables });
  const rerun = createRerun({ log, kinds, durable, runnables });
  const mailbox = createMailbox({ log, tasks, clock, ids, kinds });

  const refuseWhileStopping = (request: string): void => {
    if (!stopping.begun.aborted) return;
    throw unavailable(`The service is stopping; send the ${request} again shortly.`, { retryAfter: 1 });
  };

  const runOrFind: Runs['runOrFind'] = async (request) => {
    refuseWhileStopping('run');
    const { type, runId } = request;
    return kinds[type].traits.runsOnce === true ? startOnce(request, runId) : attempts.run(request, runId);
  };

  return {
    async run(request) {
      refuseModel(kinds[request.type], request);
      const named = { ...request, runId: request.runId ?? ids(), isNewId: request.runId === undefined };
      return respond(responding, withoutRecord(await runOrFind(named)), named);
    },
    async rerun(request) {
      refuseWhileStopping('rerun');
      const run = await rerun({ ...request, runId: request.runId ?? ids() });
      return respond(responding, withoutRecord(run), request);
    },
    runOrFind,
    withCaller: durable.withCaller,
    startCalled: createStartCalled({ tasks, clock, kinds }),
    cancelCalled: (tx, run, request) => cancelling.cancelCalled(tx, run, request),
    uploads: createUploads({ tasks, clock }),
    handlers: createHandlers(options, durable, runOrFind),
    get: (playbookKey, runId) => readRun(responding, playbookKey, runId),
    list: (playbookKey, filter, after, limit) => listRuns(responding, playbookKey, filter, after, limit),
    async follow(playbookKey, runId, signal) {
      await log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        await requireRun(tx, playbookKey, runId);
      });
      return attempts.follow(playbookKey, runId, signal);
    },
    cancel: (playbookKey, runId, request) =>
      log.write(playbookKey, async (tx) => {
        const row = await cancelling.cancel(tx, playbookKey, runId, request);
        return withAwaited.stored(tx, row, withoutRecord(await presentRun(tx, row)));
      }),
    async startTriggered({ key, runnable, mayStart, trigger, depth, by = `playbook:${key.playbook}`, ...run }) {
      if (stopping.begun.aborted) throw unavailable('The service is stopping.');
      const chain = { ...newChain(run.runId), depth, trigger };
      const started = await startRun(durable, { ...key, ...run, by, chain }, runnable, async (tx) => {
        await requireActivePlaybook(tx, key);
        return mayStart(tx);
      });
      return started !== undefined;
    },
    async send(playbookKey, runId, event, by) {
      refuseWhileStopping('event');
      return mailbox.send(playbookKey, runId, event, by);
    },
    playbookRetired(tx, playbookKey, by) {
      const detail = `The playbook ${playbookKey.playbook} was retired.`;
      return cancelling.cancelAll(tx, playbookKey, { kind: 'requested', detail, by });
    },
    goOn: async () => attempts.areAny || (await log.read(selectAnyStarted)),
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

/** The parts that run, from those that record to those that execute. */
function createParts(options: RunsOptions) {
  const { log, kinds, clock, ids, tasks, publishing, requests, stopping } = options;
  const notifyWaiter = createNotifyWaiter(tasks, clock);
  const cancelling = new Cancelling({ log, tasks, clock, kinds, requests });
  const commands = createCommands({ tasks, publishing, cancelling, kinds });
  const record = createRecording({ log, ids, applyCommand: commands, requests });
  const withAwaited = createWithAwaited(kinds, requests);
  const durable = createDurableContext({
    ...options,
    record,
    notifyWaiter,
    withAwaited,
    graceOver: stopping.graceOver,
    stopping: stopping.begun,
  });
  const attempts = new Attempts({ ...options, notifyWaiter, withCaller: durable.withCaller, record });
  receivePublished({ publishing, tasks, clock });
  return { durable, cancelling, attempts, withAwaited };
}

function createHandlers(
  { log, tasks, clock, kinds, logger, stopping }: RunsOptions,
  durable: DurableContext,
  runOrFind: Runs['runOrFind'],
): Runs['handlers'] {
  const inputs = createInputHandler(durable, { tasks, logger });
  const starts = createStarting({
    log,
    tasks,
    runOrFind,
    notifyWaiter: durable.notifyWaiter,
    known: (playbookKey, runId) => durable.states.get(stateKey(playbookKey, runId)),
    isStopping: () => stopping.begun.aborted,
  });
  return {
    [INPUT_TASK]: inputs,
    [RESUME_TASK]: inputs,
    [START_TASK]: starts,
    [SLOW_START_TASK]: starts,
    [PERFORM_TASK]: createPerforming({ log, tasks, clock, kinds, graceOver: stopping.graceOver }),
  };
}

/** A run that calls no model would ignore it. @throws Refused `invalid_input` */
function refuseModel({ traits }: Kind, { type, name, model }: RunInvocation): void {
  if (model === undefined || traits.needsModel === true) return;
  const detail = `${type}/${name} calls no model itself; leave \`model\` out. Only reasoning functions take it.`;
  throw invalidInput([{ pointer: '/model', detail }]);
}

interface RespondOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  states: States;
  withAwaited: WithAwaited;
  awaitEnd: AwaitEnd;
}

/** The run as it ended, or as it is now, for its caller. @throws Refused when it did not succeed */
async function respond(
  { log, kinds, states, withAwaited, awaitEnd }: RespondOptions,
  run: Run,
  request: PlaybookKey & Waited & Pick<RunInvocation, 'isNewId'>,
): Promise<Run> {
  const { traits } = kinds[run.type];
  if (request.wait !== undefined && run.status === 'started') {
    await awaitEnd(request, run.run_id, request.wait, request.signal);
    const now = await log.read(async (tx) => {
      const row = await requireRun(tx, request, run.run_id);
      return withAwaited.stored(tx, row, await presentRun(tx, row));
    });
    return refuseUnlessSucceeded(withoutRecord(now), traits);
  }
  // A run that happens once may have failed long after its start, and is read like any other.
  if (run.status === 'failed' && traits.runsOnce === true && request.wait === undefined) return run;
  if (run.status !== 'started') return refuseUnlessSucceeded(run, traits);
  if (run.waits_for !== undefined) return run;
  // Another server may have moved a run that existed before.
  const state = request.isNewId === true ? states.get(stateKey(request, run.run_id)) : undefined;
  const fromMemory = state && (await withAwaited.known(state, run));
  if (fromMemory !== undefined) return fromMemory;
  return log.read(async (tx) => withAwaited.stored(tx, await requireRun(tx, request, run.run_id), run));
}

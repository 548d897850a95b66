// Runs: one execution of a definition each, known by its run id.
//
// 1. A run has one final result. The same id with the same definition and input meets it; any other is refused.
// 2. `run_started` is committed before the kind works, and one ending after it. An attempt whose ending is not
//    recorded is ended as failed when that is noticed; a run without a final result may be attempted again.
// 3. An attempt is held by a lease of this process start. An ending is recorded only by whoever holds the lease.
import type { Logger } from 'pino';
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { Json } from '../../shared/json.ts';
import type { Run, RunListEntry, RunWithRecord } from '../../shared/schemas/index.ts';
import { createRunnables, type DefinitionKey, type Runnable } from '../definitions/index.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { sha256 } from '../kernel/contents/index.ts';
import type { Ids } from '../kernel/ids.ts';
import type { EventLog, Place, WriteTransaction } from '../kernel/log/index.ts';
import { conflict, Refused, unavailable } from '../kernel/rejection.ts';
import type { SchemaChecker } from '../kernel/schemas/index.ts';
import type { Ending, Kind } from '../kinds/kind.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import { listEntry, presentRun, refuseUnlessSucceeded, requireRun, streamOf } from './present.ts';
import { type Attempt, boundedEnding, endedEvent, startedEvent } from './record.ts';
import { decideRetry } from './retry.ts';
import { dropLease, type Lease, putLease, type RunFilter, selectDeadLeases, selectRun, selectRuns } from './sql.ts';

export interface RunInvocation extends DefinitionKey {
  /** Made by the service when the caller names none. */
  runId: string | undefined;
  input: Json;
  by: string;
  traceId: string;
  signal: AbortSignal;
}

export interface Runs {
  /** Carries out a definition, or meets what its run id already has. @throws Refused when the run did not succeed */
  run(invocation: RunInvocation): Promise<Run>;
  get(place: Place, runId: string): Promise<RunWithRecord>;
  list(place: Place, filter: RunFilter, after: number | undefined, limit: number): Promise<RunPlace[]>;
  /** Always refuses by now: runs of functions end within their request. */
  cancel(place: Place, runId: string): Promise<Run>;
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
  ids: Ids;
  /** This process start: the holder of its leases. */
  holder: string;
  logger: Logger;
}

const LEASES_A_PAGE = 100;

/** What an attempt needs once it is recorded. */
interface Begun {
  attempt: Attempt;
  startEventId: string;
  startedAt: string;
  runnable: Runnable;
}

type Beginning = { begun: Begun } | { existing: true } | { join: true };

export function createRuns({ log, kinds, schemas, ids, holder, logger }: RunsOptions): Runs {
  const live = new Map<string, Promise<void>>();
  const runnableOf = createRunnables();
  let stopping = false;

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
      const decision = decideRetry(
        existing,
        { type: request.type, name: request.name, inputSha256: digest },
        live.has(liveKey(request, runId)),
      );
      if (decision === 'answer') return { existing: true };
      if (decision === 'join') return { join: true };
      if (decision === 'refuse') {
        throw conflict(
          `The run ${runId} belongs to another definition or another input; send a new \`run_id\`, or none.`,
        );
      }
    }
    const runnable = await runnableOf(tx, request);
    const attempt: Attempt = {
      org: request.org,
      playbook: request.playbook,
      runId,
      attempt: existing === undefined ? 1 : Number(existing.attempt) + 1,
      definition: { type: request.type, name: request.name, version: runnable.version },
      by: request.by,
    };
    const [started] = await log.append(tx, {
      org: request.org,
      playbook: request.playbook,
      stream: streamOf(runId),
      traceId: request.traceId,
      events: [await startedEvent(tx, attempt, request.input, digest)],
    });
    if (started === undefined) throw new Error('An append answered without its event.');
    await putLease(tx, leaseOf(attempt));
    return { begun: { attempt, startEventId: started.id, startedAt: started.metadata.at, runnable } };
  }

  const leaseOf = ({ org, playbook, runId, attempt }: Attempt): Lease => ({
    org,
    playbook,
    run_id: runId,
    attempt,
    holder,
  });

  async function work(begun: Begun, request: RunInvocation): Promise<Ending> {
    const { attempt, startedAt } = begun;
    const { inputSchema, outputSchema, source } = begun.runnable;
    try {
      if (inputSchema !== undefined) {
        const issues = await schemas.compileSchema(inputSchema).check(request.input, '/input');
        if (issues.length > 0) {
          const detail = `The input does not fit ${attempt.definition.type}/${attempt.definition.name}.`;
          return { status: 'rejected', rejection: { reason: 'invalid_input', detail, issues } };
        }
      }
      const ending = await kinds[request.type].start({
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
        signal: request.signal,
      });
      return boundedEnding(ending);
    } catch (error) {
      return endingOfError(error, attempt);
    }
  }

  function endingOfError(error: unknown, attempt: Attempt): Ending {
    if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
    logger.error({ err: error, run_id: attempt.runId }, 'A run failed.');
    return { status: 'failed', detail: 'The service failed while it carried out the run.' };
  }

  /** Records the ending, unless somebody else has taken the run over; answers the run as it then stands. */
  function end(
    { attempt, runnable, startEventId }: Begun,
    ending: Ending,
    request: RunInvocation,
  ): Promise<RunWithRecord> {
    return log.write(async (tx) => {
      const isHeld = await dropLease(tx, leaseOf(attempt));
      if (!isHeld) return presentRun(tx, await requireRun(tx, attempt, attempt.runId));
      const [ended] = await log.append(tx, {
        org: attempt.org,
        playbook: attempt.playbook,
        stream: streamOf(attempt.runId),
        traceId: request.traceId,
        events: [await endedEvent(tx, attempt, ending, runnable.shape, startEventId)],
      });
      return presentRun(tx, await requireRun(tx, attempt, attempt.runId), ended);
    });
  }

  function read(place: Place, runId: string): Promise<RunWithRecord> {
    return log.read(async (tx) => presentRun(tx, await requireRun(tx, place, runId)));
  }

  return {
    async run(request) {
      if (stopping) throw unavailable('The service is stopping; send the run again shortly.', { retryAfter: 1 });
      const runId = request.runId ?? ids();
      const digest = sha256(canonicalJson(request.input));
      const key = liveKey(request, runId);
      let settle: () => void = () => {};
      const settled = new Promise<void>((resolve) => {
        settle = resolve;
      });
      try {
        const beginning = await log.write(async (tx) => {
          const decided = await begin(tx, request, runId, digest);
          // From the very moment on in which the start is decided, a second request joins it.
          if ('begun' in decided) live.set(key, settled);
          return decided;
        });
        if ('join' in beginning) await live.get(key);
        const { record: _record, ...run } =
          'begun' in beginning
            ? await end(beginning.begun, await work(beginning.begun, request), request)
            : await read(request, runId);
        return refuseUnlessSucceeded(run);
      } finally {
        if (live.get(key) === settled) live.delete(key);
        settle();
      }
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
    cancel: (place, runId) =>
      log.read(async (tx) => {
        await requireActivePlaybook(tx, place);
        const { status } = await requireRun(tx, place, runId);
        throw status === 'started'
          ? conflict(`The run ${runId} ends within the request that started it and cannot be cancelled.`)
          : conflict(`The run ${runId} has ended (${status}) and cannot be cancelled.`);
      }),
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
      await Promise.allSettled(live.values());
    },
  };

  async function endDead(lease: Lease): Promise<void> {
    await log.write(async (tx) => {
      const run = await selectRun(tx, lease, lease.run_id);
      if (!(await dropLease(tx, lease)) || run === undefined || run.status !== 'started') return;
      const attempt: Attempt = {
        org: run.org,
        playbook: run.playbook,
        runId: run.run_id,
        attempt: Number(run.attempt),
        definition: { type: run.type, name: run.name, version: Number(run.definition_version) },
        by: 'runtime',
      };
      const ending: Ending = { status: 'failed', detail: 'interrupted' };
      await log.append(tx, {
        org: run.org,
        playbook: run.playbook,
        stream: streamOf(run.run_id),
        events: [await endedEvent(tx, attempt, ending, undefined, run.attempt_event_id)],
      });
    });
  }
}

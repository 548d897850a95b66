// Attempts of runs: each ends its run, or decides what it waits for.
//
// 1. `run_started` is committed before the kind works, and one ending after it. An attempt whose ending is not
//    recorded is ended as failed by the next process start (interrupted.ts); a run without a final result may be
//    attempted again.
// 2. An attempt is held by a lease of this process start. An ending or the beginning of a wait is recorded only by the
//    holder of the lease, and gives it up. From then on a run that waits is moved by its inputs (durable/).
// 3. An attempt that has not ended when the grace of a stop is over records no ending, as if the process had crashed.
import type { Logger } from 'pino';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { RunWithRecord } from '../../../shared/schemas/index.ts';
import { type createRunnables, readVersion, type Runnable } from '../definitions/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { untilAborted } from '../../lib/deadline.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Stopping } from '../../kernel/stopping.ts';
import type { Waiting } from '../../kinds/durable.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Ending, RunRequest } from '../../kinds/run.ts';
import { requireActivePlaybook } from '../playbooks/index.ts';
import type { Tools } from '../tools/index.ts';
import { type Callers, createCallers } from './callers.ts';
import type { RunInvocation } from './invocation.ts';
import type { RecordDecision } from './durable/recording.ts';
import { createLiveText, type LiveText, type TextPiece } from './live-text.ts';
import { presentRun, requireRun, streamOf } from './present.ts';
import { type Attempt, boundedEnding, newChain, startedEvent } from './record.ts';
import { belongsToAnother, decideRetry, toolsCalled } from './retry.ts';
import { createAttemptTools, withKnownEffect } from './run-tools.ts';
import { dropLease, isWaiting, type Lease, leaveLeases, putLease, type RunRow, selectRun } from './sql.ts';
import type { TellWaiter } from './waiter.ts';

export interface Attempts {
  /** Carries a function out, or meets what its run id already has. */
  carryOut(request: RunInvocation, runId: string): Promise<RunWithRecord>;
  /** What the model of a run writes while it answers; ends at once where the run is not in progress here. */
  follow(place: PlaybookKey, runId: string, signal: AbortSignal): AsyncIterable<TextPiece>;
  /** Answers when those in progress have ended, or are left to the next start. */
  stop(): Promise<void>;
}

export interface AttemptsOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  tools: Tools;
  record: RecordDecision;
  runnableOf: ReturnType<typeof createRunnables>;
  tellWaiter: TellWaiter;
  /** This process start: the holder of its leases. */
  holder: string;
  logger: Logger;
  clock: Clock;
  stopping: Stopping;
}

interface LiveAttempt {
  settled: Promise<void>;
  callers: Callers;
  /** Made when it is first needed: most kinds write nothing. */
  text: () => LiveText;
}

/** What an attempt needs once it is recorded. */
interface BegunAttempt {
  attempt: Attempt;
  startEventId: string;
  startedAt: string;
  startedPosition: number;
  runnable: Runnable;
}

/** What is known of a run id before anything is begun under it. */
interface KnownRun {
  existing: RunRow | undefined;
  /** Of the input. */
  digest: string;
  /** The existing run is started, and its document may call tools. */
  mayCallTools: boolean;
}

interface RequestedDocument {
  source: string;
  mayCallTools: NonNullable<Kind['mayCallTools']>;
}

type Beginning = { begun: BegunAttempt } | { existing: true } | { join: true };

export function createAttempts(options: AttemptsOptions): Attempts {
  const { log, kinds, schemas, tools, record, runnableOf, tellWaiter, holder, logger, clock } = options;
  const { graceOver } = options.stopping;
  const live = new Map<string, LiveAttempt>();

  const liveKey = (place: PlaybookKey, runId: string): string => JSON.stringify([place.org, place.playbook, runId]);

  async function begin(
    tx: WriteTransaction,
    request: RunInvocation,
    runId: string,
    { existing, digest, mayCallTools }: KnownRun,
  ): Promise<Beginning> {
    await requireActivePlaybook(tx, request);
    if (existing !== undefined) {
      const asked = { type: request.type, name: request.name, inputSha256: digest };
      const decision = decideRetry(existing, asked, {
        isLive: live.has(liveKey(request, runId)),
        isWaiting: await isWaiting(tx, existing),
        mayCallTools,
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

  /** Of a started run of a kind whose documents say whether runs may call tools: the document. */
  async function documentToAsk(tx: ReadTransaction, row: RunRow | undefined): Promise<RequestedDocument | undefined> {
    if (row?.status !== 'started') return undefined;
    const { mayCallTools } = kinds[row.type];
    if (mayCallTools === undefined) return undefined;
    return { source: (await readVersion(tx, row, Number(row.definition_version))).source, mayCallTools };
  }

  /** Decides what the request comes to. A document is read between two transactions, not within one. */
  async function beginWith(
    request: RunInvocation,
    runId: string,
    decide: (tx: WriteTransaction, known: Pick<KnownRun, 'existing' | 'mayCallTools'>) => Promise<Beginning>,
  ): Promise<Beginning> {
    let known: { source: string; mayCallTools: boolean } | undefined;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a second time only where a document had to be read
      const beginning = await log.write(request, async (tx) => {
        const existing = await selectRun(tx, request, runId);
        const ask = await documentToAsk(tx, existing);
        if (ask !== undefined && ask.source !== known?.source) return { ask };
        return decide(tx, { existing, mayCallTools: ask !== undefined && known?.mayCallTools === true });
      });
      if (!('ask' in beginning)) return beginning;
      const { source, mayCallTools } = beginning.ask;
      // oxlint-disable-next-line no-await-in-loop -- as above
      known = { source, mayCallTools: await mayCallTools(source) };
    }
  }

  const leaseOf = ({ org, playbook, runId, attempt }: Attempt): Lease => ({
    org,
    playbook,
    run_id: runId,
    attempt,
    holder,
  });

  async function work(
    begun: BegunAttempt,
    request: RunInvocation,
    { callers, text }: LiveAttempt,
  ): Promise<Ending | Waiting> {
    const { rejection } = request;
    if (rejection !== undefined) return { status: 'rejected', rejection };
    const { attempt, startEventId } = begun;
    const kind = kinds[request.type];
    const endsWithCaller = kind.traits.endsWithCaller === true;
    const signal = endsWithCaller ? AbortSignal.any([callers.signal, graceOver]) : graceOver;
    const calling = createAttemptTools({ log, tools, attempt, startEventId, signal, ...traceOf(request) });
    try {
      const surroundings = { tools: calling, signal, ...(endsWithCaller ? { live: text() } : {}) };
      const came = await carryOutKind(kind, begun, request, surroundings);
      return came.status === 'waiting' ? came : boundedEnding(withKnownEffect(calling.used(), came));
    } catch (error) {
      return withKnownEffect(calling.used(), endingOfError(error, attempt));
    }
  }

  async function carryOutKind(
    kind: Kind,
    { attempt, startedAt, startedPosition, runnable }: BegunAttempt,
    request: RunInvocation,
    surroundings: Pick<RunRequest, 'tools' | 'signal' | 'live'>,
  ): Promise<Ending | Waiting> {
    const { inputSchema, outputSchema, source } = runnable;
    if (inputSchema !== undefined) {
      const issues = await schemas.compileSchema(inputSchema).check(request.input, '/input');
      if (issues.length > 0) {
        const detail = `The input does not match the input schema of ${attempt.definition.type}/${attempt.definition.name}.`;
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
      depth: attempt.chain.depth,
      ...traceOf(request),
      ...surroundings,
    });
  }

  function endingOfError(error: unknown, attempt: Attempt): Ending {
    if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
    logger.error({ err: error, run_id: attempt.runId }, 'A run failed.');
    return { status: 'failed', detail: 'The service failed during the run.' };
  }

  /** Records the ending, or that the run waits, unless somebody else has taken it over; answers how it then stands. */
  function end(begun: BegunAttempt, came: Ending | Waiting, request: RunInvocation): Promise<RunWithRecord> {
    const { attempt, runnable, startEventId } = begun;
    return log.write(attempt, async (tx) => {
      if (graceOver.aborted) throw leftByStop(attempt.runId);
      const isHeld = await dropLease(tx, leaseOf(attempt));
      if (!isHeld) return presentRun(tx, await requireRun(tx, attempt, attempt.runId));
      const isWanted = (await request.finish?.(tx)) ?? true;
      const refusal = came.status === 'waiting' ? await refusalToWait(tx, attempt, isWanted) : undefined;
      const decision =
        came.status === 'waiting' && refusal === undefined
          ? came.decision
          : { ...NO_MOVE, ending: refusal ?? (came as Ending) };
      const given = { attempt, shape: runnable.shape, before: [], cause: startEventId, decision, now: clock.now() };
      const { ended } = await record(tx, { ...given, ...traceOf(request) });
      const row = await requireRun(tx, attempt, attempt.runId);
      if (ended !== undefined) await tellWaiter(tx, row, ended.ending, ended.event.id);
      return presentRun(tx, row, ended?.event);
    });
  }

  /** The ending of a run that may not begin to wait. */
  async function refusalToWait(tx: WriteTransaction, attempt: Attempt, isWanted: boolean): Promise<Ending | undefined> {
    if (!isWanted) {
      const detail = 'The caller stopped waiting before the request was opened.';
      return { status: 'rejected', rejection: { reason: 'cancelled', kind: 'parent_ended', detail } };
    }
    try {
      await requireActivePlaybook(tx, attempt);
      return undefined;
    } catch (error) {
      if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
      throw error;
    }
  }

  function read(place: PlaybookKey, runId: string): Promise<RunWithRecord> {
    return log.read(async (tx) => presentRun(tx, await requireRun(tx, place, runId)));
  }

  async function carryOut(request: RunInvocation, runId: string): Promise<RunWithRecord> {
    const digest = sha256(canonicalJson(request.input));
    const key = liveKey(request, runId);
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const callers = createCallers(request.signal);
    let written: LiveText | undefined;
    const own: LiveAttempt = { settled, callers, text: () => (written ??= createLiveText(clock)) };
    try {
      const beginning = await beginWith(request, runId, async (tx, known) => {
        await request.begin?.(tx);
        const decided = await begin(tx, request, runId, { ...known, digest });
        // From the very moment on in which the start is decided, a second request joins it.
        if ('begun' in decided) live.set(key, own);
        if ('join' in decided) live.get(key)?.callers.join(request.signal);
        return decided;
      });
      const met = live.get(key);
      if (request.onText !== undefined && met !== undefined) request.onText(met.text().follow(request.signal));
      if ('begun' in beginning) {
        const came = await untilAborted(work(beginning.begun, request, own), graceOver);
        if (came === undefined) throw leftByStop(runId);
        return await end(beginning.begun, came, request);
      }
      if ('join' in beginning) {
        await met?.settled;
        if (graceOver.aborted) throw leftByStop(runId);
      }
      return await read(request, runId);
    } finally {
      if (live.get(key) === own) live.delete(key);
      written?.end();
      callers.done();
      settle();
    }
  }

  return {
    carryOut,
    async *follow(place, runId, signal) {
      const met = live.get(liveKey(place, runId));
      if (met !== undefined) yield* met.text().follow(signal);
    },
    async stop() {
      await Promise.allSettled([...live.values()].map(({ settled }) => settled));
      await log.write('no playbook', (tx) => leaveLeases(tx, holder));
    },
  };
}

const NO_MOVE = { moved: [], parts: new Map(), commands: [] } as const;

function leftByStop(runId: string): Refused {
  const detail = `The service stopped before the run ended; repeat the request with its \`run_id\`, ${runId}.`;
  return new Refused({ reason: 'unavailable', detail, retryAfter: 1 }, { members: { run_id: runId } });
}

function traceOf({ traceId }: RunInvocation): { traceId?: string } {
  return traceId === undefined ? {} : { traceId };
}

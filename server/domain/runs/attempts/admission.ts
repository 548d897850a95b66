// How an attempt begins: what a request under a run id comes to, and when the start is recorded.
//
// 1. A start that is deferred is recorded with the ending of its attempt, as of its own time. It is committed before that
//    once `record` is called. Until then nothing is stored of the attempt: a crash leaves no trace of it.
// 2. A run has one first event. Where two attempts begin under one id without knowing of each other, the second one to
//    record its start is refused as StreamMoved, and nothing of it is recorded.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import { createRunnables, isStillCurrent, readVersion, type Runnable } from '../../definitions/index.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type {
  EventLog,
  Holder,
  NewEvent,
  PlaybookKey,
  ReadTransaction,
  WriteTransaction,
} from '../../../kernel/log/index.ts';
import { invalidInput, unavailable } from '../../../lib/rejection.ts';
import type { Clock } from '../../../lib/clock.ts';
import { inOrder } from '../../../lib/in-order.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import type { RunInvocation } from '../durable/invocation.ts';
import { type Attempt, newChain, startedEvent, streamOf } from '../history/events.ts';
import { askedFor, belongsToAnother, decideRetry, toolsCalled } from './retry.ts';
import type { ElsewhereAttempt, NamedRun } from './elsewhere.ts';
import { type Lease, LEFT_BY_STOP, putLease, selectLeaseHolder } from '../history/leases.ts';
import { type RunRow, selectRun } from '../history/sql.ts';

/** A request for a run, with its id and the digest of its input. */
export interface RequestedRun extends RunInvocation {
  runId: string;
  digest: string;
}

/** The start of an attempt. */
export interface Start {
  attempt: Attempt;
  /** The event that records it. */
  eventId: string;
  /** In milliseconds since 1970. */
  at: number;
  runnable: Runnable;
  /** The process that works on it. */
  holder: Holder;
  /** Settled once the start is committed by itself; undefined while nobody asked for that. */
  recorded: () => Promise<void> | undefined;
  /** @throws Refused where the playbook is retired; Outdated */
  requireCurrent: (tx: WriteTransaction) => Promise<void>;
  /** Commits the start by itself, once. @throws StreamMoved, Refused, Outdated */
  record: () => Promise<void>;
  /**
   * The event, for the transaction that records the start together with the ending.
   * @param cause the event that started the run, where the request could not name it yet
   */
  event: (tx: WriteTransaction, cause?: string) => Promise<NewEvent>;
}

/** A start that was decided by what this process remembered, and another process has changed. Nothing was recorded. */
export class Outdated extends Error {}

/**
 * What a request comes to: an attempt, the run as it is recorded, or the attempt that is in progress here or in another
 * process.
 */
export type Beginning = { start: Start } | { existing: true } | { join: true } | { elsewhere: ElsewhereAttempt };

export interface BeginningsOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  clock: Clock;
  ids: Ids;
  /** This process: the holder of its leases. */
  holder: () => Holder;
  isLive: (run: NamedRun) => boolean;
}

export interface Beginnings {
  /**
   * An attempt whose start is deferred; undefined if the id is known to have a run.
   * @param mayAssume that what this process remembers holds, so that a start may come out as Outdated
   * @throws Refused if the playbook or the definition cannot run anything
   */
  defer(request: RequestedRun, mayAssume: boolean): Promise<Start | undefined>;
  /**
   * Decides what the request comes to, and records the start of an attempt.
   * @param decided called in the transaction
   * @throws Refused
   */
  begin(request: RequestedRun, decided: (beginning: Beginning) => void): Promise<Beginning>;
  /** The attempt of a run that another process has in progress. */
  findElsewhere(run: NamedRun): Promise<ElsewhereAttempt | undefined>;
  leaseOf(start: Pick<Start, 'attempt' | 'holder'>): Lease;
}

interface KnownRun {
  existing: RunRow | undefined;
  /** The existing run is started, and its document may call tools. */
  mayCallTools: boolean;
}

interface RequestedDocument {
  source: string;
  mayCallTools: NonNullable<Kind['mayCallTools']>;
}

export function createBeginnings({ log, kinds, clock, ids, holder, isLive }: BeginningsOptions): Beginnings {
  const runnableOf = createRunnables();

  /** @throws Refused `invalid_input` for a version that cannot be run */
  async function runnableFor(tx: ReadTransaction, request: RequestedRun): Promise<Runnable> {
    const { type, name, version } = request;
    const runnable = await runnableOf(tx, request, version);
    if (version === undefined || runnable.isCurrent || kinds[type].traits.runsCurrentVersion !== true) return runnable;
    const detail = `Of ${type}/${name} only the current version can be run, because its data is kept for that one; leave \`version\` out.`;
    throw invalidInput([{ pointer: '/version', detail }]);
  }

  const { shared } = log;

  const leaseOf = ({ attempt, holder: { id } }: Pick<Start, 'attempt' | 'holder'>): Lease => {
    const { org, playbook, runId } = attempt;
    return { org, playbook, run_id: runId, attempt: attempt.attempt, holder: id };
  };

  function startOf(
    request: RequestedRun,
    number: number,
    runnable: Runnable,
  ): Omit<Start, 'recorded' | 'record' | 'requireCurrent'> {
    const { org, playbook, runId, type, name, by, digest } = request;
    const definition = { type, name, version: runnable.version };
    const attempt = { org, playbook, runId, attempt: number, definition, by, chain: request.chain ?? newChain(runId) };
    const [eventId, at] = [ids(), clock.now()];
    const event = async (tx: WriteTransaction, cause?: string): Promise<NewEvent> => {
      const given = { ...request, ...(cause === undefined ? {} : { cause }), inputSha256: digest };
      return { ...(await startedEvent(tx, attempt, given)), id: eventId, at };
    };
    return { attempt, eventId, at, runnable, holder: holder(), event };
  }

  async function recordStart(
    tx: WriteTransaction,
    start: Pick<Start, 'attempt' | 'event' | 'holder'>,
    { traceId }: RequestedRun,
    guard: { expected?: number } = {},
  ): Promise<void> {
    const { attempt, event } = start;
    const { org, playbook, runId } = attempt;
    const trace = traceId === undefined ? {} : { traceId };
    const events = [await event(tx)];
    await log.append(tx, { org, playbook, stream: streamOf(runId), ...trace, ...guard, events });
    await putLease(tx, leaseOf(start));
  }

  /** Who works on the run, where that is another process whose lease may last. */
  function holderElsewhere(run: NamedRun, leasedTo: string | undefined): string | undefined {
    if (shared === undefined || leasedTo === undefined || isLive(run)) return undefined;
    return leasedTo === holder().id || leasedTo === LEFT_BY_STOP ? undefined : leasedTo;
  }

  async function beginIn(tx: WriteTransaction, request: RequestedRun, known: KnownRun): Promise<Beginning> {
    const { existing, mayCallTools } = known;
    await requireActivePlaybook(tx, request);
    if (existing !== undefined) {
      const leasedTo = existing.status === 'started' ? await selectLeaseHolder(tx, existing) : undefined;
      const elsewhere = holderElsewhere(request, leasedTo);
      const decision = decideRetry(existing, askedFor(request, request.digest), {
        isLive: isLive(request) || elsewhere !== undefined,
        isWaiting: existing.status === 'started' && leasedTo === undefined,
        mayCallTools,
      });
      if (decision === 'answer') return { existing: true };
      if (decision === 'join') return joined(request, existing, elsewhere);
      if (decision === 'refuse') throw belongsToAnother(request.runId);
      if (decision === 'tools_called') throw toolsCalled(existing);
    }
    const number = existing === undefined ? 1 : Number(existing.attempt) + 1;
    const start = startOf(request, number, await runnableFor(tx, request));
    await recordStart(tx, start, request);
    const recorded = Promise.resolve();
    return { start: { ...start, requireCurrent: () => recorded, recorded: () => recorded, record: () => recorded } };
  }

  /** Of a started run of a kind whose documents say whether runs may call tools: the document. */
  async function documentToAsk(tx: ReadTransaction, row: RunRow | undefined): Promise<RequestedDocument | undefined> {
    if (row?.status !== 'started') return undefined;
    const { mayCallTools } = kinds[row.type];
    if (mayCallTools === undefined) return undefined;
    return { source: (await readVersion(tx, row, Number(row.definition_version))).source, mayCallTools };
  }

  return {
    leaseOf,
    findElsewhere: ({ org, playbook, runId }) =>
      log.read(async (tx) => {
        const row = await selectRun(tx, { org, playbook }, runId);
        if (row?.status !== 'started') return undefined;
        const elsewhere = holderElsewhere({ org, playbook, runId }, await selectLeaseHolder(tx, row));
        return elsewhere === undefined ? undefined : elsewhereAttempt({ org, playbook, runId }, row, elsewhere);
      }),
    async defer(request, mayAssume) {
      const readRunnable = async (tx: ReadTransaction): Promise<Runnable | undefined> => {
        const isExpectedNew = request.isNewId === true || request.call?.isFirstTry === true;
        const isNew = isExpectedNew || (await selectRun(tx, request, request.runId)) === undefined;
        return isNew ? runnableFor(tx, request) : undefined;
      };
      const readAll = async (tx: ReadTransaction, isAssumed: boolean) => {
        const runnable = await inOrder(requireActivePlaybook(tx, request), readRunnable(tx));
        return { runnable, isAssumed };
      };
      const { runnable, isAssumed } = await (mayAssume
        ? log.readAssumed(request, readAll)
        : log.read((tx) => readAll(tx, false)));
      if (runnable === undefined) return undefined;
      const start = startOf(request, 1, runnable);
      const requireCurrent = async (tx: WriteTransaction): Promise<void> => {
        await requireActivePlaybook(tx, request);
        // Looked at in any case: what it remembers is what the next start assumes.
        const isCurrent = await isStillCurrent(tx, request, runnable);
        if (isAssumed && !isCurrent) throw new Outdated();
      };
      let recorded: Promise<void> | undefined;
      const place: PlaybookKey = { org: request.org, playbook: request.playbook };
      const record = (): Promise<void> =>
        (recorded ??= log.write(place, async (tx) => {
          requireLease(start);
          await request.call?.requireHeld(tx);
          await requireCurrent(tx);
          await recordStart(tx, start, request, { expected: 0 });
        }));
      return { ...start, requireCurrent, recorded: () => recorded, record };
    },
    /** A document is read between two transactions, not within one. */
    async begin(request, decided) {
      let known: { source: string; mayCallTools: boolean } | undefined;
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- a second time only where a document had to be read
        const beginning = await log.write(request, async (tx) => {
          const existing = await selectRun(tx, request, request.runId);
          const ask = await documentToAsk(tx, existing);
          if (ask !== undefined && ask.source !== known?.source) return { ask };
          await request.call?.requireHeld(tx);
          const mayCallTools = ask !== undefined && known?.mayCallTools === true;
          const begun = await beginIn(tx, request, { existing, mayCallTools });
          decided(begun);
          return begun;
        });
        if (!('ask' in beginning)) return beginning;
        const { source, mayCallTools } = beginning.ask;
        // oxlint-disable-next-line no-await-in-loop -- as above
        known = { source, mayCallTools: await mayCallTools(source) };
      }
    },
  };
}

/** @throws Refused where the process lost the lease under which the attempt began: another one may have ended it */
export function requireLease({ attempt, holder }: Pick<Start, 'attempt' | 'holder'>): void {
  if (!holder.lost.aborted) return;
  throw unavailable(`The server lost its lease before the run ${attempt.runId} ended.`, { retryAfter: 1 });
}

function joined(request: RequestedRun, row: RunRow, holder: string | undefined): Beginning {
  return holder === undefined ? { join: true } : { elsewhere: elsewhereAttempt(request, row, holder) };
}

function elsewhereAttempt({ org, playbook, runId }: NamedRun, { attempt }: RunRow, holder: string): ElsewhereAttempt {
  return { org, playbook, runId, attempt: Number(attempt), holder };
}

// Bursts: what a waiting run decides in one commit, with the runs of the pure functions that it calls (kinds/burst/).
//
// 1. The result of a pure function depends on its input alone. A run that calls one after the other is therefore moved through
//    all of them in a worker, and recorded with their runs in one commit. A crash before that leaves no trace of them.
// 2. Whatever the worker cannot decide, the main thread decides; the burst returns to a worker at the next call.
// 3. A call that does not end in the time of its burst is started by its task. For 10 s, bursts do not call its function.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import type { Ids } from '../../../kernel/ids.ts';
import { type EventLog, selectStreamEnd, type WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import {
  type Burst,
  type Bursts,
  type CalledRun,
  inProgress,
  newControl,
  type SentJob,
  stopBurst,
} from '../../../kinds/burst/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { type Clock, stopwatch } from '../../../lib/clock.ts';
import type { Serially } from '../../../lib/gate.ts';
import { inOrder } from '../../../lib/in-order.ts';
import { type Attempt, attemptOf, startedEvent, streamOf } from '../history/events.ts';
import { BurstFunctions, KnownFunctions } from './burst-functions.ts';
import { chainBelow, isTooDeep } from './called-runs.ts';
import { endWith, type RecordDecision } from './record-decision.ts';
import { INPUT_TASK, inputKey } from './run-tasks.ts';
import { type KnownState, stateKey } from './states.ts';

export interface RunBurstsOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  tasks: Pick<Tasks, 'firstDue'>;
  bursts: Bursts;
  serially: Serially;
  record: RecordDecision;
  /** Aborted once the service stops: no further call is begun. */
  stopping: AbortSignal;
}

/** How long the calls of one burst may take together, in milliseconds. So long that ending is not recorded. */
const TIME_MS = 400;
/** The same where a response or a place in the queue of inputs waits for the burst. */
const AWAITED_TIME_MS = 100;
/** How much longer a worker may take to respond while it is inside a built-in function, in milliseconds. */
const SILENT_MS = 100;
/** The most bursts in workers at once: more would wait for each other's calls. */
const MOST_BURSTS = 48;
/** The most characters of a state that are sent to a worker: copying more costs more than the tasks. */
const MOST_CHARACTERS = 1_000_000;

export class RunBursts {
  readonly options: RunBurstsOptions;
  readonly known: KnownFunctions;
  /** The control memory of each burst in a worker. */
  readonly inWorkers = new Set<Int32Array>();

  constructor(options: RunBurstsOptions) {
    this.options = options;
    this.known = new KnownFunctions(options);
    options.stopping.addEventListener('abort', () => {
      for (const control of this.inWorkers) stopBurst(control);
    });
  }

  /** Begins with the ending of a run that the run has called. */
  afterCall(state: KnownState): RunBurst {
    return new RunBurst(this, callerOf(state), TIME_MS);
  }

  /** Begins with another input. */
  afterInput(state: KnownState): RunBurst {
    return new RunBurst(this, callerOf(state), AWAITED_TIME_MS);
  }

  /** Begins with the start of a run. @param inputBytes of its input as JSON, which its state contains */
  atStart(attempt: Attempt, source: string, inputBytes: number): RunBurst {
    const size = source.length + inputBytes;
    const caller = { attempt, source, parts: new Map(), isWhole: true, size, position: 0 };
    return new RunBurst(this, caller, AWAITED_TIME_MS);
  }
}

function callerOf(state: KnownState): Caller {
  return { ...state, attempt: attemptOf(state.row) };
}

/** The run that makes the calls, as it is before the burst. */
interface Caller extends Pick<KnownState, 'source' | 'parts' | 'isWhole' | 'size'> {
  attempt: Attempt;
  /** Where the run's stream ends; 0 for a run whose start is not recorded. */
  position: number;
}

class OutOfTime extends Error {}

/** The calls of one burst. */
export class RunBurst {
  readonly #bursts: RunBursts;
  readonly #caller: Caller;
  readonly #timeMs: number;
  readonly #tookMs: () => number;
  readonly #functions: BurstFunctions;
  #firstTimer: Promise<number | undefined> | undefined;
  /** Rejects when the time of the burst is over. */
  #outOfTime: Promise<never> | undefined;
  #cancelTimer: (() => void) | undefined;
  #partsAtFirstCall: ReadonlyMap<string, Json | undefined> | undefined;

  /** @param timeMs how long the calls may take together, in milliseconds */
  constructor(bursts: RunBursts, caller: Caller, timeMs: number) {
    this.#bursts = bursts;
    this.#caller = caller;
    this.#timeMs = timeMs;
    this.#functions = new BurstFunctions(bursts.known, caller.attempt);
    this.#tookMs = stopwatch(bursts.options.clock);
  }

  /** The parts of the state that had changed when the first call was made; undefined if none was made. */
  get partsAtFirstCall(): ReadonlyMap<string, Json | undefined> | undefined {
    return this.#partsAtFirstCall;
  }

  /** Makes a decision on this thread. @throws OutOfTime if the time of the burst is over first */
  inTime<T>(decision: Promise<T>): Promise<T> {
    if (this.#outOfTime === undefined) {
      const over = Promise.withResolvers<never>();
      over.promise.catch(() => {});
      const { clock } = this.#bursts.options;
      const left = Math.max(0, this.#timeMs - this.#tookMs());
      this.#cancelTimer = clock.wakeAfter(left, () => over.reject(new OutOfTime()));
      this.#outOfTime = over.promise;
    }
    return Promise.race([decision, this.#outOfTime]);
  }

  /** Nothing more is decided. */
  end(): void {
    this.#cancelTimer?.();
  }

  /** Continues the burst in a worker. Returns the last call if the worker could not make the decision that follows. */
  async continueInWorker(burst: Burst): Promise<CalledRun | undefined> {
    const { options, inWorkers } = this.#bursts;
    const { bursts, clock } = options;
    const control = newControl();
    const sent = await this.#jobOf(burst, control);
    if (sent === undefined) return undefined;
    const { job, decider } = sent;
    this.#partsAtFirstCall ??= new Map(burst.parts);
    const silent = new AbortController();
    const cancelTimer = clock.wakeAfter(job.leftMs + SILENT_MS, () => silent.abort());
    inWorkers.add(control);
    const continued = await bursts.continueInWorker(job, decider, silent.signal).finally(() => {
      inWorkers.delete(control);
      cancelTimer();
    });
    const tooSlow = job.functions[continued === undefined ? inProgress(control) : (continued.tooSlow ?? -1)];
    if (tooSlow !== undefined) this.#functions.markSlow(tooSlow);
    if (continued === undefined) return undefined;
    burst.append(continued);
    return continued.ended;
  }

  /** Undefined if the call's task must start it. */
  async #jobOf(burst: Burst, control: Int32Array) {
    const { options, inWorkers } = this.#bursts;
    const { attempt, source, parts, isWhole, size } = this.#caller;
    const leftMs = this.#timeMs - this.#tookMs();
    const { serially, stopping, kinds } = options;
    const { call } = burst.progress;
    if (call === undefined || stopping.aborted || inWorkers.size >= MOST_BURSTS || size > MOST_CHARACTERS) {
      return undefined;
    }
    if (kinds[call.command.type].pureModule === undefined || isTooDeep(attempt)) return undefined;
    const { org, playbook, runId, chain } = attempt;
    const { type, name, version } = attempt.definition;
    const run = { org, playbook, runId, name, version, source, depth: chain.depth };
    const decider = await kinds[type].workerDecider?.(run);
    const firstTimer = decider && (await (this.#firstTimer ??= this.#selectFirstTimer()));
    if (decider === undefined || firstTimer === undefined) return undefined;
    const functions = await this.#functions.read(decider.calls);
    if (!functions.some(({ type: one, name: own }) => one === call.command.type && own === call.command.name)) {
      return undefined;
    }
    const key = stateKey(attempt, runId);
    if (serially.isAwaited(key)) return undefined;
    serially.whenAwaited(key, () => stopBurst(control));
    const now = new Map<string, Json | undefined>([...parts, ...burst.parts]);
    const { progress } = burst;
    const job: SentJob = { run, progress, parts: now, isWhole, functions, firstTimer, leftMs, control };
    return { job, decider };
  }

  /** When the first timer of the run is due, infinite where it has none; undefined where another process has moved the run. */
  #selectFirstTimer(): Promise<number | undefined> {
    const { log, tasks } = this.#bursts.options;
    const { attempt, position } = this.#caller;
    const run = { run_id: attempt.runId, attempt: attempt.attempt };
    if (position === 0) return Promise.resolve(Number.POSITIVE_INFINITY);
    return log.read(async (tx) => {
      const end = log.shared === undefined ? position : selectStreamEnd(tx, attempt, streamOf(attempt.runId));
      const due = tasks.firstDue(tx, attempt, INPUT_TASK, inputKey(run, 'timer_due', ''));
      const isCurrent = (await inOrder(due, Promise.resolve(end))) === position;
      return isCurrent ? ((await due) ?? Number.POSITIVE_INFINITY) : undefined;
    });
  }

  /** Records a called run. Returns the id of the event that ended it. @param cause the event that led to the call */
  async record(tx: WriteTransaction, called: CalledRun, cause: string): Promise<string> {
    const { ids, record } = this.#bursts.options;
    const { call, inputSha256, startedAt, endedAt, ending } = called;
    const { type, name, runId, input } = call;
    const runnable = await this.#functions.requireCurrent(tx, { type, name });
    const { org, playbook, by } = this.#caller.attempt;
    const definition = { type, name, version: runnable.version };
    const chain = chainBelow(this.#caller.attempt, call.reference);
    const attempt: Attempt = { org, playbook, runId, attempt: 1, definition, by, chain };
    const eventId = ids();
    const started = await startedEvent(tx, attempt, { input, inputSha256, cause });
    const before = [{ ...started, id: eventId, at: startedAt }];
    const given = { attempt, shape: runnable.shape, position: 0, before, cause: eventId, now: endedAt };
    const { ended } = await record(tx, { ...given, decision: endWith(ending) });
    return ended?.event.id ?? eventId;
  }
}

// The attempts that this process executes. The first request under a run id executes the attempt; requests that arrive before
// it ends join it and get the same result.
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import type { EventLog } from '../../../kernel/log/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Refused } from '../../../lib/rejection.ts';
import { presentRun } from '../history/present.ts';
import { selectRun } from '../history/sql.ts';
import type { NamedRun } from './elsewhere.ts';
import { createLiveText, type LiveText } from './live-text.ts';
import { belongsToAnother } from './retry.ts';
import type { RequestedRun } from './start.ts';

/** The callers that wait for a run: the one that started it, and those that joined it. */
export class Callers {
  readonly #gone = new AbortController();
  readonly #joined: { signal: AbortSignal; leave: () => void }[] = [];
  #waiting = 0;

  constructor(first: AbortSignal) {
    this.join(first);
  }

  /** Aborted once no caller waits any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  join(signal: AbortSignal): void {
    this.#waiting += 1;
    const leave = (): void => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#gone.abort();
    };
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    this.#joined.push({ signal, leave });
  }

  /** The run has ended. */
  done(): void {
    for (const { signal, leave } of this.#joined) signal.removeEventListener('abort', leave);
  }
}

export class LiveAttempt {
  readonly request: RequestedRun;
  /** Aborted when it is abandoned: the grace of a stop is over, or the lease of its process is lost. It records nothing then. */
  readonly abandoned: AbortSignal;
  readonly callers: Callers;
  /** Settles when an ending is recorded that the store refused at first. */
  endsLater: Promise<void> | undefined;
  readonly #settled = Promise.withResolvers<void>();
  readonly #clock: Clock;
  #text: LiveText | undefined;

  constructor(clock: Clock, request: RequestedRun, abandoned: AbortSignal) {
    this.request = request;
    this.abandoned = abandoned;
    this.callers = new Callers(request.signal);
    this.#clock = clock;
  }

  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /** What its model writes. Created when it is first used: most kinds write nothing. */
  text(): LiveText {
    return (this.#text ??= createLiveText(this.#clock));
  }

  /** Passes on what its model writes to a request. */
  showTo(request: RequestedRun): void {
    request.onText?.(this.text().follow(request.signal));
  }

  end(): void {
    this.#text?.end();
    this.callers.done();
    this.#settled.resolve();
  }
}

export class LiveAttempts {
  readonly #live = new Map<string, LiveAttempt>();

  /** From now on, other requests under its run id join it. */
  enter(attempt: LiveAttempt): void {
    this.#live.set(keyOf(attempt.request), attempt);
  }

  /** The attempt has ended, or ends once its ending is recorded: then no request joins it any more. */
  leave(attempt: LiveAttempt): void {
    if (attempt.endsLater === undefined) this.#remove(attempt);
    else void attempt.endsLater.finally(() => this.#remove(attempt));
  }

  #remove(attempt: LiveAttempt): void {
    const key = keyOf(attempt.request);
    if (this.#live.get(key) === attempt) this.#live.delete(key);
    attempt.end();
  }

  /** The attempt in progress under a run id. */
  find(run: NamedRun): LiveAttempt | undefined {
    return this.#live.get(keyOf(run));
  }

  get isEmpty(): boolean {
    return this.#live.size === 0;
  }

  /** Resolves when those in progress have settled. */
  async allSettled(): Promise<void> {
    await Promise.allSettled([...this.#live.values()].map(({ settled }) => settled));
  }
}

/** The request waits for the attempt, and keeps it from being cancelled. @throws Refused where it is another request */
export function joinAttempt(attempt: LiveAttempt, request: RequestedRun): void {
  const isSame = (['type', 'name', 'digest', 'version', 'model'] as const).every(
    (member) => attempt.request[member] === request[member],
  );
  if (!isSame) throw belongsToAnother(request.runId);
  attempt.callers.join(request.signal);
}

/** The recorded run of a request; undefined if nothing is recorded of it. */
export function readRun(log: EventLog, request: RequestedRun): Promise<RunWithRecord | undefined> {
  return log.read(async (tx) => {
    const row = await selectRun(tx, request, request.runId);
    return row && presentRun(tx, row);
  });
}

function keyOf({ org, playbook, runId }: NamedRun): string {
  return JSON.stringify([org, playbook, runId]);
}

/** The attempt is left to the next start, or to another process. */
export function abandonedRun(runId: string): Refused {
  const detail = `The service stopped before the run ended; repeat the request with its \`run_id\`, ${runId}.`;
  return new Refused({ reason: 'unavailable', detail, retryAfter: 1 }, { members: { run_id: runId } });
}

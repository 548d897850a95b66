// Workers for checks that may take long.
//
// 1. A worker does one check at a time; checks wait in the order in which they came, and say so when they waited long.
// 2. The deadline begins when a worker that has started takes the check, and anew when it has compiled the schema. A
//    worker that passes it, or fails, is ended and its check refused; the next check starts another one. Nobody else's
//    check is touched.
// 3. Workers start when there is a check for them, and do not keep the process alive by themselves.
// 4. Closing ends the workers and refuses what waits.
import { Worker } from 'node:worker_threads';
import type { Issue } from '../../../shared/issues.ts';
import { Refused, unavailable } from '../rejection.ts';
import type { SchemaCheck } from './check-document.ts';

/** Values to be checked against a schema that was found good. */
export interface ValuesRequest {
  kind: 'values';
  /** The schema as JSON. */
  schema: string;
  root: string;
  /** A list of values as JSON. */
  values: string;
  pointer: string;
}

/** A schema to be looked at. */
export interface DocumentRequest {
  kind: 'document';
  /** The schema as JSON. */
  schema: string;
  pointer: string;
}

export type CheckRequest = ValuesRequest | DocumentRequest;

/** What a worker says: that it has started, that the schema is compiled, or what a request came to. */
export type CheckReply = 'ready' | 'compiled' | { issues: Issue[][] } | { document: SchemaCheck };

export interface CheckWorkers {
  /**
   * The issues of each value.
   * @throws Refused `conflict` `unworkable` past the deadline; `unavailable` when no worker is free for ten seconds
   */
  checkValues(request: Omit<ValuesRequest, 'kind'>): Promise<Issue[][]>;
  /** @throws as above */
  checkDocument(request: Omit<DocumentRequest, 'kind'>): Promise<SchemaCheck>;
  close(): Promise<void>;
}

interface Job {
  request: CheckRequest;
  resolve: (answer: Exclude<CheckReply, string>) => void;
  reject: (error: Error) => void;
  /** Of the wait for a worker, then of the check. */
  timer: NodeJS.Timeout;
}

interface Seat {
  worker: Worker;
  /** Has started; what it takes to start is not the check's. */
  isReady: boolean;
  job: Job | undefined;
}

const MOST_WORKERS = 2;
/** Of reading and compiling a schema; one that was saved took no longer with everything that saving asks. */
const COMPILE_DEADLINE_MS = 2000;
/** Of checking values. */
const DEADLINE_MS = 1000;
const MOST_WAIT_MS = 10_000;

export function createCheckWorkers(): CheckWorkers {
  const seats = new Set<Seat>();
  let waiting: Job[] = [];
  let isClosed = false;

  function startWorker(): void {
    const worker = new Worker(new URL('./check-worker.ts', import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    const seat: Seat = { worker, isReady: false, job: undefined };
    seats.add(seat);
    worker.on('message', (reply: CheckReply) => {
      if (reply === 'compiled') return seat.job && setDeadline(seat, seat.job, DEADLINE_MS);
      if (reply === 'ready') seat.isReady = true;
      else settle(seat, ({ resolve }) => resolve(reply));
      worker.unref();
      next();
    });
    // One that cannot even start is not started again for what waits: that hears of it when it has waited long enough.
    worker.on('error', () => end(seat));
    worker.on('exit', () => end(seat));
  }

  function end(seat: Seat): void {
    if (!seats.delete(seat)) return;
    settle(seat, ({ reject }) => reject(isClosed ? stopping() : tooMuchWork()));
    void seat.worker.terminate();
    if (seat.isReady) next();
  }

  function setDeadline(seat: Seat, job: Job, milliseconds: number): void {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => end(seat), milliseconds);
  }

  function settle(seat: Seat, tell: (job: Job) => void): void {
    const { job } = seat;
    if (job === undefined) return;
    seat.job = undefined;
    clearTimeout(job.timer);
    tell(job);
  }

  function next(): void {
    for (const seat of seats) {
      if (!seat.isReady || seat.job !== undefined) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      setDeadline(seat, job, COMPILE_DEADLINE_MS);
      seat.job = job;
      seat.worker.postMessage(job.request);
    }
    const starting = [...seats].filter(({ isReady }) => !isReady).length;
    if (waiting.length > starting && seats.size < MOST_WORKERS && !isClosed) startWorker();
  }

  function ask(request: CheckRequest): Promise<Exclude<CheckReply, string>> {
    if (isClosed) return Promise.reject(stopping());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting = waiting.filter((other) => other !== job);
        reject(unavailable('Other large values are being checked; try again in a moment.', { retryAfter: 1 }));
      }, MOST_WAIT_MS);
      const job: Job = { request, resolve, reject, timer };
      waiting.push(job);
      next();
    });
  }

  return {
    async checkValues(request) {
      const answer = await ask({ kind: 'values', ...request });
      return 'issues' in answer ? answer.issues : [];
    },
    async checkDocument(request) {
      const answer = await ask({ kind: 'document', ...request });
      return 'document' in answer ? answer.document : { issues: [], warnings: [] };
    },
    async close() {
      isClosed = true;
      for (const { timer, reject } of waiting.splice(0)) {
        clearTimeout(timer);
        reject(stopping());
      }
      await Promise.all([...seats].map(({ worker }) => worker.terminate()));
    },
  };
}

function stopping(): Refused {
  return unavailable('The service is stopping; try again once it runs.', { retryAfter: 5 });
}

function tooMuchWork(): Refused {
  return new Refused({
    reason: 'conflict',
    kind: 'unworkable',
    detail: 'Checking the value against its schema takes more than a second; send less, or make the schema simpler.',
  });
}

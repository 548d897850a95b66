// One worker and the jobs that are assigned to it.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { HandedJobs, Reply, WorkerStart } from './messages.ts';

/** A job that was assigned to a worker, with its number. */
interface Handed<Entry> {
  number: bigint;
  entry: Entry;
}

export interface WorkerSlot<Entry> {
  readonly state: 'starting' | 'ready' | 'ending';
  /** The number of assigned jobs that are not answered yet. */
  readonly count: number;
  /** These jobs, in the order in which the worker takes them. */
  held: () => Entry[];
  /** The running job. Jobs before it are done, and their answers are on the way. */
  running: () => Entry | undefined;
  /** Milliseconds since the first of the held jobs began. */
  runningMs: () => number;
  /** Milliseconds since it started, or since its last job was answered. */
  idleMs: () => number;
  hand: (entries: readonly Entry[]) => void;
  /** Withdraws the jobs that the worker has not begun. */
  takeBack: () => Entry[];
  /** Terminates the worker because of a job, or because it is spent. Its jobs are settled when it has exited. */
  terminate: (terminatedFor?: Entry) => void;
  /** Terminates the worker. Resolves once it has exited. */
  close: () => Promise<unknown>;
}

/** The outcome of the jobs of a worker that exited. */
export interface Exit<Entry> {
  hadStarted: boolean;
  /** The job that ended the worker, by missing its deadline or by crashing it. */
  ended: { entry: Entry; how: 'late' | 'lost'; tookMs: number } | undefined;
  /** Jobs that must run in another worker. */
  back: Entry[];
}

export interface SlotOptions<Job, Answer, Entry extends { job: Job }> {
  script: URL;
  data: unknown;
  limits: ResourceLimits;
  deadlineMs: (job: Job) => number;
  onReady: () => void;
  onAnswer: (entry: Entry, answer: Answer, tookMs: number) => void;
  /** Called once, after all messages of the worker have arrived. */
  onExit: (exit: Exit<Entry>) => void;
}

/** A job that gets little processor time ends after this multiple of its deadline. */
const MOST_DEADLINES = 10;
/** How long a worker may take to report its processor time; it cannot report while it runs uninterruptible work. */
const CPU_ANSWER_MS = 1000;
/** Node 22.18 does not report the processor time of a worker: it is assumed to get this share of a processor. */
const ASSUMED_SHARE = 1 / 3;

/** The only environment variable of a worker: with Node's compile cache, it starts three times as fast. */
const { NODE_COMPILE_CACHE } = process.env;
const WORKER_ENVIRONMENT = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

export function startWorkerSlot<Job, Answer, Entry extends { job: Job }>(
  options: SlotOptions<Job, Answer, Entry>,
): WorkerSlot<Entry> {
  const { script, data, limits, deadlineMs, onReady, onAnswer, onExit } = options;
  const next = new BigInt64Array(new SharedArrayBuffer(8));
  let state: WorkerSlot<Entry>['state'] = 'starting';
  let hadStarted = false;
  let handed: Handed<Entry>[] = [];
  /** The number of the next job to assign. */
  let end = 0n;
  let deadline: NodeJS.Timeout | undefined;
  let runningSince = 0;
  let idleSince = 0;
  /** The worker's processor time when its job began or got a new deadline, in milliseconds. */
  let cpuBefore = 0;
  let terminatedFor: Entry | undefined;

  const worker = new Worker(script, {
    workerData: { data, next } satisfies WorkerStart,
    env: WORKER_ENVIRONMENT,
    // Output of libraries in a worker is discarded.
    stdout: true,
    stderr: true,
    resourceLimits: limits,
  });
  // An idle worker does not keep the process alive.
  worker.unref();
  worker.on('message', (reply: Reply<Answer>) => {
    cpuBefore = reply.cpuMs;
    if ('isReady' in reply) {
      hadStarted = true;
      idleSince = performance.now();
      if (state === 'starting') state = 'ready';
      onReady();
    } else if ('answer' in reply) {
      if (reply.isSpent) terminate();
      answerFirst(reply.answer, reply.tookMs);
    } else startDeadline(reply.deadlineMs);
  });
  // The exit event follows, after all messages.
  worker.on('error', () => {});
  worker.on('exit', () => {
    const begun = running();
    rest();
    // If it was terminated because of another job, which was answered in the meantime, this job is not at fault.
    const isBlamed = terminatedFor === undefined || terminatedFor === begun;
    const entries = handed.splice(0).map(({ entry }) => entry);
    if (begun === undefined || !isBlamed) return onExit({ hadStarted, ended: undefined, back: entries });
    const how = terminatedFor === undefined ? 'lost' : 'late';
    onExit({
      hadStarted,
      ended: { entry: begun, how, tookMs: performance.now() - runningSince },
      back: entries.filter((entry) => entry !== begun),
    });
  });

  function running(): Entry | undefined {
    const firstFree = Atomics.load(next, 0);
    return handed.findLast(({ number }) => number < firstFree)?.entry;
  }

  function answerFirst(answer: Answer, tookMs: number): void {
    const answered = handed.shift();
    const [following] = handed;
    if (following === undefined) {
      idleSince = performance.now();
      rest();
    } else begin(following.entry);
    if (answered !== undefined) onAnswer(answered.entry, answer, tookMs);
  }

  function begin({ job }: Entry): void {
    runningSince = performance.now();
    startDeadline(deadlineMs(job));
  }

  function startDeadline(milliseconds: number): void {
    const first = handed[0]?.entry;
    if (first === undefined || state !== 'ready') return;
    const since = performance.now();
    const last = since + milliseconds * MOST_DEADLINES;
    const wait = (next: number): void => {
      clearTimeout(deadline);
      const timer = setTimeout(() => {
        // If the main thread was busy, an answer or a new deadline may have arrived together with this timer; it takes precedence.
        setImmediate(async () => {
          const isOver = (): boolean => handed[0]?.entry === first && state === 'ready' && deadline === timer;
          if (!isOver()) return;
          const left = performance.now() < last ? milliseconds - (await cpuUsed(since)) : 0;
          if (!isOver()) return;
          if (left > 0) wait(left);
          else terminate(first);
        });
      }, next);
      deadline = timer;
    };
    wait(milliseconds);
  }

  /**
   * The processor time of the running job, in milliseconds; infinite if the worker does not report it.
   * @param since when the job began or got a new deadline
   */
  async function cpuUsed(since: number): Promise<number> {
    if (!('cpuUsage' in worker)) return (performance.now() - since) * ASSUMED_SHARE;
    let timer: NodeJS.Timeout | undefined;
    const impatient = new Promise<number>((resolve) => {
      timer = setTimeout(resolve, CPU_ANSWER_MS, Number.POSITIVE_INFINITY);
    });
    const used = worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000 - cpuBefore,
      () => Number.POSITIVE_INFINITY,
    );
    const cpu = await Promise.race([used, impatient]);
    clearTimeout(timer);
    return cpu;
  }

  function rest(): void {
    clearTimeout(deadline);
    // A terminated worker keeps the process alive until it has exited, since its jobs are settled then.
    if (state !== 'ending') worker.unref();
  }

  function terminate(forEntry?: Entry): void {
    state = 'ending';
    terminatedFor = forEntry;
    void worker.terminate();
  }

  return {
    get state() {
      return state;
    },
    get count() {
      return handed.length;
    },
    held: () => handed.map(({ entry }) => entry),
    running,
    runningMs: () => performance.now() - runningSince,
    idleMs: () => performance.now() - idleSince,
    hand(entries) {
      const wasIdle = handed.length === 0;
      const number = end;
      end += BigInt(entries.length);
      handed.push(...entries.map((entry, index) => ({ number: number + BigInt(index), entry })));
      worker.postMessage({ number, jobs: entries.map(({ job }) => job) } satisfies HandedJobs<Job>);
      const [first] = entries;
      if (!wasIdle || first === undefined) return;
      worker.ref();
      begin(first);
    },
    takeBack() {
      let firstFree = Atomics.load(next, 0);
      // Repeated if the worker takes another job at the same moment.
      for (let found = -1n; found !== firstFree; ) {
        found = firstFree;
        firstFree = Atomics.compareExchange(next, 0, found, end);
      }
      const begun = handed.filter(({ number }) => number < firstFree);
      const back = handed.slice(begun.length).map(({ entry }) => entry);
      handed = begun;
      if (begun.length === 0) rest();
      return back;
    },
    terminate,
    close() {
      state = 'ending';
      return worker.terminate();
    },
  };
}

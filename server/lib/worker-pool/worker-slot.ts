// One worker and the jobs that are assigned to it.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { HandedJobs, Reply, WorkerStart } from './messages.ts';

/** A job that was assigned to a worker, with its number. */
interface Handed<Entry> {
  number: bigint;
  entry: Entry;
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

export class WorkerSlot<Job, Answer, Entry extends { job: Job }> {
  readonly #options: SlotOptions<Job, Answer, Entry>;
  readonly #next = new BigInt64Array(new SharedArrayBuffer(8));
  #state: 'starting' | 'ready' | 'ending' = 'starting';
  #hadStarted = false;
  #handed: Handed<Entry>[] = [];
  /** The number of the next job to assign. */
  #end = 0n;
  #deadline: NodeJS.Timeout | undefined;
  #runningSince = 0;
  #idleSince = 0;
  /** The worker's processor time when its job began or got a new deadline, in milliseconds. */
  #cpuBefore = 0;
  #terminatedFor: Entry | undefined;
  readonly #worker: Worker;

  constructor(options: SlotOptions<Job, Answer, Entry>) {
    this.#options = options;
    this.#worker = new Worker(options.script, {
      workerData: { data: options.data, next: this.#next } satisfies WorkerStart,
      env: WORKER_ENVIRONMENT,
      // Output of libraries in a worker is discarded.
      stdout: true,
      stderr: true,
      resourceLimits: options.limits,
    });
    // An idle worker does not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply<Answer>) => {
      this.#cpuBefore = reply.cpuMs;
      if ('isReady' in reply) {
        this.#hadStarted = true;
        this.#idleSince = performance.now();
        if (this.#state === 'starting') this.#state = 'ready';
        options.onReady();
      } else if ('answer' in reply) {
        if (reply.isSpent) this.terminate();
        this.#answerFirst(reply.answer, reply.tookMs);
      } else this.#startDeadline(reply.deadlineMs);
    });
    // The exit event follows, after all messages.
    this.#worker.on('error', () => {});
    this.#worker.on('exit', () => {
      const begun = this.running();
      this.#rest();
      // If it was terminated because of another job, which was answered in the meantime, this job is not at fault.
      const isBlamed = this.#terminatedFor === undefined || this.#terminatedFor === begun;
      const entries = this.#handed.splice(0).map(({ entry }) => entry);
      if (begun === undefined || !isBlamed)
        return options.onExit({ hadStarted: this.#hadStarted, ended: undefined, back: entries });
      const how = this.#terminatedFor === undefined ? 'lost' : 'late';
      options.onExit({
        hadStarted: this.#hadStarted,
        ended: { entry: begun, how, tookMs: performance.now() - this.#runningSince },
        back: entries.filter((entry) => entry !== begun),
      });
    });
  }

  get state(): 'starting' | 'ready' | 'ending' {
    return this.#state;
  }

  /** The number of assigned jobs that are not answered yet. */
  get count(): number {
    return this.#handed.length;
  }

  /** These jobs, in the order in which the worker takes them. */
  held(): Entry[] {
    return this.#handed.map(({ entry }) => entry);
  }

  /** The running job. Jobs before it are done, and their answers are on the way. */
  running(): Entry | undefined {
    const firstFree = Atomics.load(this.#next, 0);
    return this.#handed.findLast(({ number }) => number < firstFree)?.entry;
  }

  /** Milliseconds since the first of the held jobs began. */
  runningMs(): number {
    return performance.now() - this.#runningSince;
  }

  /** Milliseconds since it started, or since its last job was answered. */
  idleMs(): number {
    return performance.now() - this.#idleSince;
  }

  hand(entries: readonly Entry[]): void {
    const wasIdle = this.#handed.length === 0;
    const number = this.#end;
    this.#end += BigInt(entries.length);
    this.#handed.push(...entries.map((entry, index) => ({ number: number + BigInt(index), entry })));
    this.#worker.postMessage({ number, jobs: entries.map(({ job }) => job) } satisfies HandedJobs<Job>);
    const [first] = entries;
    if (!wasIdle || first === undefined) return;
    this.#worker.ref();
    this.#begin(first);
  }

  /** Withdraws the jobs that the worker has not begun. */
  takeBack(): Entry[] {
    let firstFree = Atomics.load(this.#next, 0);
    // Repeated if the worker takes another job at the same moment.
    for (let found = -1n; found !== firstFree; ) {
      found = firstFree;
      firstFree = Atomics.compareExchange(this.#next, 0, found, this.#end);
    }
    const begun = this.#handed.filter(({ number }) => number < firstFree);
    const back = this.#handed.slice(begun.length).map(({ entry }) => entry);
    this.#handed = begun;
    if (begun.length === 0) this.#rest();
    return back;
  }

  /** Terminates the worker because of a job, or because it is spent. Its jobs are settled when it has exited. */
  terminate(forEntry?: Entry): void {
    this.#state = 'ending';
    this.#terminatedFor = forEntry;
    void this.#worker.terminate();
  }

  /** Terminates the worker. Resolves once it has exited. */
  close(): Promise<unknown> {
    this.#state = 'ending';
    return this.#worker.terminate();
  }

  #answerFirst(answer: Answer, tookMs: number): void {
    const answered = this.#handed.shift();
    const [following] = this.#handed;
    if (following === undefined) {
      this.#idleSince = performance.now();
      this.#rest();
    } else this.#begin(following.entry);
    if (answered !== undefined) this.#options.onAnswer(answered.entry, answer, tookMs);
  }

  #begin({ job }: Entry): void {
    this.#runningSince = performance.now();
    this.#startDeadline(this.#options.deadlineMs(job));
  }

  #startDeadline(milliseconds: number): void {
    const first = this.#handed[0]?.entry;
    if (first === undefined || this.#state !== 'ready') return;
    const since = performance.now();
    const last = since + milliseconds * MOST_DEADLINES;
    const wait = (next: number): void => {
      clearTimeout(this.#deadline);
      const timer = setTimeout(() => {
        // If the main thread was busy, an answer or a new deadline may have arrived together with this timer; it takes precedence.
        setImmediate(async () => {
          const isOver = (): boolean =>
            this.#handed[0]?.entry === first && this.#state === 'ready' && this.#deadline === timer;
          if (!isOver()) return;
          const remaining = performance.now() < last ? milliseconds - (await this.#cpuUsed(since)) : 0;
          if (!isOver()) return;
          if (remaining > 0) wait(remaining);
          else this.terminate(first);
        });
      }, next);
      this.#deadline = timer;
    };
    wait(milliseconds);
  }

  /**
   * The processor time of the running job, in milliseconds; infinite if the worker does not report it.
   * @param since when the job began or got a new deadline
   */
  async #cpuUsed(since: number): Promise<number> {
    if (!('cpuUsage' in this.#worker)) return (performance.now() - since) * ASSUMED_SHARE;
    let timer: NodeJS.Timeout | undefined;
    const impatient = new Promise<number>((resolve) => {
      timer = setTimeout(resolve, CPU_ANSWER_MS, Number.POSITIVE_INFINITY);
    });
    const used = this.#worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000 - this.#cpuBefore,
      () => Number.POSITIVE_INFINITY,
    );
    const cpu = await Promise.race([used, impatient]);
    clearTimeout(timer);
    return cpu;
  }

  #rest(): void {
    clearTimeout(this.#deadline);
    // A terminated worker keeps the process alive until it has exited, since its jobs are settled then.
    if (this.#state !== 'ending') this.#worker.unref();
  }
}

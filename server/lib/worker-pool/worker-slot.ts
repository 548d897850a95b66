// One worker and the jobs that it holds.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { HandedJobs, Reply, WorkerStart } from './messages.ts';

/** A job that a worker was handed, with its number there. */
interface Handed<Entry> {
  number: bigint;
  entry: Entry;
}

export interface WorkerSlot<Entry> {
  readonly state: 'starting' | 'ready' | 'ending';
  /** How many jobs the worker was handed and has not answered. */
  readonly count: number;
  /** Those jobs, in the order in which it takes them. */
  held: () => Entry[];
  /** The job that the worker carries out. Those before it have been answered, and their answers are on the way. */
  running: () => Entry | undefined;
  /** Milliseconds since the first of the held jobs began. */
  runningMs: () => number;
  hand: (entries: readonly Entry[]) => void;
  /** Takes back what the worker has not begun. */
  takeBack: () => Entry[];
  /** Terminates the worker for a job, or because it is spent. What it holds is settled when it has exited. */
  terminate: (terminatedFor?: Entry) => void;
  /** Terminates the worker. Resolves once it has exited. */
  close: () => Promise<unknown>;
}

/** What became of the jobs that a worker held when it exited. */
export interface Exit<Entry> {
  hadStarted: boolean;
  /** The job that ended the worker, by its deadline or by itself. */
  ended: { entry: Entry; how: 'late' | 'lost'; tookMs: number } | undefined;
  /** Jobs that another worker has to carry out. */
  back: Entry[];
}

export interface SlotOptions<Job, Answer, Entry extends { job: Job }> {
  script: URL;
  data: unknown;
  limits: ResourceLimits;
  deadlineMs: (job: Job) => number;
  onReady: () => void;
  onAnswer: (entry: Entry, answer: Answer, tookMs: number) => void;
  /** Called once. Everything that the worker sent before has arrived. */
  onExit: (exit: Exit<Entry>) => void;
}

/** A job that gets little of the processor ends after so many times its deadline all the same. */
const MOST_DEADLINES = 10;
/** How long a worker may take to say how much processor time it used: work that cannot be interrupted lets it say nothing. */
const CPU_ANSWER_MS = 1000;

/** The only variable a worker gets: with Node's cache of compiled modules, it starts three times as fast. */
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
  /** The number of the next job that it is handed. */
  let end = 0n;
  let deadline: NodeJS.Timeout | undefined;
  let runningSince = 0;
  /** The worker's processor time when its job began, or was given another deadline, in milliseconds. */
  let cpuBefore = 0;
  let terminatedFor: Entry | undefined;

  const worker = new Worker(script, {
    workerData: { data, next } satisfies WorkerStart,
    env: WORKER_ENVIRONMENT,
    // Libraries that print in a worker have nobody to print for.
    stdout: true,
    stderr: true,
    resourceLimits: limits,
  });
  // Without a job it does not keep the process alive.
  worker.unref();
  worker.on('message', (reply: Reply<Answer>) => {
    cpuBefore = reply.cpuMs;
    if ('isReady' in reply) {
      hadStarted = true;
      if (state === 'starting') state = 'ready';
      onReady();
    } else if ('answer' in reply) {
      if (reply.isSpent) terminate();
      answerFirst(reply.answer, reply.tookMs);
    } else startDeadline(reply.deadlineMs);
  });
  // Its exit follows, after everything that it sent.
  worker.on('error', () => {});
  worker.on('exit', () => {
    const begun = running();
    rest();
    // Terminated for another job, which was answered meanwhile: this one has done nothing wrong.
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
    const taken = Atomics.load(next, 0);
    return handed.findLast(({ number }) => number < taken)?.entry;
  }

  function answerFirst(answer: Answer, tookMs: number): void {
    const answered = handed.shift();
    const [following] = handed;
    if (following === undefined) rest();
    else begin(following.entry);
    if (answered !== undefined) onAnswer(answered.entry, answer, tookMs);
  }

  function begin({ job }: Entry): void {
    runningSince = performance.now();
    startDeadline(deadlineMs(job));
  }

  function startDeadline(milliseconds: number): void {
    const first = handed[0]?.entry;
    if (first === undefined || state !== 'ready') return;
    const last = performance.now() + milliseconds * MOST_DEADLINES;
    const wait = (next: number): void => {
      clearTimeout(deadline);
      const timer = setTimeout(() => {
        // A main thread that was busy finds the deadline and the answer, or a new deadline, at once; those count.
        setImmediate(async () => {
          const isOver = (): boolean => handed[0]?.entry === first && state === 'ready' && deadline === timer;
          if (!isOver()) return;
          const left = performance.now() < last ? milliseconds - (await cpuUsed()) : 0;
          if (!isOver()) return;
          if (left > 0) wait(left);
          else terminate(first);
        });
      }, next);
      deadline = timer;
    };
    wait(milliseconds);
  }

  /** The processor time of the running job, in milliseconds; infinite where its worker does not say. */
  async function cpuUsed(): Promise<number> {
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
    // An answer may arrive while a terminated worker ends, and nothing else may keep the process alive until it has.
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
      let taken = Atomics.load(next, 0);
      // Repeated when the worker takes another job at this very moment.
      for (let found = -1n; found !== taken; ) {
        found = taken;
        taken = Atomics.compareExchange(next, 0, found, end);
      }
      const kept = handed.filter(({ number }) => number < taken);
      const back = handed.slice(kept.length).map(({ entry }) => entry);
      handed = kept;
      if (kept.length === 0) rest();
      return back;
    },
    terminate,
    close() {
      state = 'ending';
      return worker.terminate();
    },
  };
}

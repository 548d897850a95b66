// A process in which models are loaded and run. It has an empty folder, an empty environment and a limit of memory, and
// it is ended when an answer takes too long, since a model that runs cannot be interrupted.
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../clock.ts';
import { type Refused, unavailable } from '../rejection.ts';
import { type Fault, FaultyModel } from './fault.ts';
import {
  type Batch,
  MEMORY_LIMIT_KB,
  type ModelPart,
  PART_BYTES,
  type ProcessAnswer,
  type ProcessRequest,
  type TensorData,
} from './process-protocol.ts';
import type { ModelFacts } from './read-model.ts';
import { createModelFolder } from './model-folders.ts';
import { outputValues } from './output.ts';
import type { Signature } from './signature.ts';

export interface ModelProcess {
  readonly hasEnded: boolean;
  /** Requests are sent one at a time. @throws FaultyModel */
  load(key: string, model: Uint8Array, signature: Signature, deadlineMs: number): Promise<ModelFacts>;
  /** The output's values, of the declared shape, finite, and in order. @throws FaultyModel */
  run(key: string, batch: Batch, deadlineMs: number): Promise<Float32Array>;
  release(key: string): Promise<void>;
  /** Resolves once it has exited and its folder is removed. */
  readonly exited: Promise<void>;
  /** Ends the process, and resolves as `exited`. */
  end(): Promise<void>;
}

export interface ProcessOptions {
  /** The module of the runtime. */
  runtime: string;
  clock: Clock;
  startMs: number;
}

const RELEASE_MS = 10_000;
const START_RETRY_SECONDS = 10;
/** Allocated memory, no core dump, and no file that is written to. A limit that cannot be set is already lower. */
const LIMITS = `ulimit -d ${MEMORY_LIMIT_KB} 2>/dev/null; ulimit -c 0 2>/dev/null; ulimit -f 0 2>/dev/null; exec "$0" "$@"`;

/** @throws Refused `unavailable` when the process does not start */
export async function startModelProcess({ runtime, clock, startMs }: ProcessOptions): Promise<ModelProcess> {
  const folder = createModelFolder();
  const child = start(runtime, folder);
  const loaded = new Map<string, { signature: Signature; inputs: readonly string[] }>();
  let waiting: PromiseWithResolvers<ProcessAnswer> | undefined;
  /** Why the process was ended, or ended. */
  let fault: Fault | undefined;
  let isLoading = false;

  const exited = new Promise<void>((resolve) => {
    const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
      fault ??= faultOfExit(code, signal, isLoading);
      waiting?.reject(new FaultyModel(fault.kind, fault.detail));
      rmSync(folder, { recursive: true, force: true });
      resolve();
    };
    child.once('exit', onEnd);
    child.once('error', () => {
      if (child.pid === undefined) onEnd(null, null);
    });
  });
  child.on('message', (answer: ProcessAnswer) => waiting?.resolve(answer));

  /** @param ask sends the request that is answered; the first answer comes unasked */
  async function answerWithin(milliseconds: number, ask?: () => Promise<void>): Promise<ProcessAnswer> {
    if (fault !== undefined) throw new FaultyModel(fault.kind, fault.detail);
    waiting = Promise.withResolvers();
    const cancel = clock.wakeAfter(milliseconds, () => {
      fault = { kind: 'time', detail: `The model took longer than ${milliseconds / 1000} s; make it smaller.` };
      child.kill('SIGKILL');
    });
    try {
      const [answer] = await Promise.all([waiting.promise, ask?.()]);
      return answer;
    } finally {
      cancel();
      waiting = undefined;
    }
  }

  /** Resolves once the message is written. A failure to write it is followed by the exit. */
  const send = (message: ModelPart | ProcessRequest): Promise<void> =>
    new Promise((resolve) => child.send(message, () => resolve()));

  async function request(message: ProcessRequest, deadlineMs: number, model?: Uint8Array): Promise<ProcessAnswer> {
    isLoading = message.request === 'load';
    const answer = await answerWithin(deadlineMs, async () => {
      const size = model?.length ?? 0;
      for (let at = 0; at < size && fault === undefined; at += PART_BYTES) {
        await send({ part: model?.subarray(at, at + PART_BYTES) ?? new Uint8Array(), at, size });
      }
      await send(message);
    });
    if (answer.answer === 'fault') throw new FaultyModel(answer.fault.kind, answer.fault.detail);
    return answer;
  }

  async function end(): Promise<void> {
    fault ??= { kind: 'run', detail: 'The model process was ended.' };
    child.kill('SIGKILL');
    await exited;
  }

  const first = await answerWithin(startMs).catch(
    (): ProcessAnswer => ({ answer: 'no_runtime', detail: 'it ended at once' }),
  );
  if (first.answer !== 'ready') {
    await end();
    throw notStarted(first);
  }

  return {
    get hasEnded() {
      return fault !== undefined;
    },
    async load(key, model, signature, deadlineMs) {
      const answer = await request({ request: 'load', key, signature }, deadlineMs, model);
      if (answer.answer !== 'loaded') throw wrongAnswer();
      loaded.set(key, { signature, inputs: answer.facts.inputs });
      return answer.facts;
    },
    async run(key, batch, deadlineMs) {
      const model = loaded.get(key);
      if (model === undefined) throw new Error(`No model ${key} is loaded.`);
      // What is sent is copied by the thread that sends it.
      const tensors = Object.fromEntries(model.inputs.map((name) => [name, tensorOf(batch, name)]));
      const answer = await request({ request: 'run', key, batch: { rows: batch.rows, tensors } }, deadlineMs);
      if (answer.answer !== 'ran') throw wrongAnswer();
      return outputValues(answer, model.signature.output, batch.rows);
    },
    async release(key) {
      loaded.delete(key);
      await request({ request: 'release', key }, RELEASE_MS);
    },
    exited,
    end,
  };
}

function notStarted(first: Exclude<ProcessAnswer, { answer: 'ready' }>): Refused {
  const why = first.answer === 'no_runtime' ? first.detail : 'it gave a wrong answer';
  return unavailable(`The process that runs models does not start: ${why}. Try again later.`, {
    because: 'model_process_failed',
    retryAfter: START_RETRY_SECONDS,
  });
}

function tensorOf({ tensors }: Batch, name: string): TensorData {
  const data = tensors[name];
  if (data === undefined) throw new Error(`The batch has no ${name}.`);
  return data;
}

function start(runtime: string, folder: string): ChildProcess {
  const program = fileURLToPath(new URL('./model-child.ts', import.meta.url));
  const command = [process.execPath, program, runtime, folder];
  const isWindows = process.platform === 'win32';
  const [executable = '', ...args] = isWindows ? command : ['/bin/sh', '-c', LIMITS, ...command];
  const child = spawn(executable, args, {
    cwd: folder,
    env: environment(),
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  // Its end is seen by its exit.
  child.stdin?.on('error', () => {});
  return child;
}

/** Nothing of the server's, but what Node needs to start on Windows and in the desktop app. */
function environment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return {
    ...(process.platform === 'win32' && SystemRoot !== undefined ? { SystemRoot } : {}),
    ...(process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }),
  };
}

/** How V8 and the C++ library end a process without memory, and how the system does. */
const MEMORY_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGKILL'];

function faultOfExit(code: number | null, signal: NodeJS.Signals | null, isLoading: boolean): Fault {
  if (MEMORY_SIGNALS.includes(signal)) {
    return { kind: 'memory', detail: 'The model process ended because it had no memory left; use smaller tensors.' };
  }
  const how = signal === null ? `with the code ${code}` : `with ${signal}`;
  const when = isLoading ? 'was loaded' : 'ran';
  return { kind: isLoading ? 'load' : 'run', detail: `The model process ended ${how} while the model ${when}.` };
}

function wrongAnswer(): FaultyModel {
  return new FaultyModel('run', 'The model process gave a wrong answer.');
}

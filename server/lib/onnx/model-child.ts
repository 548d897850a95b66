// The program of a model process. Its arguments are the module of the runtime and its own empty folder.
// 1. It reads a model by our own rules before the runtime gets it.
// 2. It ends when its standard input does, also while a model runs: a thread watches for the end of the server.
// 3. It answers each request once, in order, and the server ends it with SIGKILL.
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
import { type Fault, FaultyModel } from './fault.ts';
import {
  type Batch,
  MEMORY_LIMIT_KB,
  type ModelPart,
  type ProcessAnswer,
  type ProcessRequest,
  type TensorData,
} from './process-protocol.ts';
import { type ModelFacts, readModel } from './read-model.ts';
import type { Signature, TensorSpec } from './signature.ts';

/** The part of onnxruntime-node that is used. Its own types are missing where the optional package is. */
interface Runtime {
  Tensor: new (type: string, data: TensorData, dims: readonly number[]) => object;
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
}

interface Session {
  run(
    feeds: Readonly<Record<string, object>>,
  ): Promise<Record<string, { type: string; dims: readonly number[]; data: unknown }>>;
  release(): Promise<void>;
}

const SESSION_OPTIONS = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Memory is returned when it is free, so that one model's peak is not held against the next.
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 4,
  extra: { session: { load_model_format: 'ONNX' } },
};

const WATCH_MEMORY_MS = 50;
const LONGEST_MESSAGE = 600;

const [module = '', folder = ''] = process.argv.slice(2);
if (isMainThread) serve();
else watch();

function watch(): void {
  const end = (): void => {
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, 'SIGKILL');
  };
  new Socket({ fd: 0 }).on('error', end).on('close', end).resume();
  // Elsewhere the system does not limit what a process allocates.
  if (process.platform === 'linux') return;
  setInterval(() => {
    if (process.memoryUsage.rss() > MEMORY_LIMIT_KB * 1024) end();
  }, WATCH_MEMORY_MS);
}

function serve(): void {
  // A server that ends early closes the channel before the thread watches, and nothing keeps the process running then.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  // A second instance of V8 reserves more than the limit leaves, unless its limits are lower.
  const resourceLimits = { codeRangeSizeMb: 8, maxOldGenerationSizeMb: 16 };
  new Worker(new URL('./model-child.ts', import.meta.url), { argv: [module, folder], env: {}, resourceLimits }).unref();
  const runtime = loadRuntime();
  if (typeof runtime === 'string') return send({ answer: 'no_runtime', detail: runtime });
  const models = new Map<string, LoadedModel>();
  const parts = createParts();
  process.on('message', async (message: ModelPart | ProcessRequest) => {
    if ('part' in message) return parts.add(message);
    try {
      send(await answerRequest(message, runtime, parts, models));
    } catch (error) {
      send({ answer: 'fault', fault: faultOf(error, message) });
    }
  });
  send({ answer: 'ready' });
}

/** Puts a model together. What goes wrong is thrown when the model is taken. */
function createParts(): { add: (part: ModelPart) => void; take: () => Uint8Array } {
  let model = new Uint8Array();
  let failure: unknown;
  return {
    add({ part, at, size }) {
      try {
        if (at === 0) {
          failure = undefined;
          model = new Uint8Array(size);
        }
        model.set(part, at);
      } catch (error) {
        failure = error;
      }
    },
    take() {
      if (failure !== undefined) throw failure;
      const taken = model;
      model = new Uint8Array();
      return taken;
    },
  };
}

interface LoadedModel {
  session: Session;
  signature: Signature;
  facts: ModelFacts;
}

async function answerRequest(
  request: ProcessRequest,
  runtime: Runtime,
  parts: { take: () => Uint8Array },
  models: Map<string, LoadedModel>,
): Promise<ProcessAnswer> {
  switch (request.request) {
    case 'load': {
      const { key, signature } = request;
      const model = parts.take();
      const facts = readModel(model, signature);
      models.set(key, { facts, signature, session: await runtime.InferenceSession.create(model, SESSION_OPTIONS) });
      return { answer: 'loaded', facts };
    }
    case 'run': {
      const { session, signature, facts } = loaded(request.key, models);
      const outputs = await session.run(feedsOf(runtime, signature, facts, request.batch));
      const output = outputs[signature.output.name];
      if (output === undefined) throw new FaultyModel('run', `The model returned no \`${signature.output.name}\`.`);
      return { answer: 'ran', type: output.type, dims: output.dims, data: output.data };
    }
    case 'release': {
      const { session } = loaded(request.key, models);
      models.delete(request.key);
      await session.release();
      return { answer: 'released' };
    }
  }
}

function loaded(key: string, models: ReadonlyMap<string, LoadedModel>): LoadedModel {
  const model = models.get(key);
  if (model === undefined) throw new Error(`No model ${key} is loaded.`);
  return model;
}

function feedsOf(runtime: Runtime, signature: Signature, facts: ModelFacts, batch: Batch): Record<string, object> {
  const feed = ({ name, type, dims }: TensorSpec): [string, object] => {
    const data = batch.tensors[name];
    if (data === undefined) throw new Error(`The batch has no ${name}.`);
    return [
      name,
      new runtime.Tensor(
        type,
        data,
        dims.map((dim) => (dim === 'batch' ? batch.rows : dim)),
      ),
    ];
  };
  return Object.fromEntries(signature.inputs.filter(({ name }) => facts.inputs.includes(name)).map(feed));
}

function loadRuntime(): Runtime | string {
  try {
    return createRequire(import.meta.url)(module) as Runtime;
  } catch (error) {
    return wordsOf(error);
  }
}

function faultOf(error: unknown, { request }: ProcessRequest): Fault {
  if (error instanceof FaultyModel) return error.fault;
  const words = wordsOf(error);
  if (/bad_alloc|[Ff]ailed to allocate|[Aa]llocation failed/.test(words)) {
    const limit = `${Math.round(MEMORY_LIMIT_KB / 1000)} MB`;
    return { kind: 'memory', detail: `The model needs more than ${limit} of memory; use smaller tensors. (${words})` };
  }
  return request === 'load'
    ? { kind: 'load', detail: `onnxruntime cannot load the model: ${words}` }
    : { kind: 'run', detail: `The model failed while it ran: ${words}` };
}

function wordsOf(error: unknown): string {
  const words = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim();
  return words.length > LONGEST_MESSAGE ? `${words.slice(0, LONGEST_MESSAGE)}…` : words;
}

function send(answer: ProcessAnswer): void {
  process.send?.(answer);
}

// The caller's side: a worker thread that starts with the first call, ends after a while without one, and is replaced
// after it ended.
import { MessageChannel, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { Refused, serviceFailed, unavailable } from '../rejection.ts';
import type { CallerMessage, CallMessage, WorkerMessage } from './messages.ts';

export interface CallOptions {
  /** Aborted when the caller no longer waits. The call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What the worker gets for a part, and the memory that moves to it. */
export interface Reply {
  reply: unknown;
  transfer: readonly ArrayBuffer[];
}

export interface Call<Request> extends CallOptions {
  request: Request;
  /** What the worker may ask for. It is read only as fast as the worker takes it. */
  source?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Memory that moves to the worker. */
  transfer?: readonly ArrayBuffer[] | undefined;
  /** Takes a part of a streamed answer; the worker makes the next one when the promise is fulfilled, and gets its reply. */
  onPart?: ((part: unknown) => Promise<Reply | void>) | undefined;
}

/** The only variable a worker gets: with Node's cache of compiled modules, it starts three times as fast. */
const { NODE_COMPILE_CACHE } = process.env;
const ENVIRONMENT = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

export interface CallWorkerOptions {
  limits: ResourceLimits;
  workerData?: unknown;
  /** Is called with what a worker failed with; the caller gets `internal` and no details. */
  onFailure: (message: string) => void;
  clock: Clock;
  /** Milliseconds without a call after which the worker ends. */
  idleMs: number;
}

interface Running {
  worker: Worker;
  open: Set<(error: Error) => void>;
  cancelIdle?: () => void;
}

export class CallWorker<Request> {
  readonly #script: URL;
  readonly #options: CallWorkerOptions;
  #running: Running | undefined;
  #isClosed = false;

  constructor(script: URL, options: CallWorkerOptions) {
    this.#script = script;
    this.#options = options;
  }

  /**
   * @throws Refused what the worker refused; `unavailable` where the worker ended, and once this is closed
   * @throws what the source throws, and the reason of the signal
   */
  call({ request, source, signal, transfer = [], onPart }: Call<Request>): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(stopping());
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    this.#running ??= this.#start();
    const used = this.#running;
    const { worker, open } = used;
    used.cancelIdle?.();
    const { port1: port, port2 } = new MessageChannel();
    const post = (message: CallerMessage, moved: readonly ArrayBuffer[] = []): void =>
      port.postMessage(message, [...moved]);
    let chunks: AsyncIterator<Uint8Array> | undefined;

    return new Promise<unknown>((resolve, reject) => {
      const leave = (): void => {
        signal?.removeEventListener('abort', onAbort);
        open.delete(fail);
        if (open.size === 0) {
          worker.unref();
          used.cancelIdle = this.#options.clock.wakeAfter(this.#options.idleMs, () => void this.#end(used));
        }
        port.close();
        // A source that is a stream must not stay open.
        void chunks?.return?.()?.catch(() => undefined);
      };
      const fail = (error: Error): void => {
        leave();
        reject(error);
      };
      const abandon = (error: unknown): void => {
        if (!open.has(fail)) return;
        post({ kind: 'abort' });
        fail(error instanceof Error ? error : new Error(String(error)));
      };
      const onAbort = (): void => abandon(signal === undefined ? undefined : reasonOf(signal));
      const pull = async (): Promise<void> => {
        chunks ??= source?.()[Symbol.asyncIterator]();
        const next = await chunks?.next();
        if (!open.has(fail)) return;
        if (next === undefined || next.done === true) return post({ kind: 'end' });
        // A view of a larger buffer would take all of it along.
        const chunk = new Uint8Array(next.value);
        post({ kind: 'chunk', chunk }, [chunk.buffer]);
      };
      const take = async (part: unknown): Promise<void> => {
        const { reply, transfer: moved } = (await onPart?.(part)) ?? { reply: undefined, transfer: [] };
        if (open.has(fail)) post({ kind: 'more', reply }, moved);
      };
      open.add(fail);
      worker.ref();
      signal?.addEventListener('abort', onAbort, { once: true });
      port.on('message', (message: WorkerMessage) => {
        switch (message.kind) {
          case 'pull':
            pull().catch(abandon);
            return;
          case 'part':
            take(message.part).catch(abandon);
            return;
          case 'answer':
            leave();
            resolve(message.answer);
            return;
          case 'refused':
            fail(new Refused(message.rejection));
            return;
          case 'failed':
            this.#options.onFailure(message.message);
            fail(serviceFailed());
        }
      });
      worker.postMessage({ request, port: port2 } satisfies CallMessage<Request>, [
        port2,
        ...transfer,
      ] as Transferable[]);
    });
  }

  /** Ends the worker. Open calls are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(this.#running);
  }

  #start(): Running {
    const worker = new Worker(this.#script, {
      env: ENVIRONMENT,
      stdout: true,
      stderr: true,
      resourceLimits: this.#options.limits,
      workerData: this.#options.workerData,
    });
    const started: Running = { worker, open: new Set() };
    worker.unref();
    worker.on('error', (error) => this.#options.onFailure(error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => {
      started.cancelIdle?.();
      if (this.#running === started) this.#running = undefined;
      for (const reject of started.open) reject(this.#isClosed ? stopping() : ended());
    });
    return started;
  }

  async #end(ending: Running | undefined): Promise<void> {
    ending?.cancelIdle?.();
    if (this.#running === ending) this.#running = undefined;
    await ending?.worker.terminate();
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The call was aborted.');
}

function ended(): Refused {
  return unavailable('The worker that computes forecasts ended; try again.', { retryAfter: 1 });
}

function stopping(): Refused {
  return unavailable('The service is stopping; try again once it is running.', { retryAfter: 5 });
}

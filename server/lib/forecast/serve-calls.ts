// The worker's side of the calls. Calls that read a stream, or work in slices, take turns; each slice is short.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { Refused } from '../rejection.ts';
import type { CallerMessage, CallMessage, WorkerMessage } from './messages.ts';

/** What a call may use while it is executed. */
export interface CallContext {
  /** What the caller streams; each chunk is asked for when it is needed. */
  chunks: () => AsyncGenerator<Uint8Array>;
  /** Sends a part of the answer, waits until the caller has taken it, and returns the caller's reply. */
  send: (part: unknown, transfer?: readonly ArrayBuffer[]) => Promise<unknown>;
  /** Lets other calls have their turn, at most every 5 ms. Long work awaits it often. */
  pause: () => Promise<void>;
}

/** An answer, and the memory that moves to the caller with it. */
export interface CallAnswer {
  answer: unknown;
  transfer?: readonly ArrayBuffer[];
}

type CarryOut<Request> = (request: Request, context: CallContext) => Promise<CallAnswer> | CallAnswer;

/** Thrown at the next pause of a call whose caller left. */
class Abandoned extends Error {}

const SLICE_MS = 5;

/** Carries out calls from now on. */
export function serveCalls<Request>(answerCall: CarryOut<Request>): void {
  parentPort?.on('message', ({ request, port }: CallMessage<Request>) => {
    void answer(port, (context) => answerCall(request, context));
  });
}

async function answer(
  port: MessagePort,
  answerCall: (context: CallContext) => Promise<CallAnswer> | CallAnswer,
): Promise<void> {
  const post = (message: WorkerMessage, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, [...transfer]);
  try {
    const { answer: value, transfer } = await answerCall(contextOf(port, post));
    post({ kind: 'answer', answer: value }, transfer);
  } catch (error) {
    if (error instanceof Abandoned) return;
    if (error instanceof Refused) post({ kind: 'refused', rejection: error.rejection });
    else post({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  } finally {
    port.close();
  }
}

function contextOf(
  port: MessagePort,
  post: (message: WorkerMessage, transfer?: readonly ArrayBuffer[]) => void,
): CallContext {
  let isAbandoned = false;
  let waiting: { resolve: (message: CallerMessage) => void; reject: (error: Error) => void } | undefined;
  let sliceBegan = performance.now();

  const leave = (): void => {
    isAbandoned = true;
    waiting?.reject(new Abandoned());
  };
  port.on('close', leave);
  port.on('message', (message: CallerMessage) => {
    if (message.kind === 'abort') leave();
    else waiting?.resolve(message);
  });

  async function exchange(message: WorkerMessage, transfer?: readonly ArrayBuffer[]): Promise<CallerMessage> {
    if (isAbandoned) throw new Abandoned();
    const reply = new Promise<CallerMessage>((resolve, reject) => {
      waiting = { resolve, reject };
    });
    post(message, transfer);
    const received = await reply;
    sliceBegan = performance.now();
    return received;
  }

  return {
    async *chunks() {
      for (;;) {
        const message = await exchange({ kind: 'pull' });
        if (message.kind !== 'chunk') return;
        yield message.chunk;
      }
    },
    async send(part, transfer) {
      const received = await exchange({ kind: 'part', part }, transfer);
      return received.kind === 'more' ? received.reply : undefined;
    },
    async pause() {
      if (performance.now() - sliceBegan < SLICE_MS) return;
      await new Promise((resolve) => setImmediate(resolve));
      if (isAbandoned) throw new Abandoned();
      sliceBegan = performance.now();
    },
  };
}

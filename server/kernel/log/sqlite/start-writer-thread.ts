// Starts the thread whose connection writes, and sends batches to it.
import { Worker } from 'node:worker_threads';
import type { SendBatch } from './transaction.ts';
import type { Batch, BatchReply } from './writer.ts';

export interface WriterThread {
  /** Closes the database and ends the thread. */
  close: () => Promise<void>;
}

const { NODE_COMPILE_CACHE } = process.env;
const WITHOUT_SECRETS = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

export interface WriterThreadOptions {
  /** Called once its connection is open. @param send replies come in the order of the batches */
  onReady: (send: SendBatch) => void;
  /** Called where the thread ends by itself; batches that were sent are then not answered. */
  onEnd: (reason: string) => void;
}

export function startWriterThread(file: string, { onReady, onEnd }: WriterThreadOptions): WriterThread {
  const script = new URL('./writer-thread.ts', import.meta.url);
  const thread = new Worker(script, { name: 'writer', workerData: { file }, env: WITHOUT_SECRETS });
  const waiting: ((reply: BatchReply) => void)[] = [];
  const exited = Promise.withResolvers<void>();
  let isClosing = false;
  let reason = 'without an error';
  // It keeps the process alive only while a reply is awaited.
  thread.unref();
  thread.on('message', (reply: BatchReply | 'ready') => {
    if (reply === 'ready') return onReady(send);
    waiting.shift()?.(withBuffers(reply));
    if (waiting.length === 0) thread.unref();
  });
  thread.on('error', (error) => {
    reason = error instanceof Error ? error.message : String(error);
  });
  thread.on('exit', () => {
    exited.resolve();
    if (!isClosing) onEnd(reason);
  });
  const send = (batch: Batch): Promise<BatchReply> =>
    new Promise((resolve) => {
      if (waiting.length === 0) thread.ref();
      waiting.push(resolve);
      thread.postMessage(batch);
    });
  return {
    async close() {
      isClosing = true;
      thread.ref();
      thread.postMessage('close');
      await exited.promise;
    },
  };
}

/** Bytes arrive as Uint8Array; those who read rows expect what SQLite gives on this thread. */
function withBuffers(reply: BatchReply): BatchReply {
  for (const result of reply.results) {
    if (typeof result !== 'object' || result === null) continue;
    for (const row of Array.isArray(result) ? result : [result]) {
      for (const [column, value] of Object.entries(row as Record<string, unknown>)) {
        if (value instanceof Uint8Array) row[column] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      }
    }
  }
  return reply;
}

// A worker whose calls do what can happen in one.
import { threadId } from 'node:worker_threads';
import { serveCalls } from './serve-calls.ts';

export type TestCall = 'echo' | 'exit' | 'fail' | 'count parts' | 'endless' | 'thread' | 'ask back';

let parts = 0;

serveCalls<TestCall>(async (call, { chunks, send, pause }) => {
  switch (call) {
    case 'echo': {
      const bytes: number[] = [];
      for await (const chunk of chunks()) bytes.push(...chunk);
      return { answer: bytes };
    }
    case 'exit':
      return process.exit(1);
    case 'fail':
      throw new Error('A secret of the worker.');
    case 'count parts':
      return { answer: parts };
    case 'thread':
      return { answer: threadId };
    case 'ask back': {
      const replies: number[] = [];
      for (const part of [1, 2, 3]) replies.push(...((await send(part)) as Float32Array));
      return { answer: replies };
    }
    case 'endless':
      for (;;) {
        await pause();
        await send((parts += 1));
      }
  }
});

import { expect, onTestFinished, test } from 'vitest';
import { type Clock, createFakeClock, systemClock } from '../clock.ts';
import { CallWorker } from './call-worker.ts';
import type { TestCall } from './call-worker.testing.ts';
import { chunksOf } from './panels.testing.ts';

const SCRIPT = new URL('./call-worker.testing.ts', import.meta.url);

function givenWorker(clock: Clock = systemClock): { worker: CallWorker<TestCall>; failures: string[] } {
  const failures: string[] = [];
  const limits = { maxOldGenerationSizeMb: 64 };
  const worker = new CallWorker<TestCall>(SCRIPT, {
    limits,
    clock,
    idleMs: 1000,
    onFailure: (message) => failures.push(message),
  });
  onTestFinished(() => worker.close());
  return { worker, failures };
}

test('a chunk that is part of a larger buffer arrives alone', async () => {
  const { worker } = givenWorker();
  const large = Uint8Array.of(1, 2, 3, 4, 5);
  const source = (): AsyncIterable<Uint8Array> => chunksOf(large, [2]);
  expect(await worker.call({ request: 'echo', source })).toEqual([1, 2, 3, 4, 5]);
  expect([...large]).toEqual([1, 2, 3, 4, 5]);
});

test('a worker that ends refuses its calls, and the next call starts another one', async () => {
  const { worker } = givenWorker();
  const waiting = worker.call({ request: 'endless', onPart: () => new Promise(() => {}) });
  const ends = worker.call({ request: 'exit' });
  for (const call of [waiting, ends]) {
    await expect(call).rejects.toMatchObject({ rejection: { reason: 'unavailable', retryAfter: 1 } });
  }
  expect(await worker.call({ request: 'echo' })).toEqual([]);
});

test('an error of the worker is reported, and the caller gets no details', async () => {
  const { worker, failures } = givenWorker();
  const refused: unknown = await worker.call({ request: 'fail' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ rejection: { reason: 'internal' } });
  expect(String(refused)).not.toContain('secret');
  expect(failures).toEqual([expect.stringContaining('A secret of the worker.')]);
});

test('parts are made as they are taken, and no more once the caller left', async () => {
  const { worker } = givenWorker();
  const controller = new AbortController();
  const taken: unknown[] = [];
  const onPart = async (part: unknown): Promise<void> => {
    taken.push(part);
    if (taken.length === 3) controller.abort(new Error('The caller left.'));
  };
  await expect(worker.call({ request: 'endless', signal: controller.signal, onPart })).rejects.toThrow(
    'The caller left.',
  );
  expect(taken).toEqual([1, 2, 3]);
  expect(await worker.call({ request: 'count parts' })).toBe(3);
});

test('a signal that was aborted before starts no call', async () => {
  const { worker } = givenWorker();
  const signal = AbortSignal.abort(new Error('The caller left.'));
  await expect(worker.call({ request: 'exit', signal })).rejects.toThrow('The caller left.');
  expect(await worker.call({ request: 'echo' })).toEqual([]);
});

test('a worker without calls for a while ends, and the next call starts another one', async () => {
  const clock = createFakeClock();
  const { worker } = givenWorker(clock);
  const thread = await worker.call({ request: 'thread' });
  clock.advance(999);
  expect(await worker.call({ request: 'thread' })).toBe(thread);
  // The time counts from the last call.
  clock.advance(999);
  expect(await worker.call({ request: 'thread' })).toBe(thread);
  clock.advance(1000);
  expect(await worker.call({ request: 'thread' })).not.toBe(thread);
});

test('a worker does not end while a call is open, however long it takes', async () => {
  const clock = createFakeClock();
  const { worker } = givenWorker(clock);
  const thread = await worker.call({ request: 'thread' });
  const held = Promise.withResolvers<void>();
  async function* source(): AsyncGenerator<Uint8Array> {
    await held.promise;
    yield Uint8Array.of(1);
  }
  const open = worker.call({ request: 'echo', source });
  clock.advance(10_000);
  held.resolve();
  expect(await open).toEqual([1]);
  expect(await worker.call({ request: 'thread' })).toBe(thread);
});

test('a part is answered with what its receiver replies', async () => {
  const { worker } = givenWorker();
  const onPart = async (part: unknown) => {
    const doubled = Float32Array.of(Number(part) * 2);
    return { reply: doubled, transfer: [doubled.buffer] };
  };
  expect(await worker.call({ request: 'ask back', onPart })).toEqual([2, 4, 6]);
});

// The turns of questions to the process that runs models; a stand-in for the process answers when the test says so.
import { setImmediate as settle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFakeClock } from '../clock.ts';
import { asOwnWork } from '../own-work.ts';
import type { ModelProcess } from './model-process.ts';
import { SIGNATURE } from './models.testing.ts';
import { createWarmProcess } from './warm-process.ts';

test('questions of workflows wait for their turn without a limit, and a request is refused after ten seconds', async () => {
  const clock = createFakeClock();
  const running: (() => void)[] = [];
  const process: ModelProcess = {
    hasEnded: false,
    load: async () => ({ inputs: [], opset: 17 }),
    run: () => new Promise((resolve) => running.push(() => resolve(new Float32Array([1])))),
    release: async () => {},
    exited: new Promise(() => {}),
    end: async () => {},
  };
  const warm = createWarmProcess({
    start: async () => process,
    clock,
    loadMs: 1000,
    runMs: 1000,
    idleMs: 1000,
    busy: () => new Error('busy'),
  });
  const model = { key: 'a', signature: SIGNATURE, read: async () => new Uint8Array(1) };
  const ask = () => warm.ask(model, () => ({ rows: 1, tensors: {} }));
  const steps = Promise.all(Array.from({ length: 5 }, () => asOwnWork({}, ask)));
  await settle();
  const request = ask();
  clock.advance(10_000);
  await expect(request).rejects.toThrow('busy');
  for (let n = 0; n < 5; n += 1) {
    await settle();
    clock.advance(60_000);
    running.shift()?.();
  }
  expect(await steps).toHaveLength(5);
  await warm.end();
});

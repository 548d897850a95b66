import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { createForecaster, type Forecaster } from './index.ts';
import { chunksOf } from './panels.testing.ts';

const FILE = 'series,period,tickets\na,2024-01,1\na,2024-02,2\n';

function givenForecaster(): Forecaster {
  const forecaster = createForecaster({ clock: systemClock, onFailure: (message) => expect.fail(message) });
  onTestFinished(() => forecaster.close());
  return forecaster;
}

test('a dataset is inspected in the worker', async () => {
  const forecaster = givenForecaster();
  const [one, other] = await Promise.all([
    forecaster.inspect(chunksOf(FILE, [3, 30])),
    forecaster.inspect(chunksOf(`${FILE}b,2024-02,2\n`)),
  ]);
  expect(one).toMatchObject({ rows: 2, series: 1, first: '2024-01', last: '2024-02' });
  expect(other).toMatchObject({ rows: 3, series: 2 });
});

test('a refusal comes back as one, and the source is closed', async () => {
  let isClosed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('series,period,tickets\na,never,1\n');
      for (;;) yield Buffer.from('a,2024-01,1\n');
    } finally {
      isClosed = true;
    }
  }
  await expect(givenForecaster().inspect(endless())).rejects.toMatchObject({
    rejection: { reason: 'invalid_input', issues: [{ pointer: '', detail: expect.stringMatching(/^Line 2: /) }] },
  });
  await expect.poll(() => isClosed).toBe(true);
});

test('a source that fails ends the call with its error', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(FILE);
    throw new Error('The upload broke off.');
  }
  const forecaster = givenForecaster();
  await expect(forecaster.inspect(failing())).rejects.toThrow('The upload broke off.');
  expect(await forecaster.inspect(chunksOf(FILE))).toMatchObject({ rows: 2 });
});

test('a caller who leaves gets the reason of the signal', async () => {
  const controller = new AbortController();
  async function* leaving(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(FILE);
    controller.abort(new Error('The caller left.'));
    for (;;) yield Buffer.from('\n');
  }
  await expect(givenForecaster().inspect(leaving(), { signal: controller.signal })).rejects.toThrow('The caller left.');
});

test('closing refuses what is under way and what comes later', async () => {
  const forecaster = givenForecaster();
  const waiting = Promise.withResolvers<void>();
  async function* stuck(): AsyncGenerator<Uint8Array> {
    waiting.resolve();
    await new Promise(() => {});
    yield Buffer.from('');
  }
  const underWay = forecaster.inspect(stuck()).then(String, String);
  await waiting.promise;
  await forecaster.close();
  expect(await underWay).toContain('stopping');
  await expect(forecaster.inspect(chunksOf(FILE))).rejects.toThrow('stopping');
});

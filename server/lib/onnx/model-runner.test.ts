import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { node, tensor } from '../../../resources/trainers/node/onnx.ts';
import { createFakeClock, systemClock } from '../clock.ts';
import { Refused } from '../rejection.ts';
import { createModelRunner, type ModelRunner, type Result, type RunnerOptions } from './model-runner.ts';
import {
  CONTEXT,
  drift,
  endless,
  forecaster,
  fromSum,
  holtWinters,
  holtWintersForecast,
  HORIZON,
  linear,
  seasonalNaive,
  SIGNATURE,
  through,
} from './models.testing.ts';
import type { Batch } from './process-protocol.ts';
import { locateRuntime } from './runtime.ts';

const location = locateRuntime();
if ('reason' in location) console.log(`Skipped: ${location.reason}`);

const shared = createModelRunner({ clock: systemClock });
afterAll(() => shared.close());

function runner(options: Partial<RunnerOptions> = {}): ModelRunner {
  const made = createModelRunner({ clock: systemClock, ...options });
  onTestFinished(() => made.close());
  return made;
}

/** Rows of a sine, each with another phase. */
function sines(rows: number): {
  rows: number;
  tensors: { past_target: Float32Array; past_observed: Float32Array; static: BigInt64Array };
} {
  return {
    rows,
    tensors: {
      past_target: Float32Array.from({ length: rows * CONTEXT }, (_, at) => Math.sin(at * 1.7)),
      past_observed: new Float32Array(rows * CONTEXT).fill(1),
      static: new BigInt64Array(rows * 2).fill(3n),
    },
  };
}

function reading(model: Uint8Array): () => Promise<Uint8Array> {
  return () => Promise.resolve(model);
}

/** Asks the shared process for questions. */
function ask(name: string, bytes: Uint8Array, rows = 2, asked = shared): Promise<Result<Float32Array>> {
  const model = { key: name, signature: SIGNATURE, read: reading(bytes) };
  return asked.ask(model, () => sines(rows));
}

function wordsOf({ fault }: Result<unknown>): string {
  return fault === undefined ? 'none' : `${fault.kind}: ${fault.detail}`;
}

/** The refusal's kind or `because`. */
async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Refused ? (error.rejection.kind ?? error.rejection.because) : undefined;
}

describe('given a machine without onnxruntime-node', () => {
  test('then everything is refused with the reason', async () => {
    const reason = 'Models cannot run: the package is missing.';
    const without = runner({ locate: () => ({ reason }) });
    expect(without.availability).toEqual({ isAvailable: false, reason });
    expect(await refusalOf(without.tryUpload(reading(drift()), SIGNATURE))).toBe('no_model_runtime');
    expect(await refusalOf(without.open(drift(), SIGNATURE))).toBe('no_model_runtime');
    const model = { key: 'a', signature: SIGNATURE, read: reading(drift()) };
    expect(await refusalOf(without.ask(model, () => sines(1)))).toBe('no_model_runtime');
  });

  test('then a runtime that does not load is said in the refusal', async () => {
    const broken = runner({ locate: () => ({ module: '/nowhere/onnxruntime' }) });
    await expect(broken.open(drift(), SIGNATURE)).rejects.toThrow(/does not start: Cannot find module/);
    expect(await refusalOf(broken.tryUpload(reading(drift()), SIGNATURE))).toBe('model_process_failed');
  });
});

describe.skipIf('reason' in location)('given onnxruntime-node', () => {
  test.each([
    ['seasonal naive', seasonalNaive(4), (past: number[]) => past.slice(-4)],
    [
      'drift',
      drift(),
      (past: number[]) =>
        [1, 2, 3, 4].map((h) => (past.at(-1) ?? 0) + (h * ((past.at(-1) ?? 0) - (past[0] ?? 0))) / 11),
    ],
    ['Holt-Winters', holtWinters(), (past: number[]) => holtWintersForecast(past)],
  ])('then %s forecasts what the formula says', async (name, bytes, formula) => {
    const { value: output } = await ask(name, bytes, 5);
    const { tensors } = sines(5);
    expect(output).toHaveLength(5 * HORIZON * 3);
    for (let row = 0; row < 5; row += 1) {
      const expected = formula(Array.from(tensors.past_target.slice(row * CONTEXT, (row + 1) * CONTEXT)));
      for (let step = 0; step < HORIZON; step += 1) {
        expect(output?.[(row * HORIZON + step) * 3 + 1]).toBeCloseTo(expected[step] ?? Number.NaN, 5);
      }
    }
  });

  test('then a sound model passes the trial, and its facts are returned', async () => {
    expect(await shared.tryUpload(reading(holtWinters()), SIGNATURE, sines(3))).toEqual({
      value: { opset: 17, inputs: ['past_target'] },
    });
  });

  const grown = [node('Mul', ['sum', 'huge'], ['a']), node('Sub', ['a', 'a'], ['value'])];
  const infinity = [tensor('huge', [1], Float32Array.of(Number.POSITIVE_INFINITY))];
  test.each([
    ['external data', forecaster([], [tensor('w', [2 ** 40], [1])]), /^load: The constant `w` has dimensions/],
    ['an unknown operator', through('NoSuchOperator'), /^load: onnxruntime cannot load the model: .*NoSuchOperator/],
    [
      'a value that nothing gives',
      fromSum([node('Add', ['sum', 'nothing'], ['value'])]),
      /^load: onnxruntime cannot load/,
    ],
    [
      'more rows than the batch',
      fromSum([node('Tile', ['sum', 'more'], ['value'])], [tensor('more', [2], [9, 1])]),
      /^shape: For a batch of 2, the model returned `quantiles` with the shape \[18, 4, 3\]; it must be \[2, 4, 3\]\./,
    ],
    ['NaN', fromSum(grown, infinity), /^not_finite: The model returned NaN at `quantiles`\[0, 0, 0\]/],
    [
      'a low above the value',
      linear(() => 0, -1),
      /^disorder: The model returned 0 at `quantiles`\[0, 0, 1\], below the 1 before it/,
    ],
    [
      '100 GB',
      fromSum(
        [node('Expand', ['sum', 'huge'], ['big']), node('ReduceSum', ['big'], ['value'], { keepdims: 0 })],
        [tensor('huge', [3], [25_000_000_000, 1, 1])],
      ),
      /^memory: /,
    ],
    [
      'an index beyond the end',
      fromSum(
        [
          node('Cast', ['sum'], ['index'], { to: 7 }),
          node('Add', ['index', 'far'], ['far_index']),
          node('GatherElements', ['past_target', 'far_index'], ['value'], { axis: 1 }),
        ],
        [tensor('far', [1], [1000])],
      ),
      /^run: The model failed while it ran: .*Out of range value/,
    ],
  ])('then a model with %s is a fault', async (name, bytes, expected) => {
    expect(wordsOf(await ask(name, bytes))).toMatch(expected);
  });

  test('then a model of several parts is loaded whole, and one after it', async () => {
    // A doc string, the member 6 of a model, of 2 MiB.
    const doc = Buffer.alloc(2 * 1024 * 1024, 'a');
    const bytes = Buffer.concat([drift(), Buffer.from([0x32, 0x80, 0x80, 0x80, 0x01]), doc]);
    expect(wordsOf(await shared.tryUpload(reading(bytes), SIGNATURE))).toBe('none');
    expect((await ask('in parts', bytes)).value).toEqual((await ask('whole', drift())).value);
  });

  test('then a model whose rows affect each other is a fault', async () => {
    const mean = fromSum([
      node('ReduceMean', ['sum'], ['mean'], { axes: [0], keepdims: 1 }),
      node('Add', ['sum', 'mean'], ['value']),
    ]);
    expect(wordsOf(await shared.tryUpload(reading(mean), SIGNATURE, sines(3)))).toMatch(
      /^batch_variance: .* in a batch of 7/,
    );
  });

  test('then a model whose rows affect each other in other batches than those of its trial is a fault when it is run', async () => {
    const inThrees = fromSum(
      [
        node('Shape', ['sum'], ['dims'], { end: 1 }),
        node('Equal', ['dims', 'three'], ['is_three']),
        node('ReduceMean', ['sum'], ['mean'], { axes: [0], keepdims: 1 }),
        node('Add', ['sum', 'mean'], ['mixed']),
        node('Where', ['is_three', 'mixed', 'sum'], ['value']),
      ],
      [tensor('three', [1], [3])],
    );
    expect(wordsOf(await shared.tryUpload(reading(inThrees), SIGNATURE, sines(3)))).toBe('none');
    const { value: model } = await shared.open(inThrees, SIGNATURE);
    expect((await model?.run(sines(2)))?.value).toHaveLength(24);
    expect((await model?.run(sines(3)))?.fault).toMatchObject({
      kind: 'batch_variance',
      detail: expect.stringContaining('for a row in a batch of 3'),
    });
    await model?.close();
  });

  test('then a model that runs without end is ended at its deadline, and stays so', async () => {
    const clock = createFakeClock();
    const { value: model } = await runner({ clock, limits: { runMs: 2000 } }).open(endless(), SIGNATURE);
    const running = model?.run(sines(1));
    clock.advance(2000);
    const fault = { kind: 'time', detail: 'The model took longer than 2 s; make it smaller.' };
    expect(await running).toEqual({ fault });
    expect(await model?.run(sines(1))).toEqual({ fault });
    await model?.close();
  });

  test('then a third model at once is refused as busy, or waits for a slot', async () => {
    const [first, second] = await Promise.all([shared.open(drift(), SIGNATURE), shared.open(drift(), SIGNATURE)]);
    expect(await refusalOf(shared.tryUpload(reading(drift()), SIGNATURE))).toBe('model_process_busy');
    const controller = new AbortController();
    const aborted = shared.open(drift(), SIGNATURE, controller.signal);
    const third = shared.open(drift(), SIGNATURE);
    controller.abort(new Error('no longer wanted'));
    await expect(aborted).rejects.toThrow('no longer wanted');
    await first.value?.close();
    await first.value?.close();
    const { value: opened } = await third;
    expect(await refusalOf(shared.tryUpload(reading(drift()), SIGNATURE))).toBe('model_process_busy');
    await second.value?.close();
    await opened?.close();
    expect((await shared.tryUpload(reading(drift()), SIGNATURE)).value?.opset).toBe(17);
  });

  test('then the process for questions keeps a model until nobody asks, and is started again', async () => {
    const clock = createFakeClock();
    const asked = runner({ clock, limits: { idleMs: 1000 } });
    let reads = 0;
    const read = (): Promise<Uint8Array> => {
      reads += 1;
      return Promise.resolve(drift());
    };
    const ask = async (): Promise<number | undefined> =>
      (
        await asked.ask({ key: 'a', signature: SIGNATURE, read }, ({ inputs }) => ({
          rows: inputs.length,
          tensors: sines(1).tensors,
        }))
      ).value?.length;
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([12, 12, 12]);
    expect(reads).toBe(1);
    clock.advance(1000);
    expect(await ask()).toBe(12);
    expect(reads).toBe(2);
  });

  test('then a question that takes too long is a fault, and the next question is answered', async () => {
    const clock = createFakeClock();
    const asked = runner({ clock, limits: { runMs: 2000 } });
    expect((await ask('drift', drift(), 2, asked)).value).toHaveLength(24);
    const read = (): Promise<Uint8Array> => Promise.resolve(endless());
    const late = asked.ask({ key: 'endless', signature: SIGNATURE, read }, () => {
      setImmediate(() => clock.advance(2000));
      return sines(1);
    });
    expect((await late).fault?.kind).toBe('time');
    expect((await ask('drift', drift(), 2, asked)).value).toHaveLength(24);
  });

  test('then only the inputs that a model declares are sent to its process', async () => {
    const { rows, tensors } = sines(1);
    const { past_target } = tensors;
    const read: string[] = [];
    const batch = {
      rows,
      tensors: new Proxy<Batch['tensors']>(tensors, {
        get(_, name) {
          read.push(String(name));
          return past_target;
        },
        ownKeys: () => expect.fail('All inputs are copied.'),
      }),
    };
    const model = { key: 'declares one', signature: SIGNATURE, read: () => Promise.resolve(drift()) };
    expect((await runner().ask(model, () => batch)).value).toHaveLength(12);
    expect(read).toEqual(['past_target']);
  });

  test('then the models that were asked least recently are released', async () => {
    const asked = runner();
    const reads: number[] = [];
    for (const name of [...Array.from({ length: 18 }, (_, index) => index), 17, 0]) {
      const read = (): Promise<Uint8Array> => {
        reads.push(name);
        return Promise.resolve(drift());
      };
      const { value: output } = await asked.ask({ key: `${name}`, signature: SIGNATURE, read }, () => sines(1));
      expect(output).toHaveLength(12);
    }
    expect(reads).toEqual([...Array.from({ length: 18 }, (_, index) => index), 0]);
  });
});

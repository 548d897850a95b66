import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../clock.ts';
import golden from './golden/deaths.json' with { type: 'json' };
import {
  chooseBar,
  countRowColumns,
  createForecaster,
  type Evaluation,
  type ForecastSpec,
  intervalAt,
  MOST_ROWS,
  type Panel,
  passGate,
  rawFault,
  rowColumns,
  serveForecasts,
  signatureOf,
} from './index.ts';
import { createPanelCache } from './panel-cache.ts';
import { chunksOf, DEATHS, DEATHS_SPEC, runModel } from './panels.testing.ts';

const forecaster = createForecaster({ clock: systemClock, onFailure: (message) => expect.fail(message) });
afterAll(() => forecaster.close());

/** How often the dataset was read. */
let reads = 0;

function readDataset(): AsyncIterable<Uint8Array> {
  reads += 1;
  return chunksOf(DEATHS, [1000]);
}

function givenPanel(): Promise<Panel> {
  return forecaster.open('deaths', DEATHS_SPEC, readDataset);
}

const monthOf = (at: number): string => String((at % 12) + 1).padStart(2, '0');

/** A cache, and how often it read each dataset. */
async function givenCacheOf(first: string, mostBytes: number) {
  const cache = createPanelCache(mostBytes);
  const counts = new Map<string, number>();
  const openAs = (key: string, kind: 'question' | 'facts') =>
    cache.open({ key, spec: DEATHS_SPEC }, kind, () => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return chunksOf(DEATHS);
    });
  const { panel } = await openAs(first, 'facts');
  return { bytes: panel.bytes, openAs, readsOf: (key: string) => counts.get(key) ?? 0 };
}

async function scoreModel(panel: Panel): Promise<Evaluation> {
  const evaluation = await panel.score(async (batch) => runModel(batch));
  if (evaluation === undefined || 'because' in evaluation) throw new Error('The model has no score.');
  return evaluation;
}

test('a panel knows its facts', async () => {
  const panel = await givenPanel();
  expect(panel.facts).toEqual({
    series: 5,
    first: '1949-01',
    last: '1979-12',
    windows: golden.windows,
    trainedUntil: '1978-06',
    unscored: 0,
    windowRows: golden.rows.length,
    latestRows: 4,
    rowStride: 1,
    batchRows: 1024,
    codes: { region: ['uk', 'usa', 'world'] },
  });
});

test('a build scores the baselines and a model in batches, and judges it', async () => {
  const panel = await givenPanel();
  const baselines = await panel.baselines();
  const model = await scoreModel(panel);
  const close = (value: number): unknown => expect.closeTo(value, 6);
  expect(baselines.drift.judge.score).toEqual(close(golden.evaluations.drift.judge.score));
  expect(model.judge.score).toEqual(close(golden.evaluations.model.judge.score));
  const bar = chooseBar(baselines) ?? 'theta';
  const verdict = passGate(model, baselines[bar], undefined, { beat: 0, wins: 0, coverageWithin: 1 }, 0.8);
  expect(verdict).toMatchObject({ score: model.judge.score, bar: baselines[bar].judge.score });
});

test('the batches have the tensors of the signature', async () => {
  const panel = await givenPanel();
  const { rows, tensors } = await panel.windows({ from: 1, count: 2 });
  const sizes = signatureOf(DEATHS_SPEC).inputs.map(({ name, type, dims }) => {
    const length = dims.reduce<number>((product, dim) => product * (dim === 'batch' ? 2 : dim), 1);
    return [name, type === 'int64' ? 'BigInt64Array' : 'Float32Array', length];
  });
  expect(rows).toBe(2);
  expect(Object.entries(tensors).map(([name, data]) => [name, data.constructor.name, data.length])).toEqual(sizes);
});

test('a question is fed like a window, and its answer is calibrated', async () => {
  const panel = await givenPanel();
  const { calibration } = await scoreModel(panel);
  const question = await panel.question('lungs', { codes: {} });
  if (question === undefined) throw new Error('The series is unknown.');
  expect(question).toMatchObject({ rows: 1, future: ['1980-01', '1980-02', '1980-03'], level: { count: 24 } });
  expect(question.observed).toHaveLength(24);
  expect(question.observed.at(-1)).toEqual({ period: '1979-12', value: 1915 });
  const output = runModel(question);
  expect(rawFault(output)).toBeUndefined();
  const served = serveForecasts(output, [question.level], calibration);
  const { mean, scale } = question.level;
  const { low, value, high } = intervalAt(served, 1);
  const raw = intervalAt(output, 1);
  const q = calibration.steps[1]?.q ?? Number.NaN;
  expect(value).toBeCloseTo(mean + scale * raw.value, 6);
  expect(low).toBeCloseTo(mean + scale * (raw.low - q), 6);
  expect(high).toBeCloseTo(mean + scale * (raw.high + q), 6);
});

test('a question uses the codes of the version, and knows only series of the dataset', async () => {
  const panel = await givenPanel();
  const codeOf = async (series: string): Promise<unknown> =>
    (await panel.question(series, { codes: { region: ['x', 'usa'] } }))?.tensors['static'];
  expect(await codeOf('accidents')).toEqual(BigInt64Array.of(2n));
  expect(await codeOf('men')).toEqual(BigInt64Array.of(0n));
  expect(await panel.question('nobody', { codes: {} })).toBeUndefined();
});

test('forecasts of the whole panel are graded once their values are known', async () => {
  const panel = await givenPanel();
  const latest = await panel.latest({ from: 0, count: 1024 });
  expect(latest.series).toEqual(['accidents', 'women', 'men', 'lungs']);
  const { steps } = (await scoreModel(panel)).calibration;
  const intervals = serveForecasts(runModel(latest), latest.levels, { steps });
  const made = { origin: '1979-12', series: latest.series, intervals };
  expect(await panel.grade(made)).toEqual({ periods: 0, until: null, values: 0, score: null });

  const later = { ...made, origin: '1979-10' };
  // The dataset has two of the three periods: two values of each series but accidents, which ended.
  expect(await panel.grade(later)).toMatchObject({
    periods: 2,
    until: '1979-12',
    values: 6,
    score: expect.any(Number),
  });
  expect(await panel.grade({ ...later, after: '1979-11' })).toMatchObject({ periods: 1, until: '1979-12', values: 3 });
});

test('the training rows are streamed', async () => {
  const panel = await givenPanel();
  const parts: Uint8Array[] = [];
  for await (const part of panel.trainingRows()) parts.push(part);
  const lines = Buffer.concat(parts).toString().split('\n');
  expect(parts.length).toBeGreaterThan(1);
  expect(lines.at(-1)).toBe('');
  expect(lines[0]).toBe(rowColumns(DEATHS_SPEC).join());
  expect(countRowColumns(DEATHS_SPEC)).toBe(rowColumns(DEATHS_SPEC).length);
  expect(new Set(lines.slice(0, -1).map((line) => line.split(',').length)).size).toBe(1);
  expect(lines.length).toBeLessThan(MOST_ROWS);
});

test('the stream of training rows does not hold the parts that it delivered', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const panel = await givenPanel();
  const rows = panel.trainingRows();
  const delivered: WeakRef<Uint8Array>[] = [];
  for (let part = await rows.next(); part.done !== true; part = await rows.next()) {
    delivered.push(new WeakRef(part.value));
    if (delivered.length === 8) break;
  }
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(delivered).toHaveLength(8);
  expect(delivered.filter((part) => part.deref() !== undefined).length).toBeLessThan(4);
  await rows.return(undefined);
});

test('a reader of training rows may leave', async () => {
  const panel = await givenPanel();
  for await (const part of panel.trainingRows()) {
    expect(part.length).toBeGreaterThan(0);
    break;
  }
  await expect(panel.trainingRows({ signal: AbortSignal.abort(new Error('gone')) }).next()).rejects.toThrow('gone');
  expect(await panel.question('men', { codes: {} })).toBeDefined();
});

test('a panel is read once, and again where it made room for others', async () => {
  reads = 0;
  const [panel] = await Promise.all([givenPanel(), givenPanel()]);
  expect(await panel.question('men', { codes: {} })).toBeDefined();
  expect(reads).toBeLessThanOrEqual(1);

  const small = createForecaster({ clock: systemClock, mostBytes: 1 });
  onTestFinished(() => small.close());
  reads = 0;
  const forgotten = await small.open('deaths', DEATHS_SPEC, readDataset);
  expect(await forgotten.question('men', { codes: {} })).toBeDefined();
  expect(reads).toBe(2);
});

test('the figures of baselines are computed once', async () => {
  const small = createForecaster({ clock: systemClock, mostBytes: 1 });
  onTestFinished(() => small.close());
  const panel = await small.open('deaths', DEATHS_SPEC, readDataset);
  reads = 0;
  const [one, other] = await Promise.all([panel.baselines(), panel.baselines()]);
  expect(await panel.baselines()).toBe(one);
  expect(other).toBe(one);
  // They are those of the function: another number of windows has others.
  const fewer = await small.open('deaths', { ...DEATHS_SPEC, windows: 3 }, readDataset);
  expect(await fewer.baselines()).not.toEqual(one);
  expect(reads).toBe(3);
});

test('a panel that questions use stays, and others make room', async () => {
  const whole = (await givenCacheOf('one', 1024 ** 3)).bytes;
  const { openAs, readsOf } = await givenCacheOf('one', Math.floor(2.5 * whole));
  await openAs('one', 'question');
  for (const other of ['two', 'three', 'four']) await openAs(other, 'facts');
  await openAs('one', 'question');
  expect(readsOf('one')).toBe(1);
  // The oldest of those without a question made room.
  await openAs('four', 'facts');
  await openAs('two', 'facts');
  expect([readsOf('four'), readsOf('two')]).toEqual([1, 2]);
});

test('a batch takes about 1 MiB, however much a model is fed', async () => {
  const columns = Array.from({ length: 32 }, (_, at) => `c${at}`);
  const wide: ForecastSpec = { ...DEATHS_SPEC, context: 2048, horizon: 2, known: columns, observed: [], static: [] };
  const rows = Array.from({ length: 1200 }, (_, at) => `a,${1900 + Math.floor(at / 12)}-${monthOf(at)},${at % 7}`);
  const csv = `series,period,deaths,${columns.join()}\n${rows.map((row) => `${row}${',1'.repeat(32)}\n`).join('')}`;
  const panel = await forecaster.open('wide', wide, () => chunksOf(csv));
  const sizes: number[] = [];
  await panel.score(async (batch) => {
    sizes.push(Object.values(batch.tensors).reduce((sum, { byteLength }) => sum + byteLength, 0));
    return new Float32Array(batch.rows * 2 * 3);
  });
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
});

test('a batch holds rows of one window, since those of later windows hold its targets', async () => {
  const panel = await givenPanel();
  const sizes: number[] = [];
  await panel.score(async (batch) => {
    sizes.push(batch.rows);
    return new Float32Array(batch.rows * DEATHS_SPEC.horizon * 3);
  });
  const rowsAt = (at: string): number => golden.rows.filter(([, origin]) => origin === at).length;
  expect(sizes).toEqual(golden.windows.map(({ origin }) => rowsAt(origin)));
});

test('a model that cannot be run any more has no score', async () => {
  const panel = await givenPanel();
  let batches = 0;
  const run = async (): Promise<undefined> => void (batches += 1);
  expect(await panel.score(run)).toBeUndefined();
  expect(batches).toBe(1);
  const failing = panel.score(() => Promise.reject(new Error('The process ended.')));
  await expect(failing).rejects.toThrow('The process ended.');
});

test('a caller who leaves while the dataset is read leaves it to the others', async () => {
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();
  async function* stuck(): AsyncGenerator<Uint8Array> {
    yield DEATHS.subarray(0, 1000);
    begun.resolve();
    await new Promise(() => {});
  }
  const leaving = forecaster.open('others', DEATHS_SPEC, stuck, { signal: controller.signal });
  await begun.promise;
  const staying = forecaster.open('others', DEATHS_SPEC, readDataset);
  controller.abort(new Error('The caller left.'));
  await expect(leaving).rejects.toThrow('The caller left.');
  expect((await staying).facts.series).toBe(5);
});

test('a function of another period is refused', async () => {
  const opening = forecaster.open('deaths', { ...DEATHS_SPEC, period: 'week' }, readDataset);
  await expect(opening).rejects.toMatchObject({ rejection: { reason: 'invalid_input', issues: [{ pointer: '' }] } });
});

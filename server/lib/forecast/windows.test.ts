import { expect, test } from 'vitest';
import { BASELINES } from './baselines.ts';
import type { Evaluation } from './evaluation.ts';
import { evaluationRows } from './evaluation.ts';
import type { TensorBatch } from './features.ts';
import { readPanel } from './panel.ts';
import { chunksOf, yearly, YEARLY_SPEC } from './panels.testing.ts';
import { scoreBaseline, scoreModel } from './score-forecasts.ts';
import { planWindows, type Windows } from './windows.ts';

async function planOf(text: string): Promise<Windows> {
  return planWindows(await readPanel(chunksOf(text), YEARLY_SPEC), YEARLY_SPEC);
}

test('there are at most as many windows as fit into half of the median span', async () => {
  const plan = await planOf(yearly(Array.from({ length: 13 }, (_, t) => t * t)));
  expect(plan.windows).toEqual([
    { origin: 2006, role: 'calibrate' },
    { origin: 2008, role: 'select' },
    { origin: 2010, role: 'judge' },
  ]);
  expect(plan.trainedUntil).toBe(2006);
  // The mean of 1, 3, 5, 7, 9 and 11.
  expect([...plan.changes]).toEqual([6]);
});

test('a short dataset has no window, and all of it is for training', async () => {
  const plan = await planOf(yearly([1, 2, 3]));
  expect(plan).toMatchObject({ windows: [], trainedUntil: 2002 });
});

test('a series without a change before the first window is not scored', async () => {
  const flat = yearly([5, 5, 5, 5, 5, 5, 5, 9]).replace('series,period,v\n', '').replaceAll('a,', 'b,');
  const plan = await planOf(yearly([1, 2, 3, 4, 5, 6, 7, 8]) + flat);
  expect([...plan.changes]).toEqual([1, Number.NaN]);
});

test.each([
  ['the largest numbers', (t: number) => (t % 3 === 0 ? 1e37 : -1e37)],
  ['the smallest numbers', (t: number) => (t % 3) * 5e-324],
  ['numbers of any size', (t: number) => [5e-324, 1e37, 1e-30][t % 3] ?? 0],
  ['numbers that differ by their rounding', (t: number) => 1e36 + (t % 3) * 2 ** 70],
  ['the same number', () => 1e37],
  ['the same number until the windows', (t: number) => (t > 12 ? t : 5)],
])('no figure overflows with %s', async (_, valueAt) => {
  const spec = { ...YEARLY_SPEC, season: 3, context: 6 };
  const panel = await readPanel(chunksOf(yearly(Array.from({ length: 20 }, (_none, t) => valueAt(t)))), spec);
  const plan = planWindows(panel, spec);
  const rows = evaluationRows(panel, spec, plan);
  const pause = () => Promise.resolve();
  const run = async (batch: TensorBatch) => {
    const [mean = 0, scale = 0] = batch.tensors['level'] ?? [];
    expect([Number.isFinite(Number(mean)), Number.isFinite(Number(scale))]).toEqual([true, true]);
    return new Float32Array(batch.rows * spec.horizon * 3).fill(3e38);
  };
  const evaluations = [
    await scoreModel(panel, spec, plan, rows, { run, codes: {} }, pause),
    ...(await Promise.all(BASELINES.map((each) => scoreBaseline(panel, spec, plan, rows, each, pause)))),
  ];
  const numbers: number[] = [];
  JSON.stringify(evaluations, (_key, value: unknown) => {
    if (typeof value === 'number') numbers.push(value);
    return value;
  });
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers.filter((number) => !Number.isFinite(number))).toEqual([]);
});

test('with fewer than 3 windows the coverage is null', async () => {
  const panel = await readPanel(chunksOf(yearly([1, 4, 2, 6, 3, 8, 5, 9])), YEARLY_SPEC);
  const plan = planWindows(panel, YEARLY_SPEC);
  expect(plan.windows.map(({ role }) => role)).toEqual(['judge', 'judge']);
  const rows = evaluationRows(panel, YEARLY_SPEC, plan);
  const evaluation: Evaluation = await scoreBaseline(panel, YEARLY_SPEC, plan, rows, 'drift', () => Promise.resolve());
  expect(evaluation.judge).toMatchObject({ score: expect.any(Number), coverage: null });
  expect(evaluation.select).toEqual({ score: null, mase: null, coverage: null, width: null });
});

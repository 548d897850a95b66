import { beforeAll, expect, test } from 'vitest';
import { labelOf } from './calendar.ts';
import { type EvaluationRows, evaluationRows } from './evaluation.ts';
import { type TensorBatch, tensorsOf } from './features.ts';
import golden from './golden/deaths.json' with { type: 'json' };
import type { PanelData } from './panel.ts';
import { DEATHS_SPEC, readDeaths, runModel } from './panels.testing.ts';
import { scoreBaseline, scoreModel } from './score-forecasts.ts';
import { planWindows, type Windows } from './windows.ts';

interface GoldenEvaluation {
  select: Record<string, number>;
  judge: Record<string, number>;
  judgeWindows: { origin: string; score: number }[];
  calibration: { q: number; pool: string }[];
}

let panel: PanelData;
let plan: Windows;
let rows: EvaluationRows;

beforeAll(async () => {
  panel = await readDeaths();
  plan = planWindows(panel, DEATHS_SPEC);
  rows = evaluationRows(panel, DEATHS_SPEC, plan);
});

const month = (index: number): string => labelOf('month', index);
const noPause = (): Promise<void> => Promise.resolve();
const rowNumbers = (): number[] => Array.from({ length: rows.length }, (_, row) => row);

/** The parts of an evaluation that the golden figures have, close to them. */
function closeTo({ select, judge, judgeWindows, calibration }: GoldenEvaluation, digits: number): unknown {
  const close = (value: number): unknown => expect.closeTo(value, digits);
  const closeScores = (scores: Record<string, number>): unknown =>
    Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, close(value)]));
  return {
    select: closeScores(select),
    judge: closeScores(judge),
    judgeWindows: judgeWindows.map(({ origin, score }) => ({ origin, score: close(score) })),
    calibration: { steps: calibration.map(({ q, pool }) => ({ q: close(q), pool, errors: expect.any(Number) })) },
  };
}

test('the windows are those of the golden figures', () => {
  expect(plan.windows.map(({ origin, role }) => ({ origin: month(origin), role }))).toEqual(golden.windows);
  expect(month(plan.trainedUntil)).toBe(golden.trainedUntil);
  const changes = Object.fromEntries(
    panel.names.map((name, series) => [name, expect.closeTo(plan.changes[series] ?? 0, 9)]),
  );
  expect(golden.changes).toEqual(changes);
  const found = rowNumbers().map((row) => rows.at(row));
  expect(found.map(({ series, origin }) => [panel.names[series], month(origin)])).toEqual(golden.rows);
});

test('a window has the features of the golden figures', () => {
  const { series, origin, ...features } = golden.features;
  const window = rowNumbers()
    .map((row) => rows.at(row))
    .find((each) => panel.names[each.series] === series && month(each.origin) === origin);
  const { tensors } = tensorsOf(panel, DEATHS_SPEC, window === undefined ? [] : [window], panel.codes);
  expect(Object.keys(tensors)).toEqual(Object.keys(features));
  for (const [name, values] of Object.entries(features)) {
    expect(Array.from(tensors[name] ?? [], Number), name).toEqual(
      values.map(Math.fround).map((value) => expect.closeTo(value, 6)),
    );
  }
});

test.each(['seasonal_naive', 'drift'] as const)('the scores of %s are the golden figures', async (baseline) => {
  const evaluation = await scoreBaseline(panel, DEATHS_SPEC, plan, rows, baseline, noPause);
  expect(evaluation).toEqual(closeTo(golden.evaluations[baseline], 9));
});

test('the scores of a model are the golden figures', async () => {
  const run = async (batch: TensorBatch): Promise<Float32Array> => runModel(batch);
  const evaluation = await scoreModel(panel, DEATHS_SPEC, plan, rows, { run, codes: panel.codes }, noPause);
  expect(evaluation).toEqual(closeTo(golden.evaluations.model, 6));
});

test.each([
  ['not_finite', Number.NaN],
  ['not_finite', Number.POSITIVE_INFINITY],
  ['not_in_order', 100],
])('a model is disqualified as %s for a low of %d', async (because, low) => {
  const run = async (batch: TensorBatch): Promise<Float32Array> => {
    const output = new Float32Array(batch.rows * 9);
    output[batch.rows * 9 - 3] = low;
    return output;
  };
  const scored = await scoreModel(panel, DEATHS_SPEC, plan, rows, { run, codes: panel.codes }, noPause);
  expect(scored).toMatchObject({ because });
});

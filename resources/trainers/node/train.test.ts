import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { createModelRunner } from '../../../server/lib/onnx/index.ts';
import {
  ASKING,
  BUILD,
  ENDED,
  KEY,
  LAYOUT,
  noise,
  rowsText,
  SIGNATURE,
  startBuildServer,
  valueAt,
} from '../build-server.testing.ts';
import { fitForecasts, predict } from './fit.ts';
import { linearModel } from './linear-model.ts';
import { readRows } from './read-rows.ts';
import { addRow, addTarget, createSums, solve } from './ridge.ts';
import { answerOpenBuilds } from './train.ts';

const runner = createModelRunner({ clock: systemClock });
afterAll(() => runner.close());
const { availability } = runner;
if (!availability.isAvailable) console.log(`Skipped: ${availability.reason}`);

/** In chunks that end anywhere. */
async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 1009) yield bytes.subarray(at, at + 1009);
}

test('given rows in chunks, then they are read with their layout', async () => {
  const { layout, rows } = await readRows(chunksOf(rowsText()));
  expect(layout).toEqual(LAYOUT);
  expect(rows).toHaveLength(3 * 48);
  expect(rows[0]?.origin).toBe('2012-01');
  expect(rows[0]?.features).toHaveLength(24 * 2 + 2 + 6);
  expect(rows[0]?.targets[5]).toBe(Math.fround(valueAt(0, 30)));
  expect(rows[47]?.targets).toEqual(
    Float32Array.from([Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN, Number.NaN]),
  );
});

test('given a linear relation, then the regression finds it', () => {
  const sums = createSums(2);
  for (let at = 0; at < 50; at += 1) {
    const features = Float32Array.of(noise(at), noise(at + 100));
    addRow(sums, features, 2);
    addTarget(sums, features, 3 * (features[0] ?? 0) - (features[1] ?? 0) + 0.5, 2);
  }
  [3, -1, 0.5].forEach((expected, at) => expect(solve(sums, 1e-9)[at]).toBeCloseTo(expected, 5));
  expect(Math.abs(solve(sums, 1000)[0] ?? 1)).toBeLessThan(0.01);
});

describe('given rows with a season and a covariate', () => {
  const fit = async () => {
    const { layout, rows } = await readRows(chunksOf(rowsText()));
    return { layout, rows, forecasts: fitForecasts(rows, { layout, season: 12, coverage: 0.8 }) };
  };

  test('then the forecasts are near the noise, and their intervals hold most values', async () => {
    const { rows, forecasts } = await fit();
    expect(forecasts.map(({ base }) => base).toSorted()).toEqual(['last', 'mean', 'season']);
    const [best] = forecasts;
    expect(best?.error).toBeLessThan(0.15);
    let [inside, count] = [0, 0];
    for (const { features, targets } of rows) {
      best?.steps.forEach(({ weights, low, high }, step) => {
        const error = (targets[step] ?? Number.NaN) - predict(weights, features);
        if (Number.isNaN(error)) return;
        count += 1;
        if (error >= low && error <= high) inside += 1;
      });
    }
    expect(inside / count).toBeGreaterThan(0.7);
  });

  test.skipIf(!availability.isAvailable)('then each model is accepted and returns what was fitted', async () => {
    const { layout, rows, forecasts } = await fit();
    const row = rows[20];
    for (const { steps } of forecasts) {
      const bytes = linearModel(layout, steps);
      const tensors = {
        past_target: Float32Array.from(row?.features.slice(0, 24) ?? []),
        past_observed: Float32Array.from(row?.features.slice(24, 48) ?? [], (missing) => missing + 1),
        future_time: Float32Array.from({ length: 12 }, (_, at) => row?.features[48 + (at % 2)] ?? 0),
        future_covariates: Float32Array.from(row?.features.slice(50) ?? []),
      };
      const read = () => Promise.resolve(bytes);
      expect((await runner.tryUpload(read, SIGNATURE, { rows: 1, tensors })).fault).toBeUndefined();
      const model = {
        key: String(bytes.length) + steps[0]?.low,
        signature: SIGNATURE,
        read,
      };
      const { value: output } = await runner.ask(model, () => ({ rows: 1, tensors }));
      steps.forEach(({ weights, low, high }, step) => {
        const value = predict(weights, row?.features ?? new Float32Array());
        [value + low, value, value + high].forEach((expected, at) => {
          expect(output?.[step * 3 + at]).toBeCloseTo(expected, 4);
        });
      });
    }
  });
});

test('given open builds, then candidates are uploaded to each, also after a pause, and named in its answer', async () => {
  const server = await startBuildServer();
  onTestFinished(() => server.close());
  const { answered, failures } = await answerOpenBuilds(server.playbook, { party: 'forecasters', key: KEY });
  expect(answered).toBe(2);
  expect(failures).toEqual([`${ENDED}: GET /runs/${ENDED}/build/brief was answered with 409: build_ended`]);
  const uploaded = server.uploads.map(({ candidate }) => candidate);
  expect(uploaded).toHaveLength(6);
  expect(server.answers).toEqual({
    [`/runs/${BUILD}/answer`]: { answer: { candidates: uploaded.slice(0, 3) } },
    [`/runs/${ASKING}/answer`]: { answer: { candidates: uploaded.slice(3) } },
  });
});

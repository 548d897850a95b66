// The rows of a build, the trainer, the model processes and the scores, together on a real series.
import { assert, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { createForecaster, type ForecastSpec, signatureOf } from '../../../server/lib/forecast/index.ts';
import { createModelRunner } from '../../../server/lib/onnx/index.ts';
import { fitForecasts } from './fit.ts';
import { linearModel } from './linear-model.ts';
import { readRows } from './read-rows.ts';

/** Passengers of airlines in thousands, January 1949 to December 1960 (Box and Jenkins). */
const PASSENGERS = [
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158, 133, 114,
  140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166, 171, 180, 193, 181, 183, 218, 230, 242, 209, 191,
  172, 194, 196, 196, 236, 235, 229, 243, 264, 272, 237, 211, 180, 201, 204, 188, 235, 227, 234, 264, 302, 293, 259,
  229, 203, 229, 242, 233, 267, 269, 270, 315, 364, 347, 312, 274, 237, 278, 284, 277, 317, 313, 318, 374, 413, 405,
  355, 306, 271, 306, 315, 301, 356, 348, 355, 422, 465, 467, 404, 347, 305, 336, 340, 318, 362, 348, 363, 435, 491,
  505, 404, 359, 310, 337, 360, 342, 406, 396, 420, 472, 548, 559, 463, 407, 362, 405, 417, 391, 419, 461, 472, 535,
  622, 606, 508, 461, 390, 432,
];
const SPEC: ForecastSpec = {
  value: 'passengers',
  known: [],
  observed: [],
  static: [],
  period: 'month',
  season: 12,
  context: 24,
  horizon: 6,
  coverage: 0.8,
  windows: 6,
};

async function* dataset(): AsyncGenerator<Uint8Array> {
  const month = (at: number): string => `${1949 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  const lines = PASSENGERS.map((value, at) => `air,${month(at)},${value}`);
  yield new TextEncoder().encode(`series,period,passengers\n${lines.join('\n')}\n`);
}

const runner = createModelRunner({ clock: systemClock });
if (!runner.availability.isAvailable) console.log(`Skipped: ${runner.availability.reason}`);

test.skipIf(!runner.availability.isAvailable)(
  'given the passengers of airlines, then every candidate of the trainer beats seasonal naive',
  async () => {
    onTestFinished(() => runner.close());
    const forecaster = createForecaster({ clock: systemClock });
    onTestFinished(() => forecaster.close());
    const panel = await forecaster.open('passengers', SPEC, dataset);
    const { seasonal_naive } = await panel.baselines();
    const { layout, rows } = await readRows(panel.trainingRows());
    for (const { base, steps } of fitForecasts(rows, { layout, season: SPEC.season, coverage: SPEC.coverage })) {
      const { value: model } = await runner.open(linearModel(layout, steps), signatureOf(SPEC));
      const evaluation = await panel.score(async (windows) => (await model?.run(windows))?.value);
      await model?.close();
      assert(evaluation !== undefined && 'select' in evaluation);
      expect(evaluation.select.score, base).toBeLessThan(0.8 * (seasonal_naive.select.score ?? 0));
      expect(evaluation.judge.score, base).toBeLessThan(0.8 * (seasonal_naive.judge.score ?? 0));
    }
  },
);

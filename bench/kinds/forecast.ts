// Forecasts of 10,000 series (BENCH_SERIES): reading their dataset, answering questions, scoring baselines and a model, and
// streaming training rows, as ratios to reading the same file in plain Node without any check.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../../server/lib/clock.ts';
import { createForecaster, type TensorBatch } from '../../server/lib/forecast/index.ts';
import { latenciesOf, print, showLatencies, timed, type Timed } from '../figures.ts';
import type { Bench } from '../serve.ts';
import { makeDataset, MIB, readPlainly, SERIES, seriesName, SPEC } from './monthly-series.ts';

const QUESTIONS = 1000;

export async function run({ defer }: Bench): Promise<void> {
  const { parts, mebibytes } = makeDataset();
  const plain = readPlainly(parts);
  const stream = async function* stream(): AsyncGenerator<Buffer> {
    yield* parts;
  };
  /** Prints the duration, the memory and the longest delay of the main thread. */
  async function measure<Result>(
    name: string,
    work: () => Promise<Result>,
    note: (timed: Timed<Result>) => string,
  ): Promise<Result> {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const measured = await timed(() => process.memoryUsage.rss() / MIB, work);
    delay.disable();
    const { milliseconds, before, peak, result } = measured;
    print(
      name,
      `${milliseconds.toFixed(0)} ms, ratio ${(milliseconds / plain).toFixed(2)}, ${note(measured)}, at most ${Math.round(peak - before)} MiB more memory, main thread at most ${(delay.max / 1e6).toFixed(0)} ms`,
    );
    return result;
  }

  const forecaster = createForecaster({ clock: systemClock, onFailure: (message) => console.error(message) });
  defer(() => forecaster.close());
  const speed = ({ milliseconds }: Timed<unknown>): string => `${(mebibytes / (milliseconds / 1000)).toFixed(1)} MiB/s`;
  await measure('inspect', () => forecaster.inspect(stream()), speed);
  const panel = await measure('open', () => forecaster.open('bench', SPEC, stream), speed);

  const ask = (questions: number): Promise<number[]> =>
    latenciesOf(
      (number) => panel.question(seriesName((number * 7919) % SERIES), { codes: panel.facts.codes }),
      (count) => count === questions,
    );
  const latencies = ({ result }: Timed<number[]>): string => showLatencies(result, 2);
  await measure(`${QUESTIONS} questions, one after the other`, () => ask(QUESTIONS), latencies);
  await measure(
    'baselines of a build',
    () => panel.baselines(),
    () => `${panel.facts.windowRows} forecasts of each`,
  );
  // Another number of windows has figures that are not known yet.
  const other = await forecaster.open('bench', { ...SPEC, windows: SPEC.windows - 1 }, stream);
  await measure(
    `${QUESTIONS / 10} questions while baselines are scored`,
    async () => (await Promise.all([other.baselines(), ask(QUESTIONS / 10)]))[1],
    latencies,
  );
  await measure(
    'score of a model, batch by batch',
    () => panel.score(async (batch) => runModel(batch)),
    () => `${panel.facts.windowRows} rows in batches of ${panel.facts.batchRows}`,
  );
  await measure(
    'training rows, streamed',
    async () => {
      let size = 0;
      for await (const part of panel.trainingRows()) size += part.length;
      return size / MIB;
    },
    ({ milliseconds, result }) => `${result.toFixed(0)} MiB, ${(result / (milliseconds / 1000)).toFixed(0)} MiB/s`,
  );
}

/** What a model returns that repeats its last value. */
function runModel({ rows, tensors }: TensorBatch): Float32Array {
  const past = tensors['past_target'];
  return Float32Array.from({ length: rows * SPEC.horizon * 3 }, (_, at) => {
    const row = Math.floor(at / 3 / SPEC.horizon);
    return Number(past?.[(row + 1) * SPEC.context - 1]) + (at % 3) - 1;
  });
}

// Forecasts of 10,000 series: reading their dataset, answering questions, scoring baselines and a model, and streaming
// training rows, as ratios to reading the same file in plain Node without any check. Usage: npm run bench:forecast
// BENCH_SERIES says how many series there are, 10,000 when it is absent.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../server/lib/clock.ts';
import { createForecaster, type TensorBatch } from '../server/lib/forecast/index.ts';
import { makeDataset, MIB, percentile, readPlainly, SERIES, seriesName, SPEC } from './monthly-series.ts';

const QUESTIONS = 1000;

const dataset = makeDataset();
const bytes = dataset.reduce((sum, { length }) => sum + length, 0);

async function* stream(): AsyncGenerator<Buffer> {
  yield* dataset;
}

let peak = 0;

interface Timed<Result> {
  ms: number;
  result: Result;
}

/** Measures some work, with the memory that it takes and the longest delay of the main thread. */
async function timed<Result>(name: string, work: () => Promise<Result>, note: (timed: Timed<Result>) => string) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage.rss();
  peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  delay.enable();
  const begun = performance.now();
  const result = await work();
  const ms = performance.now() - begun;
  delay.disable();
  clearInterval(watching);
  const memory = `at most ${Math.round((peak - before) / MIB)} MiB more memory`;
  const blocked = `main thread at most ${(delay.max / 1e6).toFixed(0)} ms`;
  const ratio = `ratio ${(ms / plain).toFixed(2)}`;
  console.log(name.padEnd(46), `${ms.toFixed(0)} ms, ${ratio}, ${note({ ms, result })}, ${memory}, ${blocked}`);
  return result;
}

/** What a model returns that repeats its last value. */
function runModel({ rows, tensors }: TensorBatch): Float32Array {
  const past = tensors['past_target'];
  return Float32Array.from({ length: rows * SPEC.horizon * 3 }, (_, at) => {
    const row = Math.floor(at / 3 / SPEC.horizon);
    return Number(past?.[(row + 1) * SPEC.context - 1]) + (at % 3) - 1;
  });
}

const begun = performance.now();
readPlainly(dataset);
const plain = performance.now() - begun;
console.log(`${SERIES} series, ${(bytes / MIB).toFixed(1)} MiB`);
console.log('baseline: lines, fields and a number in Node'.padEnd(46), `${plain.toFixed(0)} ms`);

const forecaster = createForecaster({ clock: systemClock, onFailure: (message) => console.error(message) });
try {
  const speed = ({ ms }: Timed<unknown>): string => `${(bytes / MIB / (ms / 1000)).toFixed(1)} MiB/s`;
  await timed('inspect', () => forecaster.inspect(stream()), speed);
  const panel = await timed('open', () => forecaster.open('bench', SPEC, stream), speed);

  const ask = async (count: number): Promise<number[]> => {
    const taken: number[] = [];
    for (let question = 0; question < count; question += 1) {
      const asked = performance.now();
      await panel.question(seriesName((question * 7919) % SERIES), { codes: panel.facts.codes });
      taken.push(performance.now() - asked);
    }
    return taken;
  };
  const latencies = ({ result }: Timed<number[]>): string =>
    `p50 ${percentile(result, 0.5).toFixed(2)} ms, p99 ${percentile(result, 0.99).toFixed(2)} ms`;
  await timed(`${QUESTIONS} questions, one after the other`, () => ask(QUESTIONS), latencies);
  await timed(
    'baselines of a build',
    () => panel.baselines(),
    () => `${panel.facts.windowRows} forecasts of each`,
  );
  const other = await forecaster.open('bench', { ...SPEC, windows: SPEC.windows - 1 }, stream);
  await timed(
    `${QUESTIONS / 10} questions while baselines are scored`,
    async () => {
      // Another number of windows has figures that are not known yet.
      const scoring = other.baselines();
      const taken = await ask(QUESTIONS / 10);
      await scoring;
      return taken;
    },
    latencies,
  );
  await timed(
    'score of a model, batch by batch',
    () => panel.score(async (batch) => runModel(batch)),
    () => `${panel.facts.windowRows} rows in batches of ${panel.facts.batchRows}`,
  );
  await timed(
    'training rows, streamed',
    async () => {
      let size = 0;
      for await (const part of panel.trainingRows()) size += part.length;
      return size;
    },
    ({ ms, result }) => `${(result / MIB).toFixed(0)} MiB, ${(result / MIB / (ms / 1000)).toFixed(0)} MiB/s`,
  );
} finally {
  await forecaster.close();
}

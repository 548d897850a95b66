// A prediction function with 10,000 series (BENCH_SERIES) over HTTP: upload, build, training rows, scoring and questions, with
// the memory of the server and how long its main thread is busy.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { linearModel } from '../../resources/trainers/node/linear-model.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { signatureOf } from '../../server/lib/forecast/index.ts';
import { createModelRunner } from '../../server/lib/onnx/index.ts';
import { latenciesOf, print, printLoad, showLatencies, timed, type Timed } from '../figures.ts';
import { AT, type Bench, createPlaybook, serve, type Served } from '../serve.ts';
import { makeDataset, MIB, readPlainly, SERIES, seriesName, SPEC } from './monthly-series.ts';

const QUESTIONS = 500;
const WARM_UP = 20;
const SOURCE = `dataset: { value: ${SPEC.value}, known: [${SPEC.known.join()}], static: [${SPEC.static.join()}] }
period: ${SPEC.period}
context: ${SPEC.context}
horizon: ${SPEC.horizon}
trainer: { inbox: forecasters }
`;
const TRIVIAL = `export const input = { type: 'object' };
export const output = { type: 'object' };
export default (input) => input;
`;

type Latencies = Timed<readonly number[]>;
const showTimed = ({ result }: Latencies): string => `${result.length}: ${showLatencies(result, 2)}`;

export async function run(bench: Bench): Promise<void> {
  printLoad();
  const { parts, mebibytes } = makeDataset();
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  const digest = hash.digest('hex');
  readPlainly(parts);

  const server = await serve(bench, path.join(bench.folder, 'data'), { watchMainThread: true });
  const save = await createPlaybook(server.send);
  await save('computation', 'echo', TRIVIAL);
  await save('prediction', 'tickets', SOURCE);
  const speed = ({ milliseconds }: Timed<unknown>): string => `${(mebibytes / (milliseconds / 1000)).toFixed(1)} MiB/s`;
  await measure(server, 'upload', () => sendBytes(server, 'PUT', `/datasets/${digest}`, 'text/csv', parts), speed);
  const model = seasonalModel();
  const first = await measure(server, 'build started, model uploaded', () => build(server, model));
  await measure(server, 'brief', () => readAway(server, `/runs/${first.runId}/build/brief`));
  await measure(server, 'brief again', () => readAway(server, `/runs/${first.runId}/build/brief`));
  await measure(
    server,
    'training rows',
    () => readAway(server, `/runs/${first.runId}/build/rows`),
    ({ milliseconds, result }) => `${result.toFixed(0)} MiB, ${(result / (milliseconds / 1000)).toFixed(0)} MiB/s`,
  );
  await measure(server, 'scoring', first.answer);
  await server.send('POST', `${AT}/definitions/prediction/tickets/activate`, { version: 1 }).catch((error: unknown) => {
    if (!String(error).includes('already_active')) throw error;
  });
  await measureQuestions(server, model);
  printLoad();
}

async function measureQuestions(server: Served, model: Buffer): Promise<void> {
  const ask = (number: number): Promise<unknown> =>
    server.send('POST', `${AT}/definitions/prediction/tickets/run`, {
      input: { series: seriesName((number * 7919) % SERIES) },
    });
  const compute = (): Promise<unknown> =>
    server.send('POST', `${AT}/definitions/computation/echo/run`, { input: { series: 'a' } });
  const often = (call: typeof ask, times: number): Promise<number[]> => latenciesOf(call, (count) => count === times);
  await often(ask, WARM_UP);
  await often(compute, WARM_UP);
  await measure(server, 'questions', () => often(ask, QUESTIONS), showTimed);
  await measure(server, 'a trivial computation', () => often(compute, QUESTIONS), showTimed);
  print('the model process alone', showLatencies(await modelAlone(model), 2));

  // Another number of windows has baselines that are not known yet.
  for (const [name, call, windows] of [
    ['questions while scoring', ask, 7],
    ['computations while scoring', compute, 8],
  ] as const) {
    await server.send('PUT', `${AT}/definitions/prediction/tickets`, { source: `${SOURCE}windows: ${windows}\n` });
    const { answer } = await build(server, model);
    let isScored = false;
    const whileScoring = async (): Promise<number[]> => {
      const scoring = answer().finally(() => (isScored = true));
      return (await Promise.all([latenciesOf(call, () => isScored), scoring]))[0];
    };
    await measure(server, name, whileScoring, showTimed);
  }
}

/** The season before, with an interval that the calibration corrects. */
function seasonalModel(): Buffer {
  const { context, horizon, season } = SPEC;
  const layout = { context, horizon, time: 2, known: SPEC.known.length };
  const steps = Array.from({ length: horizon }, (_, step) => {
    const weights = new Float64Array(2 * context + layout.time + horizon * layout.known + 1);
    weights[context - season + step] = 1;
    return { weights, low: -0.3, high: 0.3 };
  });
  return Buffer.from(linearModel(layout, steps));
}

/** Measures a part of the server's work, with its memory and the longest time that its main thread is busy. */
async function measure<Result>(
  server: Served,
  name: string,
  work: () => Promise<Result>,
  note: (phase: Timed<Result>) => string = () => '',
): Promise<Result> {
  await server.mainThread();
  const phase = await timed(server.residentMiB, work);
  const { longest, longestCpu, over } = await server.mainThread();
  const busy = `main thread ${longestCpu.toFixed(0)} ms of processor, ${longest.toFixed(0)} ms by the clock, ${over} over 20 ms`;
  const memory = `${phase.before.toFixed(0)} to ${phase.peak.toFixed(0)} MiB`;
  print(name, `${phase.milliseconds.toFixed(0).padStart(6)} ms  ${memory}  ${busy}  ${note(phase)}`);
  return phase.result;
}

function sendBytes(
  { port }: Served,
  method: string,
  pathName: string,
  type: string,
  parts: readonly Buffer[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const headers = { 'content-type': type, 'content-length': length };
    const request = http.request({ host: '127.0.0.1', port, method, path: `${AT}${pathName}`, headers }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => ((response.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(text))));
    });
    request.on('error', reject);
    Readable.from(parts).pipe(request);
  });
}

/** Reads a response without keeping it. @returns its MiB */
async function readAway({ port }: Served, pathName: string): Promise<number> {
  const request = http.get({ host: '127.0.0.1', port, path: `${AT}${pathName}` });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes / MIB;
}

interface Build {
  runId: string;
  /** Ends the build with the candidate, and waits until it is scored. */
  answer: () => Promise<void>;
}

/** Starts a build and uploads its candidate. */
async function build(server: Served, model: Buffer): Promise<Build> {
  const { send } = server;
  const run = await send('POST', `${AT}/definitions/prediction/tickets/run`, { input: { build: {} } });
  const runId = String(run['run_id']);
  const type = 'application/octet-stream';
  const uploaded = await sendBytes(server, 'POST', `/runs/${runId}/build/candidates`, type, [model]);
  const { candidate } = JSON.parse(uploaded) as { candidate: string };
  const answer = async (): Promise<void> => {
    await send('POST', `${AT}/runs/${runId}/answer`, { answer: { candidates: [candidate] } });
    for (;;) {
      const { status } = await send('GET', `${AT}/runs/${runId}`);
      if (status === 'succeeded') return;
      if (status !== 'started') throw new Error(`The build ended ${String(status)}.`);
      await pause(100);
    }
  };
  return { runId, answer };
}

/** The same model in a process of its own, without a server: what a question costs at least. */
async function modelAlone(model: Buffer): Promise<number[]> {
  const runner = createModelRunner({ clock: systemClock });
  const signature = signatureOf(SPEC);
  const tensors = Object.fromEntries(
    signature.inputs.map(({ name, type, dims }) => {
      const length = dims.reduce<number>((size, dim) => (dim === 'batch' ? size : size * dim), 1);
      return [name, type === 'int64' ? new BigInt64Array(length) : new Float32Array(length)];
    }),
  );
  const ask = () => runner.ask({ key: 'bench', signature, read: async () => model }, () => ({ rows: 1, tensors }));
  await ask();
  const latencies = await latenciesOf(ask, (count) => count === QUESTIONS);
  await runner.close();
  return latencies;
}

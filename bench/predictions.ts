// A prediction function with 10,000 series over HTTP: upload, build, training rows, scoring and questions, with the memory
// of the server and how long its main thread is busy. Usage: npm run bench:predictions
// BENCH_SERIES says how many series there are, 10,000 when it is absent.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { linearModel } from '../resources/trainers/node/linear-model.ts';
import { systemClock } from '../server/lib/clock.ts';
import { signatureOf } from '../server/lib/forecast/index.ts';
import { createModelRunner } from '../server/lib/onnx/index.ts';
import { makeDataset, MIB, percentile, readPlainly, SERIES, seriesName, SPEC } from './monthly-series.ts';
import { createSender, type Send } from './send.ts';
import { residentMiB, SERVER, start, type Started } from './start-process.ts';

const QUESTIONS = 500;
const AT = '/v1/orgs/local/playbooks/bench';
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

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));

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

interface Phase<Result> {
  ms: number;
  result: Result;
}

/** Measures a part of the server's work, with its memory and the longest time that its main thread is busy. */
async function measured<Result>(
  server: Started,
  name: string,
  work: () => Promise<Result>,
  note: (phase: Phase<Result>) => string = () => '',
): Promise<Result> {
  const before = residentMiB(server.pid);
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, residentMiB(server.pid));
  }, 20);
  await server.mainThread();
  const begun = performance.now();
  const result = await work();
  const ms = performance.now() - begun;
  clearInterval(watching);
  const { longest, longestCpu, over } = await server.mainThread();
  const busy = `main thread ${longestCpu.toFixed(0)} ms of processor, ${longest.toFixed(0)} ms by the clock, ${over} over 20 ms`;
  const memory = `${before.toFixed(0)} to ${peak.toFixed(0)} MiB`;
  console.log(`${name.padEnd(30)} ${ms.toFixed(0).padStart(6)} ms  ${memory}  ${busy}  ${note({ ms, result })}`);
  return result;
}

function sendBytes(
  server: Started,
  method: string,
  pathName: string,
  type: string,
  parts: readonly Buffer[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const headers = { 'content-type': type, 'content-length': length };
    const request = http.request(
      { host: '127.0.0.1', port: server.port, method, path: pathName, headers },
      (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => ((response.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(text))));
      },
    );
    request.on('error', reject);
    Readable.from(parts).pipe(request);
  });
}

/** Reads an answer without keeping it; answers its bytes. */
async function readAway(server: Started, pathName: string): Promise<number> {
  const request = http.get({ host: '127.0.0.1', port: server.port, path: pathName });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

/** Asks until `isDone`, and at most this often, one request after the other. */
async function latencies(
  ask: (number: number) => Promise<unknown>,
  most: number,
  isDone = () => false,
): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < most && !isDone()) {
    const begun = performance.now();
    await ask(taken.length);
    taken.push(performance.now() - begun);
  }
  return taken;
}

const shown = (taken: readonly number[]): string =>
  `${taken.length}: p50 ${percentile(taken, 0.5).toFixed(2)} ms, p95 ${percentile(taken, 0.95).toFixed(2)} ms, p99 ${percentile(taken, 0.99).toFixed(2)} ms`;

async function build(
  server: Started,
  send: Send,
  model: Buffer,
): Promise<{ runId: string; answer: () => Promise<void> }> {
  const run = await send('POST', `${AT}/definitions/prediction/tickets/run`, { input: { build: {} } });
  const runId = String(run['run_id']);
  const uploaded = await sendBytes(server, 'POST', `${AT}/runs/${runId}/build/candidates`, 'application/octet-stream', [
    model,
  ]);
  const { candidate } = JSON.parse(uploaded) as { candidate: string };
  const answer = async (): Promise<void> => {
    await send('POST', `${AT}/runs/${runId}/answer`, { answer: { candidates: [candidate] } });
    for (;;) {
      const { status } = await send('GET', `${AT}/runs/${runId}`);
      if (status === 'succeeded') return;
      if (status !== 'started') throw new Error(`The build ended ${String(status)}.`);
      await new Promise((resolve) => setTimeout(resolve, 100));
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
  const taken = await latencies(ask, QUESTIONS);
  await runner.close();
  return taken;
}

try {
  const dataset = makeDataset();
  const bytes = dataset.reduce((sum, { length }) => sum + length, 0);
  const hash = createHash('sha256');
  for (const part of dataset) hash.update(part);
  const digest = hash.digest('hex');
  console.log(
    `${SERIES} series, ${(bytes / MIB).toFixed(1)} MiB, load ${os
      .loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
  const begun = performance.now();
  readPlainly(dataset);
  console.log(`baseline: lines, fields and a number in Node: ${(performance.now() - begun).toFixed(0)} ms`);

  const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', path.join(folder, 'data')], {
    watchMainThread: true,
  });
  const { send, close } = createSender(server.port);
  await send('POST', '/v1/orgs/local/playbooks', { playbook: 'bench', name: 'Bench' });
  await send('POST', `${AT}/definitions/computation`, { name: 'echo', source: TRIVIAL });
  await send('POST', `${AT}/definitions/prediction`, { name: 'tickets', source: SOURCE });
  const ask = (number: number) =>
    send('POST', `${AT}/definitions/prediction/tickets/run`, {
      input: { series: seriesName((number * 7919) % SERIES) },
    });
  const compute = () => send('POST', `${AT}/definitions/computation/echo/run`, { input: { series: 'a' } });
  const model = seasonalModel();

  const speed = ({ ms }: Phase<unknown>): string => `${(bytes / MIB / (ms / 1000)).toFixed(1)} MiB/s`;
  await measured(
    server,
    'upload',
    () => sendBytes(server, 'PUT', `${AT}/datasets/${digest}`, 'text/csv', dataset),
    speed,
  );
  const first = await measured(server, 'build started, model uploaded', () => build(server, send, model));
  await measured(server, 'brief', () => readAway(server, `${AT}/runs/${first.runId}/build/brief`));
  await measured(server, 'brief again', () => readAway(server, `${AT}/runs/${first.runId}/build/brief`));
  await measured(
    server,
    'training rows',
    () => readAway(server, `${AT}/runs/${first.runId}/build/rows`),
    ({ ms, result }) => `${(result / MIB).toFixed(0)} MiB, ${(result / MIB / (ms / 1000)).toFixed(0)} MiB/s`,
  );
  await measured(server, 'scoring', first.answer);
  await send('POST', `${AT}/definitions/prediction/tickets/activate`, { version: 1 }).catch((error: unknown) => {
    if (!String(error).includes('already_active')) throw error;
  });

  await latencies(ask, 20);
  await latencies(compute, 20);
  await measured(
    server,
    'questions',
    () => latencies(ask, QUESTIONS),
    ({ result }) => shown(result),
  );
  await measured(
    server,
    'a trivial computation',
    () => latencies(compute, QUESTIONS),
    ({ result }) => shown(result),
  );
  console.log(`the model process alone: ${shown(await modelAlone(model))}`);

  // Another number of windows has baselines that are not known yet.
  await send('PUT', `${AT}/definitions/prediction/tickets`, { source: `${SOURCE}windows: 7\n` });
  const second = await build(server, send, model);
  let isScored = false;
  await measured(
    server,
    'questions while scoring',
    async () => {
      const scoring = second.answer().finally(() => {
        isScored = true;
      });
      const taken = await latencies(ask, Number.POSITIVE_INFINITY, () => isScored);
      await scoring;
      return taken;
    },
    ({ result }) => shown(result),
  );
  await send('PUT', `${AT}/definitions/prediction/tickets`, { source: `${SOURCE}windows: 8\n` });
  const third = await build(server, send, model);
  isScored = false;
  await measured(
    server,
    'computations while scoring',
    async () => {
      const scoring = third.answer().finally(() => {
        isScored = true;
      });
      const taken = await latencies(compute, Number.POSITIVE_INFINITY, () => isScored);
      await scoring;
      return taken;
    },
    ({ result }) => shown(result),
  );
  console.log(
    `load ${os
      .loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
  close();
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

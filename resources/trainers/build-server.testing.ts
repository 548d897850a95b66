// For tests of trainers: the routes of a playbook with open builds, and the rows of a series whose formula is known.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Signature } from '../../server/lib/onnx/index.ts';
import type { Layout } from './node/read-rows.ts';

export const LAYOUT: Layout = { context: 24, horizon: 6, time: 2, known: 1 };
export const SIGNATURE: Signature = {
  inputs: [
    { name: 'past_target', type: 'float32', dims: ['batch', 24], required: true },
    { name: 'past_observed', type: 'float32', dims: ['batch', 24] },
    { name: 'future_time', type: 'float32', dims: ['batch', 6, 2] },
    { name: 'future_covariates', type: 'float32', dims: ['batch', 6, 1] },
  ],
  output: { name: 'quantiles', type: 'float32', dims: ['batch', 6, 3], ascending: true },
};

/** A number from -1 to 1 that looks random. */
export function noise(at: number): number {
  return ((Math.sin(at * 12.9898) * 43758.5453) % 1) * 2 - 1;
}

/** Monthly values with a season, a promotion that adds 2, and some noise. */
export function valueAt(series: number, month: number): number {
  return Math.sin((month * Math.PI) / 6 + series) + 2 * promotionAt(month) + 0.05 * noise(series * 1000 + month);
}

function promotionAt(month: number): number {
  return month % 7 === 0 ? 1 : 0;
}

export function rowsText(months = 72): string {
  const { context, horizon, time, known } = LAYOUT;
  const numbered = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
  const header = [
    'series',
    'origin',
    'center',
    'scale',
    'weight',
    ...numbered('x', context),
    ...numbered('m', context),
    ...numbered('t', (context + horizon) * time),
    ...numbered('f', horizon * known),
    ...numbered('y', horizon),
  ];
  const lines = [header.join()];
  for (const series of [0, 1, 2]) {
    for (let origin = context; origin < months; origin += 1) {
      const past = Array.from({ length: context }, (_, at) => origin - context + 1 + at);
      const future = Array.from({ length: horizon }, (_, at) => origin + 1 + at);
      const observed = past.map((month) => (month % 11 === 0 ? 0 : 1));
      const label = `${2010 + Math.floor(origin / 12)}-${String((origin % 12) + 1).padStart(2, '0')}`;
      lines.push([
        `"A ""quoted"",\nname ${series}"`, label, 0, 1, 1,
        ...past.map((month, at) => (observed[at] === 0 ? 0 : valueAt(series, month))),
        ...observed,
        ...[...past, ...future].flatMap((month) => [Math.sin((month * Math.PI) / 6), Math.cos((month * Math.PI) / 6)]),
        ...future.map(promotionAt),
        ...future.map((month) => (month < months ? valueAt(series, month) : '')),
      ].join()); // biome-ignore format: the order of the columns
    }
  }
  return `${lines.join('\n')}\n`;
}

export const BUILD = '00000000-0000-4000-8000-000000000001';
/** An interaction that asks for candidates of the build. */
export const ASKING = '00000000-0000-4000-8000-000000000002';
/** A build that ended. */
export const ENDED = '00000000-0000-4000-8000-000000000003';
export const KEY = 'secret';

interface BuildServer {
  playbook: string;
  uploads: { candidate: string; model: Uint8Array }[];
  /** By path. */
  answers: Record<string, unknown>;
  close: () => void;
}

/** Its first upload is refused as busy. @param requests of the inbox `forecasters` */
export async function startBuildServer(requests: readonly string[] = [ENDED, BUILD, ASKING]): Promise<BuildServer> {
  const uploads: BuildServer['uploads'] = [];
  const answers: BuildServer['answers'] = {};
  let isBusy = true;
  const interactions = [
    { run_id: ENDED, type: 'prediction', message: 'Train a model.', input: { run_id: ENDED } },
    { run_id: BUILD, type: 'prediction', message: 'Train a model.', input: { run_id: BUILD } },
    { run_id: ASKING, type: 'interaction', message: `See http://localhost/v1/runs/${BUILD}/build/brief` },
    { run_id: ASKING, type: 'interaction', message: 'Is it raining?' },
  ].filter(({ run_id }) => requests.includes(run_id));
  const pages: Record<string, string> = {
    '/interactions?to=forecasters': JSON.stringify({ interactions }),
    [`/runs/${BUILD}/build/brief`]: '# Build\n\n- Season: 12 periods\n- Coverage: 0.8\n',
    [`/runs/${BUILD}/build/rows`]: rowsText(),
  };
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const body = await buffer(request);
    const send = (status: number, text: string): void =>
      void response.writeHead(status, { 'retry-after': '0' }).end(text);
    if (headers.authorization !== `Bearer ${KEY}`) return send(401, 'no key');
    if (request.method === 'GET') return send(pages[url] === undefined ? 409 : 200, pages[url] ?? 'build_ended');
    if (url.endsWith('/answer')) {
      answers[url] = JSON.parse(body.toString());
      return send(200, '{}');
    }
    if (isBusy) {
      isBusy = false;
      return send(503, 'model_process_busy');
    }
    const candidate = createHash('sha256').update(body).digest('hex');
    uploads.push({ candidate, model: body });
    return send(201, JSON.stringify({ candidate }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const playbook = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { playbook, uploads, answers, close: () => void server.close() };
}

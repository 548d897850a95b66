// The start of a server, its memory and its store, and its requests as ratios to a baseline of the same run.
import path from 'node:path';
import { inTurn, middleOf, print, printLoad, setting } from '../figures.ts';
import { AT, type Bench, createPlaybook, serve } from '../serve.ts';
import { printCosts } from './costs.ts';
import { EVENT, type Measured, measureLoad, post, startBaseline } from './load.ts';

const ROUND_MS = setting('BENCH_MS', 3000);
const WARM_UP_MS = 1000;
const ROUNDS = 3;
const STARTS = 5;
const ADD_TAX = `export const input = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } };
export const output = { type: 'object', properties: { total: { type: 'number' } } };
export default (input) => ({ total: Math.round(input.price * 119) / 100 });
`;

export async function run(bench: Bench): Promise<void> {
  const starts: number[] = [];
  for (let count = 0; count < STARTS; count += 1) starts.push(await timeToHealthy(bench, `start-${count}`));
  print('start to a healthy answer', `${middleOf(starts, Number).toFixed(0)} ms (median of ${STARTS})`);
  await printCosts(bench);

  const baseline = await startBaseline(bench);
  const server = await serve(bench, path.join(bench.folder, 'data'));
  const save = await createPlaybook(server.send);
  await save('computation', 'add-tax', ADD_TAX);
  const input = JSON.stringify({ input: { price: 10 } });
  const targets = new Map([
    ['baseline', { port: baseline.port, request: post('/facts', EVENT) }],
    ['publish_event', { port: server.port, request: post(`${AT}/events`, EVENT) }],
    ['run', { port: server.port, request: post(`${AT}/definitions/computation/add-tax/run`, input) }],
  ]);
  for (const connections of [1, 64]) {
    const measured = await inTurn(
      targets.entries(),
      ROUNDS,
      ([, target], round) => measureLoad({ ...target, connections, milliseconds: round === 0 ? WARM_UP_MS : ROUND_MS }),
      ({ perSecond }) => perSecond,
    );
    let base: Measured | undefined;
    for (const [[name], figures] of measured) {
      const ratio = base === undefined ? '' : `  ratio ${(figures.perSecond / base.perSecond).toFixed(2)}`;
      base ??= figures;
      print(
        `${name}, ${connections} connections`,
        `${figures.perSecond.toFixed(0).padStart(7)}/s  p50 ${figures.p50.toFixed(2)} ms  p99 ${figures.p99.toFixed(2)} ms${ratio}`,
      );
    }
  }
  print('memory, after these requests', `${server.residentMiB().toFixed(0)} MiB resident`);
  printLoad();
}

async function timeToHealthy(bench: Bench, name: string): Promise<number> {
  const begun = performance.now();
  const server = await serve(bench, path.join(bench.folder, name));
  await server.send('GET', '/health');
  const duration = performance.now() - begun;
  await server.stop();
  return duration;
}

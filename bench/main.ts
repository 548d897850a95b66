// Prints each measure as a ratio to a baseline of the same run. Usage: npm run bench
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { printCosts } from './costs.ts';
import { measure, type Measured, post } from './load.ts';
import { here, residentMiB, SERVER, start } from './start-process.ts';

const ROUND_MS = 3000;
const ROUNDS = 3;

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));

/** Rounds of each in turn, so that what else the machine does falls on all alike; the median round counts. */
async function compare(
  connections: number,
  targets: Record<string, { port: number; request: Buffer }>,
): Promise<Record<string, Measured>> {
  const rounds = new Map<string, Measured[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, { port, request }] of Object.entries(targets)) {
      const milliseconds = round === 0 ? 1000 : ROUND_MS;
      const measured = await measure({ host: '127.0.0.1', port, request, connections, milliseconds });
      if (round > 0) rounds.set(name, [...(rounds.get(name) ?? []), measured]);
    }
  }
  const medians = [...rounds].map(([name, all]): [string, Measured] => {
    const sorted = all.toSorted((a, b) => a.perSecond - b.perSecond);
    return [name, sorted[Math.floor(sorted.length / 2)] ?? sorted[0] ?? { count: 0, perSecond: 0, p50: 0, p99: 0 }];
  });
  return Object.fromEntries(medians);
}

async function prepare(port: number): Promise<void> {
  const send = async (pathName: string, body: object): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/orgs/local${pathName}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  };
  await send('/playbooks', { playbook: 'bench', name: 'Bench' });
  const source = `export const input = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } };
export const output = { type: 'object', properties: { total: { type: 'number' } } };
export default (input) => ({ total: Math.round(input.price * 119) / 100 });
`;
  await send('/playbooks/bench/definitions/computation', { name: 'add-tax', source });
}

async function timeToHealthy(): Promise<number> {
  const begun = performance.now();
  const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', path.join(folder, `start-${begun}`)]);
  const answer = await fetch(`http://127.0.0.1:${server.port}/health`);
  if (!answer.ok) throw new Error('The server is not healthy.');
  const taken = performance.now() - begun;
  await server.stop();
  return taken;
}

const print = (name: string, { perSecond, p50, p99 }: Measured, baseline?: Measured): void => {
  const ratio = baseline === undefined ? '' : `  ratio ${(perSecond / baseline.perSecond).toFixed(2)}`;
  console.log(
    `${name.padEnd(34)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms${ratio}`,
  );
};

try {
  const starts: number[] = [];
  for (let round = 0; round < 5; round += 1) starts.push(await timeToHealthy());
  starts.sort((a, b) => a - b);
  console.log(`start to a healthy answer           ${starts[2]?.toFixed(0)} ms (median of 5)`);
  await printCosts(folder);

  const baseline = await start([here('./baseline-server.ts'), path.join(folder, 'baseline.db')]);
  const cuebook = await start([SERVER, 'serve', '--port', '0', '--data-dir', path.join(folder, 'data')]);
  await prepare(cuebook.port);

  const event = JSON.stringify({
    event: { source: '/bench', type: 'bench.measured', data: { text: 'x'.repeat(900) } },
  });
  const run = JSON.stringify({ input: { price: 10 } });
  const base = '/v1/orgs/local/playbooks/bench';
  for (const connections of [1, 64]) {
    const measured = await compare(connections, {
      baseline: { port: baseline.port, request: post('/facts', event) },
      publish_event: { port: cuebook.port, request: post(`${base}/events`, event) },
      run: { port: cuebook.port, request: post(`${base}/definitions/computation/add-tax/run`, run) },
    });
    for (const [name, figures] of Object.entries(measured)) {
      print(`${name}, ${connections} connections`, figures, name === 'baseline' ? undefined : measured['baseline']);
    }
  }
  console.log(`memory, after these requests       ${residentMiB(cuebook.pid).toFixed(0)} MiB resident`);
  console.log(
    `load of the machine                ${os.loadavg()[0]?.toFixed(1)} on ${os.availableParallelism()} cores`,
  );
  await baseline.stop();
  await cuebook.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

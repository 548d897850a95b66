// Workflows of ten durable steps, started over HTTP, beside a bare loop that appends the same events without an
// engine and the durable-commit baseline. Usage: npm run bench:workflows
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { appendLoop } from './append-loop.ts';
import { measure, post } from './load.ts';
import { createRunToEnd, type RunToEnd } from './run-to-end.ts';
import { createSender } from './send.ts';
import { cpuSeconds, here, residentMiB, SERVER, start, type Started } from './start-process.ts';
import { ADD_ONE, STEPS, WORKFLOWS } from './workflow-sources.ts';

const AT = '/v1/orgs/local/playbooks/bench';
const MILLISECONDS = Number(process.env['BENCH_MS'] ?? 6000);

interface Figures {
  stepsPerSecond: number;
  p50: number;
  p99: number;
  mostMiB: number;
  /** Processor time of the server for a step, in microseconds. */
  cpu: number;
}

/** Each slot starts a run, waits for its end and starts the next. */
async function runAll(server: Started, runToEnd: RunToEnd, name: string, slots: number): Promise<Figures> {
  const latencies: number[] = [];
  const cpuBefore = cpuSeconds(server.pid);
  const begun = performance.now();
  const until = begun + MILLISECONDS;
  let mostMiB = 0;
  const watch = setInterval(() => (mostMiB = Math.max(mostMiB, residentMiB(server.pid))), 200);
  async function slot(): Promise<void> {
    while (performance.now() < until) latencies.push(await runToEnd(name));
  }
  await Promise.all(Array.from({ length: slots }, slot));
  clearInterval(watch);
  const seconds = (performance.now() - begun) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  const cpu = ((cpuSeconds(server.pid) - cpuBefore) * 1e6) / (latencies.length * STEPS);
  return { cpu, stepsPerSecond: (latencies.length * STEPS) / seconds, p50: at(0.5), p99: at(0.99), mostMiB };
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));
try {
  const data = path.join(folder, 'data');
  const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', data]);
  const { send, close } = createSender(server.port);
  await send('POST', '/v1/orgs/local/playbooks', { playbook: 'bench', name: 'Bench' });
  const save = (type: string, name: string, source: string): Promise<unknown> =>
    send('POST', `${AT}/definitions/${type}`, { name, source });
  await save('workflow', 'waits', WORKFLOWS.waits);
  await save('workflow', 'sets', WORKFLOWS.sets);
  const runToEnd = createRunToEnd(send, AT);

  const baseline = await start([here('./baseline-server.ts'), path.join(folder, 'baseline.db')]);
  const fact = JSON.stringify({ text: 'x'.repeat(900) });
  const loops = new Map<number, number>();
  async function report(name: string, slots: number): Promise<void> {
    const { stepsPerSecond, p50, p99, mostMiB, cpu } = await runAll(server, runToEnd, name, slots);
    console.log(
      `ten ${name}, ${slots} at once`.padEnd(44),
      `${stepsPerSecond.toFixed(0).padStart(7)} steps/s  run p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${mostMiB.toFixed(0)} MiB  ${cpu.toFixed(0)} µs CPU a step`,
      ` ratio to the loop ${(stepsPerSecond / (loops.get(slots) ?? 0)).toFixed(2)}`,
    );
  }
  for (const slots of [1, 50]) {
    const bare = { host: '127.0.0.1', port: baseline.port, request: post('/facts', fact) };
    const commits = await measure({ ...bare, connections: slots, milliseconds: MILLISECONDS / 2 });
    console.log(`baseline: one commit a request, ${slots}`.padEnd(44), `${commits.perSecond.toFixed(0).padStart(7)}/s`);
    const loop = await appendLoop(path.join(folder, `loop-${slots}`), slots, MILLISECONDS / 2);
    loops.set(slots, loop);
    console.log(`the same events without an engine, ${slots}`.padEnd(44), `${loop.toFixed(0).padStart(7)} steps/s`);
    await report('sets', slots);
    await report('waits', slots);
  }
  // Last, since sandboxes come with it, which stay.
  await save('computation', 'add-one', ADD_ONE);
  await save('workflow', 'calls', WORKFLOWS.calls);
  await report('calls', 1);
  await report('calls', 50);
  close();
  await baseline.stop();
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Workflows of ten durable steps, started over HTTP, beside a bare loop that appends the same events without an
// engine and the durable-commit baseline. BENCH_MS says how long each is measured.
import path from 'node:path';
import { print, setting, showLatencies } from '../figures.ts';
import { AT, type Bench, createPlaybook, serve } from '../serve.ts';
import { EVENT, measureLoad, post, startBaseline } from '../server/load.ts';
import { appendLoop } from './append-loop.ts';
import { drive } from './drive.ts';
import { createRunToEnd } from './run-to-end.ts';
import { ADD_ONE, WORKFLOWS } from './workflow-sources.ts';

const MILLISECONDS = setting('BENCH_MS', 6000);

export async function run(bench: Bench): Promise<void> {
  const { folder } = bench;
  const server = await serve(bench, path.join(folder, 'data'));
  const save = await createPlaybook(server.send);
  await save('workflow', 'waits', WORKFLOWS.waits);
  await save('workflow', 'sets', WORKFLOWS.sets);
  const runToEnd = createRunToEnd(server.send, AT);

  const { port } = await startBaseline(bench);
  const loops = new Map<number, number>();
  async function report(name: string, slots: number): Promise<void> {
    const round = await drive([server.pid], () => runToEnd(name), slots, MILLISECONDS);
    print(
      `ten ${name}, ${slots} at once`,
      `${round.stepsPerSecond.toFixed(0).padStart(7)} steps/s  run ${showLatencies(round.latencies)}  ${round.residentMiB.toFixed(0)} MiB  ${(round.cpu * 1000).toFixed(0)} µs CPU a step  ratio to the loop ${(round.stepsPerSecond / (loops.get(slots) ?? 0)).toFixed(2)}`,
    );
  }
  for (const slots of [1, 50]) {
    const load = { port, request: post('/facts', EVENT), connections: slots, milliseconds: MILLISECONDS / 2 };
    const commits = await measureLoad(load);
    print(`baseline: one commit a request, ${slots}`, `${commits.perSecond.toFixed(0).padStart(7)}/s`);
    const loop = await appendLoop(path.join(folder, `loop-${slots}`), slots, MILLISECONDS / 2);
    loops.set(slots, loop);
    print(`the same events without an engine, ${slots}`, `${loop.toFixed(0).padStart(7)} steps/s`);
    await report('sets', slots);
    await report('waits', slots);
  }
  // Last, since sandboxes come with it, which stay.
  await save('computation', 'add-one', ADD_ONE);
  await save('workflow', 'calls', WORKFLOWS.calls);
  await report('calls', 1);
  await report('calls', 50);
}

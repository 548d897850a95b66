// Many workflows that wait at once: how much memory they take, and whether the API responds meanwhile. BENCH_RUNS says how
// many.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atOnce, latenciesOf, print, setting, showLatencies, timed } from '../figures.ts';
import { AT, type Bench, createPlaybook, serve, type Served } from '../serve.ts';
import { HEAD } from './workflow-sources.ts';

const RUNS = setting('BENCH_RUNS', 10_000);
const WAIT_SECONDS = Math.max(20, Math.ceil(RUNS / 200));
const BRANCHES = 1000;

/** Requests a page of the API repeatedly until no run is left. @returns the duration, the latencies and the memory */
async function untilNoneIsLeft({ send, residentMiB }: Served): Promise<string> {
  const isDone = async (count: number): Promise<boolean> => {
    if (count === 0) return false;
    await pause(10);
    if (count % 10 !== 1) return false;
    const { runs } = await send('GET', `${AT}/runs?status=started&limit=1`);
    return (runs as unknown[]).length === 0;
  };
  const { result, milliseconds, peak } = await timed(residentMiB, () => latenciesOf(() => send('GET', AT), isDone));
  const longest = Math.max(...result).toFixed(1);
  return `${(milliseconds / 1000).toFixed(1)} s, the API ${showLatencies(result)}  at most ${longest} ms, ${peak.toFixed(0)} MiB`;
}

export async function run(bench: Bench): Promise<void> {
  const data = path.join(bench.folder, 'data');
  let server = await serve(bench, data);
  const save = await createPlaybook(server.send);
  const runWorkflow = (name: string): Promise<unknown> =>
    server.send('POST', `${AT}/definitions/workflow/${name}/run`, {});
  await save('workflow', 'waits', `${HEAD}do: [ { nap: { wait: { seconds: ${WAIT_SECONDS} } } } ]`);
  const branches = Array.from({ length: BRANCHES }, (_none, n) => `          - b${n}: { wait: PT0S }\n`).join('');
  await save('workflow', 'forks', `${HEAD}do:\n  - all:\n      fork:\n        branches:\n${branches}`);

  const begun = performance.now();
  let left = RUNS;
  await atOnce(50, async () => {
    while (left-- > 0) await runWorkflow('waits');
  });
  const milliseconds = performance.now() - begun;
  print(
    `${RUNS} workflows started and waiting`,
    `${(milliseconds / 1000).toFixed(1)} s, ${server.residentMiB().toFixed(0)} MiB`,
  );
  await server.stop();

  await pause(Math.max(0, WAIT_SECONDS * 1000 - (performance.now() - begun)) + milliseconds);
  server = await serve(bench, data);
  print(`${RUNS} timers due at a start`, await untilNoneIsLeft(server));
  await runWorkflow('forks');
  print(`a fork of ${BRANCHES} branches that wait`, await untilNoneIsLeft(server));
}

// Many workflows that wait at once: what they take of memory, and whether the API answers meanwhile.
// Usage: npm run bench:waiting
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSender, type Send } from './send.ts';
import { residentMiB, SERVER, start, type Started } from './start-process.ts';

const RUNS = Number(process.env['BENCH_RUNS'] ?? 10_000);
const WAIT_SECONDS = Math.max(20, Math.ceil(RUNS / 200));
const AT = '/v1/orgs/local/playbooks/bench';
const HEAD = "document: { dsl: '1.0.3', namespace: bench, name: bench, version: '1.0.0' }\n";

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));
const serve = (): Promise<Started> => start([SERVER, 'serve', '--port', '0', '--data-dir', path.join(folder, 'data')]);
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks the API over and over until `isDone` holds; answers how long it took to answer. */
async function whileAsked(server: Started, send: Send, isDone: () => Promise<boolean>): Promise<string> {
  const latencies: number[] = [];
  let most = 0;
  const begun = performance.now();
  for (let looks = 0; ; looks += 1) {
    const asked = performance.now();
    await send('GET', '/v1/orgs/local/playbooks/bench');
    latencies.push(performance.now() - asked);
    most = Math.max(most, residentMiB(server.pid));
    if (looks % 10 === 0 && (await isDone())) break;
    await pause(10);
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number): string => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  return `${seconds} s, an answer of the API p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(0.9999)} ms, ${most.toFixed(0)} MiB`;
}

try {
  let server = await serve();
  let sender = createSender(server.port);
  await sender.send('POST', '/v1/orgs/local/playbooks', { playbook: 'bench', name: 'Bench' });
  const save = (name: string, steps: string): Promise<unknown> =>
    sender.send('POST', `${AT}/definitions/workflow`, { name, source: HEAD + steps });
  await save('waits', `do: [ { nap: { wait: { seconds: ${WAIT_SECONDS} } } } ]`);
  const branches = Array.from({ length: 1000 }, (_none, n) => `          - b${n}: { wait: PT0S }\n`).join('');
  await save('forks', `do:\n  - all:\n      fork:\n        branches:\n${branches}`);

  const begun = performance.now();
  let left = RUNS;
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (left-- > 0) await sender.send('POST', `${AT}/definitions/workflow/waits/run`, {});
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `${RUNS} workflows started in ${seconds.toFixed(1)} s and waiting: ${residentMiB(server.pid).toFixed(0)} MiB`,
  );
  sender.close();
  await server.stop();

  await pause(Math.max(0, WAIT_SECONDS * 1000 - (performance.now() - begun)) + seconds * 1000);
  server = await serve();
  sender = createSender(server.port);
  const noneLeft = async (): Promise<boolean> =>
    ((await sender.send('GET', `${AT}/runs?status=started&limit=1`))['runs'] as unknown[]).length === 0;
  console.log(`${RUNS} timers due at a start: ${await whileAsked(server, sender.send, noneLeft)}`);

  await sender.send('POST', `${AT}/definitions/workflow/forks/run`, {});
  console.log(`a fork of 1000 branches that wait: ${await whileAsked(server, sender.send, noneLeft)}`);
  sender.close();
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

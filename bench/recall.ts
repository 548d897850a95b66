// Views of recall functions: how fast events are folded, how soon an answer comes with a million events behind it, and
// what a rebuild does to other requests; as ratios to the same fold in plain Node. Usage: npm run bench:recall
// BENCH_EVENTS says how many events stand behind the view, 1,000,000 when it is absent.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openLog } from '../server/runtime/open-stores.ts';
import { systemClock } from '../server/lib/clock.ts';
import { readSettings } from '../server/settings/index.ts';
import { foldInQuickJs, foldPlainly } from './folds.ts';
import { createSender, type Send } from './send.ts';
import { residentMiB, SERVER, start } from './start-process.ts';
import { buildView, fill, pathOf, type State } from './tickets.ts';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
const REBUILT = Math.min(EVENTS, 100_000);
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Latencies {
  p50: number;
  p99: number;
  count: number;
}

/** Milliseconds of answers, one after the other, until `ended` settles. */
async function answers(send: Send, ended: Promise<unknown>): Promise<Latencies> {
  const taken: number[] = [];
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver || taken.length < 20) {
    const begun = performance.now();
    const { output } = await send('POST', `${pathOf('million')}/tickets/run`, {});
    if ((output as State).opened === 0) throw new Error('The view is empty.');
    taken.push(performance.now() - begun);
    await pause(2);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.ceil(share * taken.length) - 1] ?? 0;
  return { p50: at(0.5), p99: at(0.99), count: taken.length };
}

const print = (name: string, words: string): void => console.log(name.padEnd(46), words);

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));
try {
  const log = openLog(readSettings({ DATA_DIR: folder }), systemClock, (sentence) => {
    throw new Error(sentence);
  });
  await fill(log, 'million', EVENTS);
  await fill(log, 'hundred', REBUILT);
  await log.close();

  const plain = await foldPlainly(EVENTS);
  print(`plain Node, ${EVENTS} events`, `${(EVENTS / plain).toFixed(0)} events/s, ${plain.toFixed(2)} s`);
  const inside = await foldInQuickJs(REBUILT);
  const parsed = inside.parse + inside.fold;
  print(
    'QuickJS with the events inside',
    `${(REBUILT / inside.fold).toFixed(0)} events/s, ${(REBUILT / parsed).toFixed(0)} with JSON.parse`,
  );

  const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', folder]);
  const { send, close } = createSender(server.port);
  const built = await buildView(send, 'million');
  print(
    'a view of them',
    `${(EVENTS / built).toFixed(0)} events/s  ratio ${(plain / built).toFixed(3)} to Node, ${((parsed * EVENTS) / REBUILT / built).toFixed(2)} to QuickJS with JSON.parse  ${residentMiB(server.pid).toFixed(0)} MiB`,
  );

  const idle = await answers(send, pause(3000));
  print(
    `an answer with ${EVENTS} events behind it`,
    `p50 ${idle.p50.toFixed(1)} ms  p99 ${idle.p99.toFixed(1)} ms  plain fold / answer ${((plain * 1000) / idle.p50).toFixed(0)}`,
  );

  const rebuild = buildView(send, 'hundred');
  const meanwhile = await answers(send, rebuild);
  print(
    `answers while ${REBUILT} events are rebuilt`,
    `p50 ${meanwhile.p50.toFixed(1)} ms  p99 ${meanwhile.p99.toFixed(1)} ms over ${meanwhile.count}, rebuilt in ${(await rebuild).toFixed(1)} s  ratio of p99 to idle ${(meanwhile.p99 / idle.p99).toFixed(1)}`,
  );
  close();
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

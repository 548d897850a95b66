// Views of recall functions: how fast events are folded, the latency of an answer with 1,000,000 events (BENCH_EVENTS) behind
// it, and what a rebuild does to other requests; as ratios to the same fold in plain Node.
import { setTimeout as pause } from 'node:timers/promises';
import { latenciesOf, percentile, print, setting, showLatencies } from '../figures.ts';
import type { Send } from '../send.ts';
import { type Bench, serve } from '../serve.ts';
import { foldInQuickJs, foldPlainly } from './folds.ts';
import { buildView, fillLog, pathOf, type State } from './tickets.ts';

const EVENTS = setting('BENCH_EVENTS', 1_000_000);
const REBUILT = Math.min(EVENTS, 100_000);
const LEAST_ANSWERS = 20;

export async function run(bench: Bench): Promise<void> {
  await fillLog(bench.folder, { million: EVENTS, hundred: REBUILT });
  const plain = await foldPlainly(EVENTS);
  print(`plain Node, ${EVENTS} events`, `${(EVENTS / plain).toFixed(0)} events/s, ${plain.toFixed(2)} s`);
  const inside = await foldInQuickJs(REBUILT);
  const parsed = inside.parse + inside.fold;
  print(
    'QuickJS with the events inside',
    `${(REBUILT / inside.fold).toFixed(0)} events/s, ${(REBUILT / parsed).toFixed(0)} with JSON.parse`,
  );

  const server = await serve(bench, bench.folder);
  const built = await buildView(server.send, 'million');
  print(
    'a view of them',
    `${(EVENTS / built).toFixed(0)} events/s  ratio ${(plain / built).toFixed(3)} to Node, ${((parsed * EVENTS) / REBUILT / built).toFixed(2)} to QuickJS with JSON.parse  ${server.residentMiB().toFixed(0)} MiB`,
  );

  const idle = await answersUntil(server.send, pause(3000));
  const ratio = (plain * 1000) / percentile(idle, 0.5);
  print(`an answer with ${EVENTS} events behind it`, `${showLatencies(idle)}  plain fold / answer ${ratio.toFixed(0)}`);

  const rebuild = buildView(server.send, 'hundred');
  const meanwhile = await answersUntil(server.send, rebuild);
  print(
    `answers while ${REBUILT} events are rebuilt`,
    `${showLatencies(meanwhile)} over ${meanwhile.length}, rebuilt in ${(await rebuild).toFixed(1)} s  ratio of p99 to idle ${(percentile(meanwhile, 0.99) / percentile(idle, 0.99)).toFixed(1)}`,
  );
}

/** Milliseconds of answers, one after the other, until `ended` settles. */
async function answersUntil(send: Send, ended: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  return latenciesOf(
    async () => {
      const { output } = await send('POST', `${pathOf('million')}/tickets/run`, {});
      if ((output as State).opened === 0) throw new Error('The view is empty.');
    },
    async (count) => {
      await pause(2);
      return isOver && count >= LEAST_ANSWERS;
    },
  );
}

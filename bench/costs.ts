// What a fresh server takes of memory and of its store, and how fast it folds a view; printed line by line.
import path from 'node:path';
import { openLog } from '../server/runtime/open-stores.ts';
import { systemClock } from '../server/lib/clock.ts';
import { readSettings } from '../server/settings/index.ts';
import { foldInQuickJs, type InQuickJs } from './folds.ts';
import { drive } from './peers/drive.ts';
import { createRunToEnd } from './run-to-end.ts';
import { createSender, type Send } from './send.ts';
import { residentMiB, SERVER, start } from './start-process.ts';
import { storeCost } from './store-cost.ts';
import { buildView, fill } from './tickets.ts';
import { ADD_ONE, callsOf } from './workflow-sources.ts';

const AT = '/v1/orgs/local/playbooks/bench';
const SLOTS = 50;
const LOAD_MS = 6000;
const EVENTS = 50_000;
const FOLDS = 3;

export async function printCosts(folder: string): Promise<void> {
  const data = path.join(folder, 'costs');
  await fillLog(data);
  const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', data]);
  const { send, close } = createSender(server.port);
  const printMemory = (when: string, mebibytes = residentMiB(server.pid)): void =>
    console.log(`memory, ${when}`.padEnd(34), `${mebibytes.toFixed(0)} MiB resident`);

  printMemory('idle');
  await send('POST', '/v1/orgs/local/playbooks', { playbook: 'bench', name: 'Bench' });
  await send('POST', `${AT}/definitions/computation`, { name: 'add-one', source: ADD_ONE });
  printMemory('after saving a computation');
  const runComputation = (): Promise<unknown> => send('POST', `${AT}/definitions/computation/add-one/run`, {});
  await runComputation();
  printMemory('after its first run');
  for (const calls of [2, 10, 12]) {
    await send('POST', `${AT}/definitions/workflow`, { name: `calls-${calls}`, source: callsOf(calls) });
  }
  printMemory('after saving three workflows');
  await printStoreCosts(send, runComputation);
  await printFolds(send);
  const runToEnd = createRunToEnd(send, AT);
  const { residentMiB: most } = await drive({ processes: [server.pid] }, () => runToEnd('calls-10'), SLOTS, LOAD_MS);
  printMemory(`${SLOTS} workflows at once`, most);
  close();
  await server.stop();
}

/** A log with two playbooks of events, one small to warm up. */
async function fillLog(data: string): Promise<void> {
  const log = openLog(readSettings({ DATA_DIR: data }), systemClock, (sentence) => {
    throw new Error(sentence);
  });
  await fill(log, 'small', 1000);
  await fill(log, 'large', EVENTS);
  await log.close();
}

async function printStoreCosts(send: Send, runComputation: () => Promise<unknown>): Promise<void> {
  const print = (name: string, commits: number, statements: number): void =>
    console.log(`store, ${name}`.padEnd(34), `${commits.toFixed(1)} commits, ${statements.toFixed(1)} statements`);
  const event = { source: '/bench', type: 'bench.measured', data: {} };
  const published = await storeCost(send, () => send('POST', `${AT}/events`, { event }));
  print('publish_event', published.commits, published.statements);
  const run = await storeCost(send, runComputation);
  print('run of a computation', run.commits, run.statements);
  const cost = (calls: number) =>
    storeCost(send, () => send('POST', `${AT}/definitions/workflow/calls-${calls}/run`, {}));
  const two = await cost(2);
  const twelve = await cost(12);
  print('called computation', (twelve.commits - two.commits) / 10, (twelve.statements - two.statements) / 10);
}

async function printFolds(send: Send): Promise<void> {
  const bare: InQuickJs[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) bare.push(await foldInQuickJs(EVENTS));
  const inside = bare.toSorted((a, b) => a.fold - b.fold)[Math.floor(FOLDS / 2)] ?? { parse: 0, fold: 0 };
  const parsed = inside.parse + inside.fold;
  await buildView(send, 'small');
  const view = await buildView(send, 'large');
  const print = (name: string, seconds: number, more = ''): void =>
    console.log(name.padEnd(34), `${(EVENTS / seconds).toFixed(0).padStart(7)} events/s${more}`);
  print('fold in bare QuickJS', inside.fold);
  print('the same with JSON.parse', parsed);
  print(
    'fold of a view',
    view,
    `  ratio ${(inside.fold / view).toFixed(3)}, with JSON.parse ${(parsed / view).toFixed(2)}`,
  );
}

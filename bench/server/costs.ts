// The memory and the store of a fresh server, and how fast it folds a view; printed line by line.
import path from 'node:path';
import { middleOf, print } from '../figures.ts';
import { foldInQuickJs, type InQuickJs } from '../kinds/folds.ts';
import { buildView, fillLog } from '../kinds/tickets.ts';
import { drive } from '../runs/drive.ts';
import { createRunToEnd } from '../runs/run-to-end.ts';
import { ADD_ONE, callsOf } from '../runs/workflow-sources.ts';
import type { Send } from '../send.ts';
import { AT, type Bench, createPlaybook, serve } from '../serve.ts';
import { storeCost, type Work } from './store-cost.ts';

const SLOTS = 50;
const LOAD_MS = 6000;
const EVENTS = 50_000;
const FOLDS = 3;

export async function printCosts(bench: Bench): Promise<void> {
  const data = path.join(bench.folder, 'costs');
  // The small one warms up.
  await fillLog(data, { small: 1000, large: EVENTS });
  const server = await serve(bench, data);
  const { send } = server;
  const printMemory = (when: string, mebibytes = server.residentMiB()): void =>
    print(`memory, ${when}`, `${mebibytes.toFixed(0)} MiB resident`);

  printMemory('idle');
  const save = await createPlaybook(send);
  await save('computation', 'add-one', ADD_ONE);
  printMemory('after saving a computation');
  const runComputation = (): Promise<unknown> => send('POST', `${AT}/definitions/computation/add-one/run`, {});
  await runComputation();
  printMemory('after its first run');
  for (const calls of [2, 10, 12]) await save('workflow', `calls-${calls}`, callsOf(calls));
  printMemory('after saving three workflows');
  await printStoreCosts(send, runComputation);
  await printFolds(send);
  const runToEnd = createRunToEnd(send, AT);
  const { residentMiB } = await drive([server.pid], () => runToEnd('calls-10'), SLOTS, LOAD_MS);
  printMemory(`${SLOTS} workflows at once`, residentMiB);
  await server.stop();
}

async function printStoreCosts(send: Send, runComputation: () => Promise<unknown>): Promise<void> {
  const printWork = (name: string, { commits, statements }: Work): void =>
    print(`store, ${name}`, `${commits.toFixed(1)} commits, ${statements.toFixed(1)} statements`);
  const event = { source: '/bench', type: 'bench.measured', data: {} };
  printWork('publish_event', await storeCost(send, () => send('POST', `${AT}/events`, { event })));
  printWork('run of a computation', await storeCost(send, runComputation));
  const cost = (calls: number): Promise<Work> =>
    storeCost(send, () => send('POST', `${AT}/definitions/workflow/calls-${calls}/run`, {}));
  const two = await cost(2);
  const twelve = await cost(12);
  printWork('called computation', {
    commits: (twelve.commits - two.commits) / 10,
    statements: (twelve.statements - two.statements) / 10,
  });
}

async function printFolds(send: Send): Promise<void> {
  const bare: InQuickJs[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) bare.push(await foldInQuickJs(EVENTS));
  const inside = middleOf(bare, ({ fold }) => fold);
  const parsed = inside.parse + inside.fold;
  await buildView(send, 'small');
  const view = await buildView(send, 'large');
  const printSpeed = (name: string, seconds: number, more = ''): void =>
    print(name, `${(EVENTS / seconds).toFixed(0).padStart(7)} events/s${more}`);
  printSpeed('fold in bare QuickJS', inside.fold);
  printSpeed('the same with JSON.parse', parsed);
  const ratios = `  ratio ${(inside.fold / view).toFixed(3)}, with JSON.parse ${(parsed / view).toFixed(2)}`;
  printSpeed('fold of a view', view, ratios);
}

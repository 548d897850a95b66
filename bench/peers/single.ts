// Compares a server of Cuebook with Restate, DBOS and a bare loop in one run, on Linux. BENCH_MS says how long a round takes.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { install } from '../../scripts/install-packages.ts';
import { inTurn, middleOf, printLoad, setting } from '../figures.ts';
import { drive, type Round } from '../runs/drive.ts';
import type { Bench } from '../serve.ts';
import { cuebook } from './cuebook.ts';
import { dbos } from './dbos.ts';
import { loop } from './loop.ts';
import { type Peer, type System, WORKLOADS } from './peer.ts';
import { restate } from './restate.ts';

const SYSTEMS: readonly System[] = [cuebook, restate, dbos, loop];
const STARTS = 3;
const ROUNDS = 3;
const ROUND_MS = setting('BENCH_MS', 3000);
const COLUMN = 14;

interface Started {
  system: System;
  peer: Peer;
  opened: AsyncDisposableStack;
  /** Milliseconds, one for each start on an empty directory. */
  firstResults: number[];
}

/** Starts a system several times, each time on an empty directory; the last one stays. */
async function startOften(system: System, folder: string): Promise<Started> {
  const installed = path.join(folder, system.name.replace(' ', '-'));
  await install(installed, system.packages);
  const firstResults: number[] = [];
  for (let count = 1; ; count += 1) {
    const data = path.join(installed, `data-${count}`);
    mkdirSync(data);
    const opened = new AsyncDisposableStack();
    try {
      const peer = await system.start(installed, data, opened);
      firstResults.push(peer.firstResult);
      if (count === STARTS) return { system, peer, opened, firstResults };
    } catch (error) {
      await opened.disposeAsync();
      throw error;
    }
    await opened.disposeAsync();
  }
}

/** A line of the table: the figure of each system, and the ratio of Cuebook's to each other's. */
function print(measure: string, started: readonly Started[], figures: readonly number[], digits: number): void {
  const cells = figures.map((figure) => figure.toFixed(digits).padStart(COLUMN));
  const own = figures[started.findIndex(({ system }) => system === cuebook)];
  const ratios = figures.map((figure, index) =>
    started[index]?.system === cuebook || own === undefined ? '' : (own / figure).toFixed(2).padStart(COLUMN),
  );
  console.log(measure.padEnd(34), ...cells, ' |', ...ratios);
}

async function compare(started: readonly Started[]): Promise<void> {
  const names = started.map(({ system }) => system.name);
  const to = names.filter((name) => name !== cuebook.name).map((name) => `to ${name}`);
  console.log(''.padEnd(34), ...names.map((name) => name.padStart(COLUMN)), ' |', ...to.map((n) => n.padStart(COLUMN)));
  const middle = ({ firstResults }: Started): number => middleOf(firstResults, Number);
  print('first result after a start, ms', started, started.map(middle), 0);
  for (const workload of WORKLOADS) {
    for (const slots of [1, 50]) {
      const runners = started.map(({ peer }) => ({ processes: peer.processes, run: peer.runner(workload) }));
      const rounds = await inTurn(
        runners,
        ROUNDS,
        ({ processes, run }) => drive(processes, run, slots, ROUND_MS),
        ({ stepsPerSecond }) => stepsPerSecond,
      );
      const figures = (of: (round: Round) => number): number[] => [...rounds.values()].map(of);
      const name = `ten ${workload}, ${slots} at once`;
      print(
        `${name}, steps/s`,
        started,
        figures(({ stepsPerSecond }) => stepsPerSecond),
        0,
      );
      print(
        '  processor time a step, ms',
        started,
        figures(({ cpu }) => cpu),
        2,
      );
      print(
        '  memory, MiB',
        started,
        figures(({ residentMiB }) => residentMiB),
        0,
      );
    }
  }
}

export async function run({ folder, defer }: Bench): Promise<void> {
  const started: Started[] = [];
  for (const system of SYSTEMS) {
    try {
      const its = await startOften(system, folder);
      defer(() => its.opened.disposeAsync());
      started.push(its);
    } catch (error) {
      console.log(`${system.name} is missing from this run: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  printLoad();
  await compare(started);
  printLoad();
}

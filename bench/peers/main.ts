// Compares Cuebook with Restate, DBOS and a bare loop in one run, on Linux. Usage: npm run bench:peers
import { mkdirSync, mkdtempSync, chmodSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cuebook } from './cuebook.ts';
import { dbos } from './dbos.ts';
import { drive, median, type Round } from './drive.ts';
import { install } from '../../scripts/install-packages.ts';
import { loop } from './loop.ts';
import { type Peer, type System, WORKLOADS } from './peer.ts';
import { restate } from './restate.ts';

const SYSTEMS: readonly System[] = [cuebook, restate, dbos, loop];
const STARTS = 3;
const ROUNDS = 3;
const ROUND_MS = Number(process.env['BENCH_MS'] ?? 3000);
const COLUMN = 14;

interface Started {
  system: System;
  peer: Peer;
  opened: AsyncDisposableStack;
  /** Milliseconds, one for each start on an empty directory. */
  firstResults: number[];
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-peers-'));
chmodSync(folder, 0o755);

/** Starts a system several times, each time on an empty directory; the last one stays. */
async function startOften(system: System): Promise<Started> {
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
  const middle = ({ firstResults }: Started): number => firstResults.toSorted((a, b) => a - b)[1] ?? 0;
  print('first result after a start, ms', started, started.map(middle), 0);
  for (const workload of WORKLOADS) {
    for (const slots of [1, 50]) {
      const rounds = started.map((): Round[] => []);
      const runs = started.map(({ peer }) => peer.runner(workload));
      // Each in turn, so that what else the machine does falls on all alike. The first round warms up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const [index, { peer }] of started.entries()) {
          const run = runs[index] as () => Promise<unknown>;
          const measured = await drive(peer, run, slots, ROUND_MS);
          if (round > 0) rounds[index]?.push(measured);
        }
      }
      const medians = rounds.map(median);
      const figures = (figure: keyof Round): number[] => medians.map((round) => round[figure]);
      const name = `ten ${workload}, ${slots} at once`;
      print(`${name}, steps/s`, started, figures('stepsPerSecond'), 0);
      print('  processor time a step, ms', started, figures('cpu'), 2);
      print('  memory, MiB', started, figures('residentMiB'), 0);
    }
  }
}

const started: Started[] = [];
try {
  for (const system of SYSTEMS) {
    try {
      started.push(await startOften(system));
    } catch (error) {
      console.log(`${system.name} is missing from this run: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.availableParallelism()} cores`);
  await compare(started);
  console.log(`load of the machine at the end: ${os.loadavg()[0]?.toFixed(1)}`);
} finally {
  for (const { opened } of started) await opened.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
}

// Published events, computed steps, waits and called computations a second of one, two and three servers on one PostgreSQL,
// beside one server on SQLite and DBOS on the same PostgreSQL, all in one run, on Linux. Prints tables for bench/README.md.
// Arguments: [--short] [events | sums | waits | calls]...
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { findPostgres } from '../../server/test/postgres/programs.ts';
import { startPostgres } from '../../server/test/postgres/start-postgres.ts';
import { inTurn, printLoad } from '../figures.ts';
import type { Bench } from '../serve.ts';
import { measureRound, type Round } from './scale-round.ts';
import {
  DBOS,
  DBOS_CHILDREN,
  onPostgres,
  startCuebook,
  startDbosSystems,
  type System,
  type Workload,
} from './scale-systems.ts';

/** Rounds, and milliseconds of each, and of the warm-up of each server: the first work of a kind compiles the most code. */
const LONG = { rounds: 3, round: 2500, warmUp: 3000, firstWarmUp: 8000 };
const SHORT: typeof LONG = { rounds: 1, round: 1500, warmUp: 500, firstWarmUp: 500 };
const MOST_PROCESSES = 3;

/** Divisible among three processes and eight playbooks. */
const EVENT_SLOTS = 72;
const STEP_SLOTS = 48;
const WORKLOADS: readonly Workload[] = [
  { kind: 'events', playbooks: 1, slots: EVENT_SLOTS },
  { kind: 'events', playbooks: 8, slots: EVENT_SLOTS },
  { kind: 'events', playbooks: 8, slots: EVENT_SLOTS, isPinned: true },
  ...(['sums', 'waits', 'calls'] as const).flatMap((kind): Workload[] => [
    { kind, playbooks: 1, slots: 1 },
    { kind, playbooks: 1, slots: STEP_SLOTS },
    { kind, playbooks: 8, slots: STEP_SLOTS },
    { kind, playbooks: 8, slots: STEP_SLOTS, isPinned: true },
  ]),
];

/** Each server and DBOS have pools of their own; everything else of PostgreSQL has its default. */
const SETTINGS = ['max_connections=300'];

/** All of them run throughout: one that has nothing to do uses next to no processor time. */
async function startSystems(url: string, bench: Bench): Promise<System[]> {
  const { folder } = bench;
  const systems = [await startCuebook('SQLite, 1 process', folder, [{}], bench)];
  for (let processes = 1; processes <= MOST_PROCESSES; processes += 1) {
    const name = `PostgreSQL, ${processes} ${processes === 1 ? 'process' : 'processes'}`;
    const environment = onPostgres(url, `bench_${processes}`);
    const environments = Array.from({ length: processes }, () => environment);
    systems.push(await startCuebook(name, folder, environments, bench));
  }
  try {
    systems.push(...(await startDbosSystems(folder, url, bench)));
  } catch (error) {
    console.log(`DBOS is missing from this run: ${error instanceof Error ? error.message : String(error)}`);
  }
  return systems;
}

interface Row {
  system: System;
  round: Round;
}

const one = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`;

function printTable({ kind, playbooks, slots, isPinned = false }: Workload, rows: readonly Row[]): void {
  const unit = kind.slice(0, -1);
  const single = rows.find(({ system }) => system.name === 'PostgreSQL, 1 process')?.round;
  const peers = [DBOS, DBOS_CHILDREN].flatMap((name) => rows.filter(({ system }) => system.name === name));
  const ratio = (own: number, other: number | undefined): string =>
    other === undefined ? '' : (own / other).toFixed(2);
  const head = [
    `${kind}, ${one(playbooks, 'playbook')}${isPinned ? ', each at one server' : ''}, ${slots} at once`,
    'per second',
    'to 1 process',
    ...peers.map(({ system }) => `to ${system.name}`),
    `commits, statements per ${unit}`,
    'cores: servers, PostgreSQL, client',
    "per second of the servers' processor time",
    'with a core per process, to 1 process',
  ];
  const line = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
  console.log();
  line(head);
  line(head.map(() => '---'));
  for (const { system, round } of rows) {
    const { cores, store } = round;
    const share = (used: number): string => used.toFixed(2);
    const onPostgresAlone = system.name.startsWith('PostgreSQL');
    line([
      system.name,
      round.perSecond.toFixed(0),
      onPostgresAlone ? ratio(round.perSecond, single?.perSecond) : '',
      ...peers.map((peer) => ratio(round.perSecond, peer.round.perSecond)),
      store === undefined ? '' : `${store.commits.toFixed(2)}, ${store.statements.toFixed(1)}`,
      `${share(cores.servers)}, ${share(cores.postgres)}, ${share(cores.client)}`,
      round.perServerSecond.toFixed(0),
      onPostgresAlone && single !== undefined
        ? ((system.pids.length * round.perServerSecond) / single.perServerSecond).toFixed(2)
        : '',
    ]);
  }
}

export async function run(bench: Bench): Promise<void> {
  const data = path.join(bench.folder, 'postgres');
  mkdirSync(data, { mode: 0o755 });
  const postgres = await startPostgres(await findPostgres(), data, SETTINGS);
  bench.defer(() => postgres.stop());
  const systems = await startSystems(postgres.url, bench);
  const times = bench.args.includes('--short') ? SHORT : LONG;
  const kinds = bench.args.filter((argument) => !argument.startsWith('--'));
  const warmedUp = new Set<string>();
  printLoad();
  for (const workload of WORKLOADS) {
    const { kind, slots } = workload;
    if (kinds.length > 0 && !kinds.includes(kind)) continue;
    const warmUp = warmedUp.has(`${kind} ${slots}`) ? times.warmUp : times.firstWarmUp;
    warmedUp.add(`${kind} ${slots}`);
    const rounds = await inTurn(
      systems,
      times.rounds,
      (system, round) =>
        measureRound(system, postgres.pid ?? 0, workload, round === 0 ? warmUp * system.pids.length : times.round),
      ({ perSecond }) => perSecond,
    );
    printTable(
      workload,
      [...rounds].map(([system, round]) => ({ system, round })),
    );
  }
  printLoad();
}

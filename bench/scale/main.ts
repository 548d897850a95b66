// Published events, computed steps, waits and called computations a second of one, two and three servers on one PostgreSQL,
// beside one server on SQLite and DBOS on the same PostgreSQL, all in one run, on Linux. Prints tables for bench/README.md.
// Usage: npm run bench:scale [-- [--short] [events | sums | waits | calls]...]
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findPostgres } from '../../server/test/postgres/programs.ts';
import { startPostgres } from '../../server/test/postgres/start-postgres.ts';
import { measureRound, middleOf, type Round } from './round.ts';
import {
  DBOS,
  DBOS_CHILDREN,
  onPostgres,
  startCuebook,
  startDbosSystems,
  type System,
  type Workload,
} from './systems.ts';

const isShort = process.argv.includes('--short');
/** Kinds of work; none: all. */
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const ROUNDS = isShort ? 1 : 3;
const ROUND_MS = isShort ? 1500 : 2500;
/** For each server, since each has to compile what it runs. The first work of a kind takes the most of that. */
const WARM_UP_MS = isShort ? 500 : 3000;
const FIRST_WARM_UP_MS = isShort ? 500 : 8000;
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

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-scale-'));
chmodSync(folder, 0o755);
const opened = new AsyncDisposableStack();
opened.defer(() => rmSync(folder, { recursive: true, force: true }));

/** All of them run throughout: one that has nothing to do uses next to no processor time. */
async function startSystems(url: string): Promise<System[]> {
  const systems = [await startCuebook('SQLite, 1 process', folder, [{}], opened)];
  for (let processes = 1; processes <= MOST_PROCESSES; processes += 1) {
    const name = `PostgreSQL, ${processes} ${processes === 1 ? 'process' : 'processes'}`;
    const environment = onPostgres(url, `bench_${processes}`);
    const environments = Array.from({ length: processes }, () => environment);
    systems.push(await startCuebook(name, folder, environments, opened));
  }
  try {
    systems.push(...(await startDbosSystems(folder, url, opened)));
  } catch (error) {
    console.log(`DBOS is missing from this run: ${error instanceof Error ? error.message : String(error)}`);
  }
  return systems;
}

interface Row {
  system: System;
  round: Round;
}

const warmedUp = new Set<string>();
function warmUpOf({ kind, slots }: Workload): number {
  const work = `${kind} ${slots}`;
  if (warmedUp.has(work)) return WARM_UP_MS;
  warmedUp.add(work);
  return FIRST_WARM_UP_MS;
}

/** Each system in turn, so that what else the machine does falls on all alike. The middle round counts. */
async function compare(systems: readonly System[], postgres: number, workload: Workload): Promise<Row[]> {
  const rounds = new Map<System, Round[]>();
  const warmUp = warmUpOf(workload);
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    for (const system of systems) {
      const round = await measureRound(system, postgres, workload, turn === 0 ? warmUp * system.pids.length : ROUND_MS);
      if (round !== undefined && turn > 0) rounds.set(system, [...(rounds.get(system) ?? []), round]);
    }
  }
  return [...rounds].flatMap(([system, measured]) => {
    const round = middleOf(measured);
    return round === undefined ? [] : [{ system, round }];
  });
}

const one = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`;

function print({ kind, playbooks, slots, isPinned = false }: Workload, rows: readonly Row[]): void {
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

try {
  const data = path.join(folder, 'postgres');
  mkdirSync(data, { mode: 0o755 });
  const postgres = await startPostgres(await findPostgres(), data, SETTINGS);
  opened.defer(() => postgres.stop());
  const systems = await startSystems(postgres.url);
  const load = (): string => os.loadavg()[0]?.toFixed(1) ?? '';
  console.log(`load of the machine: ${load()} on ${os.availableParallelism()} cores`);
  for (const workload of WORKLOADS) {
    if (asked.length > 0 && !asked.includes(workload.kind)) continue;
    print(workload, await compare(systems, postgres.pid ?? 0, workload));
  }
  console.log(`\nload of the machine at the end: ${load()}`);
} finally {
  await opened.disposeAsync();
}

// The systems of the comparison: servers of Cuebook on PostgreSQL and on SQLite, and DBOS, each with what drives it.
import path from 'node:path';
import { install } from '../../scripts/install-packages.ts';
import { atOnce } from '../figures.ts';
import { createRunToEnd } from '../runs/run-to-end.ts';
import { ADD_ONE, STEPS, WORKFLOWS } from '../runs/workflow-sources.ts';
import type { Send } from '../send.ts';
import { createPlaybook, type Opened, serve, type Served } from '../serve.ts';
import { EVENT, measureLoad, post } from '../server/load.ts';
import { storeWork, type Work } from '../server/store-cost.ts';
import { DBOS_PACKAGES, startDbos } from './dbos.ts';

/** A workflow of ten steps: expressions that the workflow evaluates itself, waits of no time, or called computations. */
type Workflow = 'sums' | 'waits' | 'calls';
const WORKFLOW_NAMES: readonly Workflow[] = ['sums', 'waits', 'calls'];

/** What is driven: published events, or the steps of workflows. */
export interface Workload {
  kind: 'events' | Workflow;
  playbooks: number;
  /** Connections, or workflows, at once. */
  slots: number;
  /** Requests for a playbook go to one server, as behind a load balancer that hashes the path; else to each in turn. */
  isPinned?: boolean;
}

export interface System {
  name: string;
  /** Its servers, without PostgreSQL. */
  pids: readonly number[];
  /** Absent where it counts nothing. */
  storeWork?: () => Promise<Work>;
  /** Drives the workload for a while. Returns how many events or steps were done; undefined where it has no such work. */
  drive(workload: Workload, milliseconds: number): Promise<number | undefined>;
}

export const DBOS = 'DBOS';
/** DBOS where each step is a workflow of its own, as a called computation is a run of its own. */
export const DBOS_CHILDREN = 'DBOS, child workflows';
const MOST_PLAYBOOKS = 8;

const at = (playbook: number): string => `/v1/orgs/local/playbooks/bench-${playbook}`;

async function prepare(send: Send): Promise<void> {
  for (let playbook = 0; playbook < MOST_PLAYBOOKS; playbook += 1) {
    const save = await createPlaybook(send, `bench-${playbook}`);
    await save('computation', 'add-one', ADD_ONE);
    for (const name of WORKFLOW_NAMES) await save('workflow', name, WORKFLOWS[name]);
  }
}

/** Where a slot works. */
function placeOf(
  slot: number,
  servers: number,
  { playbooks, isPinned = false }: Workload,
): { server: number; playbook: number } {
  const playbook = Math.floor(slot / servers) % playbooks;
  return isPinned
    ? { server: (slot % playbooks) % servers, playbook: slot % playbooks }
    : { server: slot % servers, playbook };
}

/** Runs workflows one after the other until the time is over. Returns the number of steps. */
async function runSteps(run: () => Promise<unknown>, until: number): Promise<number> {
  let steps = 0;
  while (performance.now() < until) {
    await run();
    steps += STEPS;
  }
  return steps;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** @param environments one for each server */
export async function startCuebook(
  name: string,
  folder: string,
  environments: readonly Readonly<Record<string, string>>[],
  opened: Opened,
): Promise<System> {
  const servers: Served[] = [];
  for (const [index, environment] of environments.entries()) {
    const data = path.join(folder, `${name.replaceAll(/\W+/g, '-')}-${index}`);
    const server = await serve(opened, data, { environment });
    if (index === 0) await prepare(server.send);
    servers.push(server);
  }
  /** What runs workflows, kept from round to round for what it learns about their duration. */
  const runners = new Map<string, () => Promise<unknown>>();
  const runnerOf = (workflow: Workflow, server: number, playbook: number): (() => Promise<unknown>) => {
    const key = `${workflow} ${server} ${playbook}`;
    let runner = runners.get(key);
    if (runner === undefined) {
      const runToEnd = createRunToEnd(servers[server]?.send as Send, at(playbook));
      runner = () => runToEnd(workflow);
      runners.set(key, runner);
    }
    return runner;
  };

  async function publish(workload: Workload, milliseconds: number): Promise<number> {
    const connections = new Map<string, { port: number; playbook: number; count: number }>();
    for (let slot = 0; slot < workload.slots; slot += 1) {
      const { server, playbook } = placeOf(slot, servers.length, workload);
      const key = `${server} ${playbook}`;
      const count = (connections.get(key)?.count ?? 0) + 1;
      connections.set(key, { port: servers[server]?.port ?? 0, playbook, count });
    }
    const counts = await Promise.all(
      [...connections.values()].map(async ({ port, playbook, count }) => {
        const request = post(`${at(playbook)}/events`, EVENT);
        return (await measureLoad({ port, request, connections: count, milliseconds })).count;
      }),
    );
    return sum(counts);
  }

  async function steps(workload: Workload, workflow: Workflow, milliseconds: number): Promise<number> {
    const until = performance.now() + milliseconds;
    const counts = await atOnce(workload.slots, (slot) => {
      const { server, playbook } = placeOf(slot, servers.length, workload);
      return runSteps(runnerOf(workflow, server, playbook), until);
    });
    return sum(counts);
  }

  return {
    name,
    pids: servers.map(({ pid }) => pid),
    async storeWork() {
      const work = await Promise.all(servers.map(({ send }) => storeWork(send)));
      return {
        commits: sum(work.map(({ commits }) => commits)),
        statements: sum(work.map(({ statements }) => statements)),
      };
    },
    drive: (workload, milliseconds) =>
      workload.kind === 'events' ? publish(workload, milliseconds) : steps(workload, workload.kind, milliseconds),
  };
}

/** A process on the same PostgreSQL, with plain steps and with child workflows. It has no playbooks, and publishes no events. */
export async function startDbosSystems(folder: string, url: string, opened: Opened): Promise<System[]> {
  const installed = path.join(folder, 'dbos');
  await install(installed, DBOS_PACKAGES);
  const { pid, runner } = await startDbos(installed, url, opened);
  const system = (
    name: string,
    workflows: Partial<Record<Workload['kind'], Parameters<typeof runner>[0]>>,
  ): System => ({
    name,
    pids: [pid],
    async drive({ kind, slots }, milliseconds) {
      const workflow = workflows[kind];
      if (workflow === undefined) return undefined;
      const run = runner(workflow);
      const until = performance.now() + milliseconds;
      return sum(await atOnce(slots, () => runSteps(run, until)));
    },
  });
  return [system(DBOS, { sums: 'calls', waits: 'waits', calls: 'calls' }), system(DBOS_CHILDREN, { calls: 'runs' })];
}

/** The environment of a server on a schema of its own. */
export function onPostgres(url: string, schema: string): Readonly<Record<string, string>> {
  return { DATABASE_URL: url, DATABASE_SCHEMA: schema, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
}

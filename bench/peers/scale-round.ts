// One round of one system: what it did, and the processor time that its servers, PostgreSQL and this process used.
import { cpuSecondsOf } from '../process-tree.ts';
import type { Work } from '../server/store-cost.ts';
import type { System, Workload } from './scale-systems.ts';

export interface Round {
  /** Events or steps a second. */
  perSecond: number;
  /** Cores in use on average, by who used them. */
  cores: { servers: number; postgres: number; client: number };
  /** Events or steps a second of processor time of the servers: what they would do if PostgreSQL took none of their time. */
  perServerSecond: number;
  /** For one event or step; undefined for a system that does not count. */
  store: Work | undefined;
}

interface Spent {
  at: number;
  servers: number;
  postgres: number;
  client: number;
  store: Work | undefined;
}

async function spent(system: System, postgres: number): Promise<Spent> {
  const { user, system: kernel } = process.cpuUsage();
  return {
    store: await system.storeWork?.(),
    at: performance.now(),
    servers: cpuSecondsOf(system.pids),
    postgres: cpuSecondsOf([postgres]),
    client: (user + kernel) / 1e6,
  };
}

/** @param postgres the postmaster's process id. @returns undefined where the system has no such work */
export async function measureRound(
  system: System,
  postgres: number,
  workload: Workload,
  milliseconds: number,
): Promise<Round | undefined> {
  const before = await spent(system, postgres);
  const done = await system.drive(workload, milliseconds);
  if (done === undefined) return undefined;
  const after = await spent(system, postgres);
  const seconds = (after.at - before.at) / 1000;
  const cores = (who: 'servers' | 'postgres' | 'client'): number => (after[who] - before[who]) / seconds;
  return {
    perSecond: done / seconds,
    cores: { servers: cores('servers'), postgres: cores('postgres'), client: cores('client') },
    perServerSecond: done / (after.servers - before.servers),
    store:
      before.store && after.store
        ? {
            commits: (after.store.commits - before.store.commits) / done,
            statements: (after.store.statements - before.store.statements) / done,
          }
        : undefined,
  };
}

// Server processes over one PostgreSQL, behind a load balancer, and what can go wrong with them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '../../kernel/log/postgres/testing.ts';
import type { PostgresServer } from '../postgres/start-postgres.ts';
import { asProcess, watchWrites } from '../postgres/watch-writes.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type RoundRobin, serveRoundRobin } from './round-robin.ts';

export type Fault = 'kill' | 'stop' | 'cut' | 'crash of the database';
export const FAULTS: readonly Fault[] = ['kill', 'stop', 'cut', 'crash of the database'];

export interface Cluster {
  /** Of the load balancer. */
  address: string;
  /** Answers when the fault is over. */
  bring(fault: Fault): Promise<void>;
  close(): Promise<void>;
}

export const SCHEMA = 'chaos';
const PROCESSES = 3;
/** How often the load balancer looks which processes answer, and for how long it waits for them, in milliseconds. */
const HEALTH_EVERY = 1000;
/** Longer than a lease lasts, in milliseconds. */
const STOPPED_FOR = 17_000;
/** How often a supervisor starts a process, which may meet another fault each time. */
const MOST_STARTS = 50;

interface Member {
  folder: { path: string; remove: () => void };
  server: ServerProcess | undefined;
  isBusy: boolean;
}

/** @param config each process's configuration */
export async function startCluster(postgres: PostgresServer, config: object): Promise<Cluster> {
  const balancer: RoundRobin = await serveRoundRobin();
  const addresses = (): string[] => members.flatMap(({ server }) => (server === undefined ? [] : [server.address]));
  let starts = 0;
  let isClosed = false;
  const members: Member[] = Array.from({ length: PROCESSES }, () => ({
    folder: temporaryFolder(),
    server: undefined,
    isBusy: false,
  }));
  /** What each process gets, under a name that none had before. */
  const environment = () => ({
    DATABASE_URL: asProcess(postgres.url, `cuebook ${++starts}`),
    DATABASE_SCHEMA: SCHEMA,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'error',
  });
  /** Crashes come one after the other. */
  let crash = Promise.resolve();

  async function crashAfter(before: Promise<void>): Promise<void> {
    await before;
    await postgres.stop('SIGQUIT');
    await wait(500);
    await postgres.start();
  }

  /** As a supervisor does: a start that meets a crash of the database is tried again. */
  async function startAgain(member: Member, tries: number): Promise<ServerProcess> {
    await crash;
    try {
      return await startServerProcess(member.folder.path, { environment: environment() });
    } catch (error) {
      if (tries <= 1) throw error;
      return startAgain(member, tries - 1);
    }
  }

  async function makeTables(member: Member | undefined): Promise<void> {
    if (member !== undefined) await (await startAgain(member, 1)).end('SIGTERM');
  }

  async function start(member: Member): Promise<void> {
    member.server = await startAgain(member, MOST_STARTS);
    balancer.forwardTo(addresses());
  }

  /** As the load balancer of docs/teams.md does: a stopped process gets requests for about a second, and then none. */
  async function forwardToHealthy(): Promise<void> {
    while (!isClosed) {
      const [asked] = await Promise.all([Promise.all(addresses().map(answers)), wait(HEALTH_EVERY)]);
      const healthy = asked.flatMap(({ address, isHealthy }) => (isHealthy ? [address] : []));
      if (healthy.length > 0) balancer.forwardTo(healthy);
    }
  }

  /** A member that is not under another fault; at least one is left alone. */
  async function idleMember(): Promise<Member> {
    for (;;) {
      const idle = members.filter(({ isBusy }) => !isBusy);
      const chosen = idle[Math.floor(Math.random() * idle.length)];
      if (idle.length > 1 && chosen !== undefined) {
        chosen.isBusy = true;
        return chosen;
      }
      await wait(100);
    }
  }

  async function withMember(work: (member: Member) => Promise<void>): Promise<void> {
    const member = await idleMember();
    try {
      await work(member);
    } finally {
      member.isBusy = false;
    }
  }

  const bring: Record<Fault, () => Promise<void>> = {
    kill: () =>
      withMember(async (member) => {
        await member.server?.end('SIGKILL');
        await start(member);
      }),
    stop: () =>
      withMember(async ({ server }) => {
        if (server === undefined) return;
        process.kill(server.pid, 'SIGSTOP');
        await wait(STOPPED_FOR);
        process.kill(server.pid, 'SIGCONT');
      }),
    async cut() {
      await crash;
      await ask(
        `SELECT pg_terminate_backend(pid) FROM (
           SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'cuebook%' ORDER BY random() LIMIT 5
         ) AS some`,
        postgres.url,
      ).catch(() => []);
    },
    async 'crash of the database'() {
      crash = crashAfter(crash);
      await crash;
    },
  };

  for (const { folder } of members) writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify(config));
  await makeTables(members[0]);
  await watchWrites(postgres.url, SCHEMA);
  for (const member of members) await start(member);
  const looking = forwardToHealthy();
  return {
    address: balancer.address,
    bring: (fault) => bring[fault](),
    async close() {
      isClosed = true;
      await looking;
      for (const { server } of members) await server?.end('SIGTERM');
      await balancer.close();
      for (const { folder } of members) folder.remove();
    },
  };
}

async function answers(address: string): Promise<{ address: string; isHealthy: boolean }> {
  const isHealthy = await fetch(`${address}/health`, { signal: AbortSignal.timeout(HEALTH_EVERY) }).then(
    () => true,
    () => false,
  );
  return { address, isHealthy };
}

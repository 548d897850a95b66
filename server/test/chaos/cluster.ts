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
  const cluster = new Cluster(postgres, await serveRoundRobin());
  await cluster.start(config);
  return cluster;
}

export class Cluster {
  readonly #postgres: PostgresServer;
  readonly #balancer: RoundRobin;
  readonly #members: Member[] = Array.from({ length: PROCESSES }, () => ({
    folder: temporaryFolder(),
    server: undefined,
    isBusy: false,
  }));
  #starts = 0;
  #isClosed = false;
  /** Crashes come one after the other. */
  #crash = Promise.resolve();
  #looking = Promise.resolve();

  constructor(postgres: PostgresServer, balancer: RoundRobin) {
    this.#postgres = postgres;
    this.#balancer = balancer;
  }

  /** Of the load balancer. */
  get address(): string {
    return this.#balancer.address;
  }

  async start(config: object): Promise<void> {
    const [first] = this.#members;
    for (const { folder } of this.#members) {
      writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify(config));
    }
    // Makes the tables, which are then watched.
    if (first !== undefined) await (await this.#startAgain(first, 1)).end('SIGTERM');
    await watchWrites(this.#postgres.url, SCHEMA);
    for (const member of this.#members) await this.#startMember(member);
    this.#looking = this.#forwardToHealthy();
  }

  /** Resolves when the fault is over. */
  bring(fault: Fault): Promise<void> {
    switch (fault) {
      case 'kill':
        return this.#withMember(async (member) => {
          await member.server?.end('SIGKILL');
          await this.#startMember(member);
        });
      case 'stop':
        return this.#withMember(async ({ server }) => {
          if (server === undefined) return;
          process.kill(server.pid, 'SIGSTOP');
          await wait(STOPPED_FOR);
          process.kill(server.pid, 'SIGCONT');
        });
      case 'cut':
        return this.#cutConnections();
      case 'crash of the database':
        return (this.#crash = this.#crashAfter(this.#crash));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    for (const { server } of this.#members) await server?.end('SIGTERM');
    await this.#balancer.close();
    for (const { folder } of this.#members) folder.remove();
  }

  async #cutConnections(): Promise<void> {
    await this.#crash;
    await ask(
      `SELECT pg_terminate_backend(pid) FROM (
         SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'cuebook%' ORDER BY random() LIMIT 5
       ) AS some`,
      this.#postgres.url,
    ).catch(() => []);
  }

  async #crashAfter(before: Promise<void>): Promise<void> {
    await before;
    await this.#postgres.stop('SIGQUIT');
    await wait(500);
    await this.#postgres.start();
  }

  async #startMember(member: Member): Promise<void> {
    member.server = await this.#startAgain(member, MOST_STARTS);
    this.#balancer.forwardTo(this.#addresses());
  }

  /** As a supervisor does: a start that meets a crash of the database is tried again. */
  async #startAgain(member: Member, tries: number): Promise<ServerProcess> {
    await this.#crash;
    try {
      return await startServerProcess(member.folder.path, { environment: this.#environment() });
    } catch (error) {
      if (tries <= 1) throw error;
      return this.#startAgain(member, tries - 1);
    }
  }

  /** What each process gets, under a name that none had before. */
  #environment(): Record<string, string> {
    this.#starts += 1;
    return {
      DATABASE_URL: asProcess(this.#postgres.url, `cuebook ${this.#starts}`),
      DATABASE_SCHEMA: SCHEMA,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'error',
    };
  }

  #addresses(): string[] {
    return this.#members.flatMap(({ server }) => (server === undefined ? [] : [server.address]));
  }

  /** As the load balancer of docs/teams.md does: a stopped process gets requests for about a second, and then none. */
  async #forwardToHealthy(): Promise<void> {
    while (!this.#isClosed) {
      const [asked] = await Promise.all([Promise.all(this.#addresses().map(answers)), wait(HEALTH_EVERY)]);
      const healthy = asked.flatMap(({ address, isHealthy }) => (isHealthy ? [address] : []));
      if (healthy.length > 0) this.#balancer.forwardTo(healthy);
    }
  }

  async #withMember(work: (member: Member) => Promise<void>): Promise<void> {
    const member = await this.#idleMember();
    try {
      await work(member);
    } finally {
      member.isBusy = false;
    }
  }

  /** A member that is not under another fault; at least one is left alone. */
  async #idleMember(): Promise<Member> {
    for (;;) {
      const idle = this.#members.filter(({ isBusy }) => !isBusy);
      const chosen = idle[Math.floor(Math.random() * idle.length)];
      if (idle.length > 1 && chosen !== undefined) {
        chosen.isBusy = true;
        return chosen;
      }
      await wait(100);
    }
  }
}

async function answers(address: string): Promise<{ address: string; isHealthy: boolean }> {
  const isHealthy = await fetch(`${address}/health`, { signal: AbortSignal.timeout(HEALTH_EVERY) }).then(
    () => true,
    () => false,
  );
  return { address, isHealthy };
}

// Three server processes on one PostgreSQL behind a load balancer, each of which can end and start while the others serve.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type RoundRobin, serveRoundRobin } from './chaos/round-robin.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface ThreeServers {
  /** Of the load balancer. */
  address: string;
  /** Ends a server with a signal, and waits until it has ended. The load balancer finds that out by itself. */
  end(index: number, signal: EndSignal): Promise<void>;
  /** Starts a server that has ended, under another address. */
  start(index: number): Promise<void>;
  /** Kills or stops one server after the other, in turn, and starts it again: so often, or until the signal. */
  replace(times: number, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

type EndSignal = 'SIGKILL' | 'SIGTERM';

interface ThreeServersOptions {
  /** Of the database. */
  url: string;
  schema: string;
  /** Requests with the same value of this header reach the same server. */
  stickyHeader?: string;
  /** The configuration of each server. */
  config?: object;
  /** Additional environment variables, by the address of the load balancer. */
  environment?: (address: string) => Record<string, string>;
}

/** An odd number, so that alternating signals reach each of them. */
const COUNT = 3;

interface Member {
  folder: { path: string; remove: () => void };
  server: ServerProcess | undefined;
}

export async function startThreeServers(options: ThreeServersOptions): Promise<ThreeServers> {
  const { url, schema, stickyHeader, config = {}, environment } = options;
  const balancer: RoundRobin = await serveRoundRobin(stickyHeader);
  const members: Member[] = Array.from({ length: COUNT }, () => ({ folder: temporaryFolder(), server: undefined }));
  const memberAt = (index: number): Member => {
    const member = members[index];
    if (member === undefined) throw new Error(`There are ${COUNT} servers.`);
    return member;
  };

  async function start(index: number): Promise<void> {
    const member = memberAt(index);
    member.server = await startServerProcess(member.folder.path, {
      environment: {
        DATABASE_URL: url,
        DATABASE_SCHEMA: schema,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        LOG_LEVEL: 'error',
        ...environment?.(balancer.address),
      },
    });
    balancer.forwardTo(members.flatMap(({ server }) => server?.address ?? []));
  }

  async function end(index: number, signal: EndSignal): Promise<void> {
    const member = memberAt(index);
    await member.server?.end(signal);
    member.server = undefined;
  }

  for (const { folder } of members) writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify(config));
  await Promise.all(members.map((_member, index) => start(index)));
  return {
    address: balancer.address,
    start,
    end,
    async replace(times, signal) {
      for (let turn = 0; turn < times && signal?.aborted !== true; turn += 1) {
        await end(turn % COUNT, turn % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
        await start(turn % COUNT);
      }
    },
    async close() {
      await Promise.all(members.map((_member, index) => end(index, 'SIGTERM')));
      await balancer.close();
      for (const { folder } of members) folder.remove();
    },
  };
}

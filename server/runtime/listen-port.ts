// Which port is listened on.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../settings/index.ts';

const FIRST_PORT = 4747;
const PORTS_TRIED = 50;
/** In the data directory: the port that its server took when none was asked for. */
const FILE = 'port';

/**
 * Listens on the port asked for. When none was asked for, on the one that the data directory had before, else on the
 * first free port from 4747 on, so that an agent configured with an address finds the server there again.
 */
export async function listenOn(http: FastifyInstance, { host, port, dataDir }: ListenSettings): Promise<number> {
  if (port !== undefined) return listenOnFirst(http, host, [port]);
  const kept = readKept(dataDir);
  const others = Array.from({ length: PORTS_TRIED }, (_none, index) => FIRST_PORT + index);
  const taken = await listenOnFirst(http, host, kept === undefined ? others : [kept, ...others]);
  if (taken !== kept) writeFileSync(path.join(dataDir, FILE), `${taken}\n`, { mode: 0o600 });
  return taken;
}

type ListenSettings = Pick<Settings, 'host' | 'port' | 'dataDir'>;

function readKept(dataDir: string): number | undefined {
  try {
    const port = Number(readFileSync(path.join(dataDir, FILE), 'utf8'));
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
  } catch {
    return undefined;
  }
}

async function listenOnFirst(http: FastifyInstance, host: string, [port, ...others]: number[]): Promise<number> {
  try {
    await http.listen({ host, port: port ?? 0 });
    const address = http.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
    return address.port;
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken || others.length === 0) throw error;
    return listenOnFirst(http, host, others);
  }
}

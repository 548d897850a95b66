// A PostgreSQL for tests and benchmarks, on a free port of 127.0.0.1, with its data in a folder.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../loopback.ts';

const DATABASE = 'cuebook';
/** Who runs it: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const PATIENCE = 30_000;

export interface PostgresServer {
  url: string;
  /** The process that the others of this server belong to; undefined while it is stopped. */
  readonly pid: number | undefined;
  /** Starts it on the same port and data, and waits until it answers. */
  start(): Promise<void>;
  /**
   * Ends it. SIGINT breaks connections off and saves everything; SIGQUIT ends it at once, so that the next start
   * recovers from its log, as after a crash.
   */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
}

/**
 * Makes a database cluster in a folder and starts it.
 * @param programs the folder of `postgres` and `initdb`
 * @param folder must exist; PostgreSQL may run as another user, who must be able to enter it
 * @param settings such as `fsync=off`; everything else has its default
 * @param environment of its processes, beside that of this one
 */
export async function startPostgres(
  programs: string,
  folder: string,
  settings: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const cluster = path.join(folder, 'cluster');
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  const options = { ...user, cwd: cluster };
  if (!existsSync(cluster)) {
    mkdirSync(cluster, { mode: 0o700 });
    if (user !== undefined) chownSync(cluster, user.uid, user.gid);
    const initial = ['-D', cluster, '-U', DATABASE, '--auth=trust', '--no-instructions', '--encoding=UTF8'];
    execFileSync(path.join(programs, 'initdb'), initial, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const port = await freePort();
  const url = `postgresql://${DATABASE}@127.0.0.1:${port}/${DATABASE}`;
  const listening = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'log_min_messages=panic'];
  const args = [...listening, ...settings].flatMap((setting) => ['-c', setting]);
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    const child = spawn(path.join(programs, 'postgres'), ['-D', cluster, '-p', String(port), ...args], {
      ...options,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'spawn');
    running = child;
    const server = new URL(url);
    server.pathname = '/postgres';
    await whenItAnswers(server.href, child);
  }

  await start();
  await createDatabase(url);
  return {
    url,
    get pid() {
      return running?.pid;
    },
    start,
    async stop(signal = 'SIGINT') {
      const child = running;
      running = undefined;
      if (child === undefined || child.exitCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}

async function whenItAnswers(url: string, server: ChildProcess): Promise<void> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode} when it was started.`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await wait(50);
    }
  }
}

async function createDatabase(url: string): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rows.length === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

// Server processes on one schema of the PostgreSQL of the tests. Each is known to the database by its name, and every row
// that they write is watched.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ask, POSTGRES_FOR_TESTS } from '../../kernel/log/postgres/testing.ts';
import { randomHex } from '../../lib/random.ts';
import { createTestClient, type TestClient } from '../client.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { asProcess, findLateWrites, type FoundWrites, watchWrites } from './watch-writes.ts';

export interface SharedServers<Name extends string> {
  client(name: Name): TestClient;
  server(name: Name): ServerProcess;
  start(name: Name): Promise<void>;
  /** Rows of a statement; `@` stands for the schema of the servers, `#` for that of the watch (watch-writes.ts). */
  rows<Row>(statement: string): Promise<Row[]>;
  /** The server that a holder is or was. */
  serverOf(holder: string): Promise<string | undefined>;
  /** How long the lease of a server lasts from now on, in seconds; below 0 it has expired. */
  leaveLease(name: Name, seconds: number): Promise<void>;
  findLateWrites(): Promise<FoundWrites>;
  close(): Promise<void>;
}

/**
 * @param config of each
 * @param environmentOf what one of them has beside the `environment` of all
 */
export async function startSharedServers<Name extends string>(
  names: readonly Name[],
  {
    config = {},
    environment = {},
    environmentOf = () => ({}),
  }: {
    config?: object;
    environment?: Record<string, string>;
    environmentOf?: (name: Name) => Record<string, string>;
  } = {},
): Promise<SharedServers<Name>> {
  const url = POSTGRES_FOR_TESTS ?? '';
  const schema = `test_${randomHex(8)}`;
  const folders = new Map(names.map((name) => [name, temporaryFolder()]));
  const servers = new Map<Name, { server: ServerProcess; client: TestClient }>();
  const found = (name: Name) => {
    const running = servers.get(name);
    if (running === undefined) throw new Error(`No server ${name} is running.`);
    return running;
  };

  async function start(name: Name): Promise<void> {
    const folder = folders.get(name)?.path ?? '';
    writeFileSync(path.join(folder, 'cuebook.yaml'), JSON.stringify(config));
    const server = await startServerProcess(folder, {
      environment: {
        DATABASE_URL: asProcess(url, name),
        DATABASE_SCHEMA: schema,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        ...environment,
        ...environmentOf(name),
      },
    });
    servers.set(name, { server, client: await createTestClient(server.address) });
  }

  const rows = <Row>(statement: string): Promise<Row[]> =>
    ask(statement.replaceAll('@', `${schema}.`).replaceAll('#', `${schema}_watched.`)) as Promise<Row[]>;

  // The first start makes the tables, which the watch needs before anybody has a lease.
  const [first] = names;
  if (first !== undefined) {
    await start(first);
    await found(first).server.end('SIGTERM');
  }
  await watchWrites(url, schema);
  await Promise.all(names.map(start));
  return {
    client: (name) => found(name).client,
    server: (name) => found(name).server,
    start,
    rows,
    async serverOf(holder) {
      const [lease] = await rows<{ process: string }>(
        `SELECT process FROM #leases WHERE is_first AND holder = '${holder}'`,
      );
      return lease?.process;
    },
    leaveLease: (name, seconds) =>
      rows(
        `UPDATE @holders SET expires_at = clock_timestamp() + interval '${seconds} seconds'
         WHERE expires_at > clock_timestamp() AND holder IN (SELECT holder FROM #leases WHERE is_first AND process = '${name}')`,
      ).then(() => undefined),
    findLateWrites: () => findLateWrites(url, schema),
    async close() {
      await Promise.all([...servers.values()].map(({ server }) => server.end('SIGTERM')));
      await ask(`DROP SCHEMA ${schema} CASCADE; DROP SCHEMA ${schema}_watched CASCADE`);
      for (const folder of folders.values()) folder.remove();
    },
  };
}

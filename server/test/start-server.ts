import pino from 'pino';
import type { StudioFiles } from '../interfaces/http/index.ts';
import { openSqliteStore } from '../kernel/log/index.ts';
import { createRepeatingStore } from '../kernel/log/repeating-store.testing.ts';
import type { Clock } from '../lib/clock.ts';
import { createCuebook } from '../library/index.ts';
import type { Operation } from '../operations/index.ts';
import { refuseCanaries } from './canaries.ts';
import { createTestClient, type TestClient } from './client.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestServer extends TestClient {
  dataDir: string;
  operations: readonly Operation[];
  /** Closes the server and removes its data. */
  close(): Promise<void>;
}

/**
 * A real server in this process, started as by a program that uses the package, on a free port and a data directory of its
 * own, or one that stays when it closes. Its store carries each work out twice, so that a work that is not repeatable shows.
 * @param options `logged` takes what it logs, a line an entry; `openStore` opens another store than that
 */
export async function startServer(
  options: {
    clock?: Clock;
    environment?: Record<string, string>;
    dataDir?: string;
    logged?: string[];
    studio?: StudioFiles;
    openStore?: typeof openSqliteStore;
  } = {},
): Promise<TestServer> {
  const { logged = [] } = options;
  const folder = options.dataDir === undefined ? temporaryFolder() : { path: options.dataDir, remove: () => undefined };
  const { clock, studio, openStore = (store) => createRepeatingStore(openSqliteStore(store)) } = options;
  const cuebook = await createCuebook(
    {
      settings: { ...options.environment, DATA_DIR: folder.path, PORT: '0' },
      onUnknownCommit(error) {
        throw error;
      },
    },
    {
      logger: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
      openStore,
      ...(clock === undefined ? {} : { clock }),
      ...(studio === undefined ? {} : { studio }),
    },
  ).catch((error: unknown) => {
    folder.remove();
    throw error;
  });
  const client = await createTestClient(cuebook.address);
  async function close(): Promise<void> {
    await cuebook.close();
    folder.remove();
    refuseCanaries(logged.join(''), 'the log');
  }
  let closing: Promise<void> | undefined;
  return {
    ...client,
    dataDir: folder.path,
    operations: cuebook.operations,
    // A test may close it before the end of the test does.
    close: () => (closing ??= close()),
  };
}

import { listProvidersWithKeys } from '../domain/models/index.ts';
import pino from 'pino';
import { createRuntime } from '../app.ts';
import type { StudioFiles } from '../interfaces/http/index.ts';
import { openSqliteStore } from '../kernel/log/index.ts';
import { createRepeatingStore } from '../kernel/log/repeating-store.testing.ts';
import type { Clock } from '../lib/clock.ts';
import type { Operation } from '../operations/index.ts';
import { readSettings } from '../settings/index.ts';
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
 * A real server in this process, on a free port and a data directory of its own, or one that stays when it closes. Its
 * store carries each work out twice, so that a work that is not repeatable shows.
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
  const settings = readSettings(
    { ...options.environment, DATA_DIR: folder.path, PORT: '0' },
    {},
    listProvidersWithKeys,
  );
  const runtime = createRuntime({
    settings,
    logger: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.studio === undefined ? {} : { studio: options.studio }),
    openStore: options.openStore ?? ((store) => createRepeatingStore(openSqliteStore(store))),
    onUnknownCommit(sentence) {
      throw new Error(sentence);
    },
  });
  const listening = await runtime.listen().catch(async (error: unknown) => {
    await runtime.close();
    folder.remove();
    throw error;
  });
  const client = await createTestClient(listening);
  async function close(): Promise<void> {
    await runtime.close();
    folder.remove();
    refuseCanaries(logged.join(''), 'the log');
  }
  let closing: Promise<void> | undefined;
  return {
    ...client,
    dataDir: folder.path,
    operations: runtime.operations,
    // A test may close it before the end of the test does.
    close: () => (closing ??= close()),
  };
}

// Nothing that nobody configured leaves the machine: an idle server opens no connection at all.
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { type LoopbackServer, serveLoopback, startServerProcess, temporaryFolder } from '../test/index.ts';

const WATCH = pathToFileURL(`${import.meta.dirname}/../test/report-connections.ts`).href;
/** Longer than a server takes to begin what it begins by itself. */
const IDLE_MS = 3000;

const folder = temporaryFolder();
afterEach(() => folder.remove());

async function connectionsOf(environment: Record<string, string>): Promise<string[]> {
  const watched = { NODE_OPTIONS: `--import=${WATCH}`, ...environment };
  const server = await startServerProcess(folder.path, { environment: watched });
  await wait(IDLE_MS);
  expect(await server.end('SIGTERM')).toBe(0);
  return server
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('CONNECTS '));
}

test('an idle server opens no connection, and one with a collector only that to it', async () => {
  expect(await connectionsOf({})).toEqual([]);

  let collector: LoopbackServer | undefined;
  try {
    collector = await serveLoopback((_, response) => void response.end('{}'));
    const opened = await connectionsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address });
    expect(new Set(opened)).toEqual(new Set([`CONNECTS ${new URL(collector.address).host}`]));
  } finally {
    await collector?.close();
  }
}, 60_000);

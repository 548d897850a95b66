// Kills the server at random moments under load, and looks after each start for everything that was acknowledged.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createRandom, gapsIn, openStore, rebuild, rowsOf } from './kills.testing.ts';
import { yieldToEventLoop } from './lib/event-loop.ts';
import { startServerProcess, temporaryFolder } from './test/index.ts';

/** The short form; `npm run kills` sets the long one. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 8);
const CALLERS = 6;
const BASE = '/v1/orgs/local/playbooks/crash';
const SOURCE = 'export default (input) => ({ doubled: input.n * 2 });\n';

interface Acknowledged {
  /** Each event as it was published, and the time that the answer gave. */
  events: Map<string, { event: object; recordedAt: string }>;
  runs: Map<string, number>;
}

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function post(address: string, route: string, body: unknown): Promise<Response> {
  return fetch(`${address}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Publishes and runs until the server is gone; notes what was answered. */
async function load(address: string, acknowledged: Acknowledged): Promise<void> {
  for (let n = 1; ; n += 1) {
    try {
      const id = randomUUID();
      const event = { source: '/load', type: 'load.sent', id, data: { n } };
      const published = await post(address, `${BASE}/events`, { event });
      const { recorded_at: recordedAt } = (await published.json()) as { recorded_at: string };
      if (published.status === 200) acknowledged.events.set(id, { event, recordedAt });
      const runId = randomUUID();
      const ran = await post(address, `${BASE}/definitions/computation/double/run`, { run_id: runId, input: { n } });
      const run = (await ran.json()) as { status: string };
      if (run.status === 'succeeded') acknowledged.runs.set(runId, n);
    } catch {
      return;
    }
  }
}

async function verify(address: string, acknowledged: Acknowledged): Promise<void> {
  const read = async (route: string): Promise<Record<string, unknown>> =>
    (await (await fetch(`${address}${BASE}${route}`)).json()) as Record<string, unknown>;
  // The latest ones are those that a crash could have taken.
  for (const [runId, n] of [...acknowledged.runs].slice(-20)) {
    expect(await read(`/runs/${runId}`)).toMatchObject({ status: 'succeeded', output: { doubled: n * 2 } });
  }
  for (const { event, recordedAt } of [...acknowledged.events.values()].slice(-20)) {
    // An event that was lost would be recorded now, with a later time.
    const again = await post(address, `${BASE}/events`, { event });
    expect([again.status, await again.json()]).toEqual([200, expect.objectContaining({ recorded_at: recordedAt })]);
    const other = await post(address, `${BASE}/events`, { event: { ...event, data: { n: 0 } } });
    expect(other.status).toBe(409);
  }
  expect(await read('/runs?status=started')).toMatchObject({ runs: [] });
}

test(`after ${KILLS} kills under load everything acknowledged is there, without gaps, and equals a rebuild`, {
  timeout: 900_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = createRandom(seed);
  const acknowledged: Acknowledged = { events: new Map(), runs: new Map() };
  for (let kill = 0; kill <= KILLS; kill += 1) {
    const server = await startServerProcess(folder.path);
    if (kill === 0) {
      await post(server.address, '/v1/orgs/local/playbooks', { playbook: 'crash', name: 'Crash' });
      await post(server.address, `${BASE}/definitions/computation`, { name: 'double', source: SOURCE });
    } else await verify(server.address, acknowledged);
    const before = acknowledged.events.size;
    const callers = Array.from({ length: CALLERS }, () => load(server.address, acknowledged));
    // A moment somewhere in the work: after a random number of acknowledgements, whenever in the next one.
    const after = before + 1 + Math.floor(random() * 25);
    while (acknowledged.events.size < after) await yieldToEventLoop();
    await server.end('SIGKILL');
    await Promise.all(callers);
  }
  const last = await startServerProcess(folder.path);
  await verify(last.address, acknowledged);
  await last.end('SIGTERM');

  const before = readTables(folder.path);
  expect(before.gaps, `seed ${seed}`).toEqual([]);
  expect(before.runIds).toEqual(expect.arrayContaining([...acknowledged.runs.keys()]));
  expect(rebuild(folder.path)).toBe('');
  expect(readTables(folder.path).tables).toEqual(before.tables);
});

function readTables(dataDir: string): { gaps: unknown[]; tables: Record<string, unknown[]>; runIds: string[] } {
  const database = openStore(dataDir);
  try {
    return {
      gaps: gapsIn(database),
      tables: rowsOf(database, ['playbooks', 'definitions', 'definition_versions', 'definition_references', 'runs']),
      runIds: database.prepare('SELECT run_id FROM runs').pluck().all() as string[],
    };
  } finally {
    database.close();
  }
}

// Servers whose clocks are wrong, on one PostgreSQL: due times follow the clock of the database. Skipped without one:
// `npm run test:postgres` starts it.
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { type SharedServers, startSharedServers } from '../test/postgres/shared-servers.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const WRONG_CLOCK = pathToFileURL(`${import.meta.dirname}/../test/wrong-clock.ts`).href;
const MINUTES = 60_000;
/** In seconds. */
const WAIT = 4;
/** A timer that followed a wrong clock would be minutes late. */
const LATEST = 30;
const SOURCE = `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }
do: [ { nap: { wait: PT${WAIT}S } }, { set: { set: { n: 1 } } } ]
`;

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('servers whose clocks are wrong', () => {
  let servers: SharedServers<string>;
  afterEach(() => servers.close());

  /** Servers by how far their clocks are ahead of the database's, in milliseconds. */
  async function given(clocks: Readonly<Record<string, number>>): Promise<void> {
    servers = await startSharedServers(Object.keys(clocks), {
      environmentOf: (name) => ({ NODE_OPTIONS: `--import=${WRONG_CLOCK}`, CLOCK_OFF_MS: String(clocks[name]) }),
    });
    const [first = ''] = Object.keys(clocks);
    const client = servers.client(first);
    await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    expect((await client.post(`${AT}/definitions/workflow`, { name: 'nap', source: SOURCE })).status).toBe(201);
  }

  const start = async (name: string): Promise<string> =>
    (await servers.client(name).post(`${AT}/definitions/workflow/nap/run`, {})).body.run_id;

  /** How long the run took, in seconds, by its recorded times and by the database's clock. */
  async function timesOf(name: string, runId: string): Promise<{ recorded: number; sinceEnd: number }> {
    const client = servers.client(name);
    const read = async () => (await client.get(`${AT}/runs/${runId}`)).body;
    await expect.poll(async () => (await read()).status, { timeout: LATEST * 1000 }).toBe('succeeded');
    const { events } = (await client.get(`${AT}/runs/${runId}/history`)).body as {
      events: { metadata: { at: string } }[];
    };
    const at = events.map(({ metadata }) => Date.parse(metadata.at));
    const [{ now } = { now: 0 }] = await servers.rows<{ now: string | number }>(
      'SELECT EXTRACT(EPOCH FROM clock_timestamp())::float8 * 1000 AS now',
    );
    const [first = 0, last = 0] = [at[0], at.at(-1)];
    return { recorded: (last - first) / 1000, sinceEnd: (Number(now) - last) / 1000 };
  }

  test('end waits in time and record the time of the database', { timeout: 120_000 }, async () => {
    await given({ behind: -5 * MINUTES, ahead: 5 * MINUTES });
    const runs = { behind: await start('behind'), ahead: await start('ahead') };
    for (const [name, runId] of Object.entries(runs)) {
      const { recorded, sinceEnd } = await timesOf(name, runId);
      expect(recorded).toBeGreaterThanOrEqual(WAIT);
      expect(recorded).toBeLessThan(LATEST);
      expect(Math.abs(sinceEnd)).toBeLessThan(LATEST);
      expect(servers.server(name).stderr()).toMatch(/(299|300)\.\d seconds/);
    }
  });

  test.each([
    ['back', 5 * MINUTES],
    ['ahead', -5 * MINUTES],
  ])('whose clock is set %s by minutes during a wait end it in time', { timeout: 120_000 }, async (_to, off) => {
    await given({ only: off });
    const runId = await start('only');
    process.kill(servers.server('only').pid, 'SIGUSR2');
    const { recorded, sinceEnd } = await timesOf('only', runId);
    expect(recorded).toBeGreaterThanOrEqual(WAIT - 1);
    expect(recorded).toBeLessThan(LATEST);
    expect(Math.abs(sinceEnd)).toBeLessThan(LATEST);
  });
});

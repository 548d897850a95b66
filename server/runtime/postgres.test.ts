// Real servers on PostgreSQL. Skipped without one: `npm run test:postgres` starts it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask, POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { randomHex } from '../lib/random.ts';
import { CANARY_KEY, SERVER_PROGRAM, type ServerProcess, startServerProcess, temporaryFolder } from '../test/index.ts';
import { createTestClient, type TestClient } from '../test/client.ts';
import { type PostgresServer, startPostgres } from '../test/postgres/start-postgres.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const DEFINITIONS = [
  ['computation', 'double', 'export default ({ n }) => ({ n: n * 2 });\n'],
  ['interaction', 'ask', 'ask: { to: ada, message: Which number?, answer: { type: object } }\n'],
  [
    'workflow',
    'double-answer',
    `${HEAD}do: [ { ask: { call: interaction/ask } }, { double: { call: computation/double, with: '\${ . }' } } ]\n`,
  ],
  ['workflow', 'pause', `${HEAD}do: [ { pause: { wait: PT3S } }, { set: { set: { n: 1 } } } ]\n`],
] as const;
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** The tests trust every password, so that one that must not be seen anywhere fits. */
function withPassword(url: string, change: (url: URL) => void = () => {}): string {
  const changed = new URL(url);
  changed.password = CANARY_KEY;
  change(changed);
  return changed.href;
}

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('servers on PostgreSQL', () => {
  const folder = temporaryFolder();
  const schema = `test_${randomHex(8)}`;
  const environment = (url = POSTGRES_FOR_TESTS ?? ''): Record<string, string> => ({
    DATABASE_URL: withPassword(url),
    DATABASE_SCHEMA: schema,
    SECRETS_KEY,
    LOG_LEVEL: 'info',
  });
  const living = new Set<ServerProcess>();
  const start = async (more: Record<string, string> = {}, args: readonly string[] = [], dir = folder.path) => {
    const server = await startServerProcess(dir, { environment: { ...environment(), ...more }, args });
    living.add(server);
    return server;
  };
  const stop = async (server: ServerProcess): Promise<void> => {
    living.delete(server);
    expect(await server.end('SIGTERM')).toBe(0);
  };
  afterEach(async () => {
    for (const server of living) await stop(server);
  });
  afterAll(async () => {
    await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    folder.remove();
  });

  async function saveAll(client: TestClient): Promise<void> {
    await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    for (const [type, name, source] of DEFINITIONS) {
      expect((await client.post(`${AT}/definitions/${type}`, { name, source })).status).toBeOneOf([201, 409]);
    }
  }
  const run = async (client: TestClient, name: string): Promise<string> =>
    (await client.post(`${AT}/definitions/workflow/${name}/run`, {})).body.run_id;
  const ended = async (client: TestClient, runId: string) => {
    await expect.poll(async () => (await client.get(`${AT}/runs/${runId}`)).body.status).not.toBe('started');
    return (await client.get(`${AT}/runs/${runId}`)).body;
  };
  async function answerQuestions(client: TestClient, count: number): Promise<void> {
    const inbox = async () => (await client.get(`${AT}/interactions`)).body.interactions;
    await expect.poll(async () => (await inbox()).length).toBe(count);
    for (const request of await inbox()) {
      expect((await client.post(`${AT}/runs/${request.run_id}/answer`, { answer: { n: 21 } })).status).toBe(200);
    }
  }

  test('given workflows that ask while the server stops, then they continue after a restart', async () => {
    const first = await start();
    const client = await createTestClient(first.address);
    expect((await client.get('/health')).body).toMatchObject({ status: 'ok', store: 'postgres' });
    await saveAll(client);
    const runIds = await Promise.all(Array.from({ length: 8 }, () => run(client, 'double-answer')));
    await stop(first);
    const second = await createTestClient((await start()).address);
    for (const runId of runIds) expect((await second.get(`${AT}/runs/${runId}`)).body.status).toBe('started');
    await answerQuestions(second, runIds.length);
    for (const runId of runIds) {
      expect(await ended(second, runId)).toMatchObject({ status: 'succeeded', output: { n: 42 } });
    }
  });

  test('given two servers that start at once, then both serve one sample', async () => {
    const other = temporaryFolder();
    const servers = await Promise.all([start({}, ['--sample']), start({}, ['--sample'], other.path)]);
    for (const { address } of servers) {
      const client = await createTestClient(address);
      const at = '/v1/orgs/local/playbooks/wildlife-strikes/definitions';
      expect((await client.get(`${at}/computation/triage-score`)).body).toMatchObject({ version: 1 });
    }
    for (const server of servers) await stop(server);
    other.remove();
  });

  /** Starts a server that is to refuse the start. */
  const refused = (more: Record<string, string>): { code: number | null; stderr: string } => {
    const { status, stderr } = spawnSync(process.execPath, [SERVER_PROGRAM, 'serve', '--data-dir', folder.path], {
      env: { ...process.env, ...environment(), PORT: '0', ...more },
      encoding: 'utf8',
      timeout: 20_000,
    });
    return { code: status, stderr };
  };

  const given = POSTGRES_FOR_TESTS ?? 'postgres://localhost/none';
  test.each<[string, Record<string, string>, number, string]>([
    ['a malformed address', { DATABASE_URL: `postgres://${CANARY_KEY}` }, 2, 'DATABASE_URL is not a valid address'],
    ['no data key', { SECRETS_KEY: '' }, 2, 'SECRETS_KEY is not set'],
    [
      'a database that does not exist',
      { DATABASE_URL: withPassword(given, (url) => (url.pathname = '/nowhere')) },
      3,
      '"nowhere" does not exist',
    ],
    [
      'a user that does not exist',
      { DATABASE_URL: withPassword(given, (url) => (url.username = 'nobody')) },
      3,
      '"nobody" does not exist',
    ],
  ])('%s ends the start in a sentence without the password', (_name, more, code, sentence) => {
    const ending = refused(more);
    expect(ending.stderr).toContain(sentence);
    expect(ending.stderr).not.toContain(CANARY_KEY);
    expect(ending.stderr.trim().split('\n')).toHaveLength(1);
    expect(ending.code).toBe(code);
  });

  test('a data key that does not open what is sealed ends the start', async () => {
    await ask(`INSERT INTO ${schema}.sealed_values (org, owner, key_id, sealed) VALUES ('local', 'x', 'another', 'y')`);
    const ending = refused({});
    expect(ending.stderr).toContain('SECRETS_KEY does not open what is sealed in the database');
    expect(ending.code).toBe(2);
    await ask(`DELETE FROM ${schema}.sealed_values`);
  });

  test('doctor reports the database without the password', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [SERVER_PROGRAM, 'doctor', '--data-dir', folder.path], {
      env: { ...process.env, ...environment() },
      encoding: 'utf8',
    });
    const { host, pathname } = new URL(given);
    expect(stdout).toContain(`DATABASE_URL: "postgres://${host}${pathname}"`);
    expect(stdout).toMatch(
      /^PostgreSQL \d+\S*: \d+ connections of Cuebook, [01] servers?; its clock is 0\.\d seconds/m,
    );
    expect(stdout).toMatch(/^events: \d+ rows, \d+ bytes$/m);
    expect(stdout + stderr).not.toContain(CANARY_KEY);
  });

  test('doctor changes nothing that a server elsewhere uses, and says when the database is busy', async () => {
    const elsewhere = temporaryFolder();
    const rebuild = async (): Promise<{ code: number | null; stderr: string }> => {
      const args = [SERVER_PROGRAM, 'doctor', '--rebuild', '--data-dir', elsewhere.path];
      const child = spawn(process.execPath, args, { env: { ...process.env, ...environment() } });
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      return { code, stderr };
    };
    const server = await start();
    expect(await rebuild()).toMatchObject({ code: 2, stderr: expect.stringContaining('A server uses the schema') });
    await stop(server);
    expect(await rebuild()).toMatchObject({ code: 0 });
    const locking = new pg.Client({ connectionString: given });
    await locking.connect();
    await locking.query(`BEGIN; LOCK TABLE ${schema}.playbook_queues IN SHARE ROW EXCLUSIVE MODE`);
    const { code, stderr } = await rebuild();
    await locking.end();
    expect(code).toBe(3);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^The database is busy/);
    elsewhere.remove();
  }, 60_000);

  describe('cuebook move', () => {
    const target = `test_${randomHex(8)}`;
    const source = temporaryFolder();
    afterAll(async () => {
      await ask(`DROP SCHEMA IF EXISTS ${target} CASCADE`);
      source.remove();
    });
    const move = (): { code: number | null; stdout: string; stderr: string } => {
      const args = [SERVER_PROGRAM, 'move', '--from', `sqlite:${source.path}/cuebook.db`];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        env: { ...process.env, ...environment(), DATABASE_SCHEMA: target, DATA_DIR: source.path },
        encoding: 'utf8',
      });
      return { code: status, stdout, stderr };
    };

    test('copies a data directory that is not served into an empty schema, where its workflows continue', async () => {
      const before = await start({ DATABASE_URL: '' }, [], source.path);
      const client = await createTestClient(before.address);
      await saveAll(client);
      const runId = await run(client, 'double-answer');
      expect(await ended(client, await run(client, 'pause'))).toMatchObject({ status: 'succeeded' });
      const listed = (await client.get(`${AT}/events?limit=100`)).body;
      expect(move()).toMatchObject({ code: 3, stderr: expect.stringContaining('is in use by another Cuebook') });
      await stop(before);

      expect(move()).toMatchObject({ code: 0, stdout: expect.stringContaining('the same read tables.') });
      expect(move()).toMatchObject({ code: 2, stderr: expect.stringContaining('The target is not empty: its table') });

      const after = await createTestClient((await start({ DATABASE_SCHEMA: target }, [], source.path)).address);
      expect((await after.get(`${AT}/events?limit=100`)).body).toEqual(listed);
      await answerQuestions(after, 1);
      expect(await ended(after, runId)).toMatchObject({ status: 'succeeded', output: { n: 42 } });
    }, 60_000);
  });

  describe('a database that is stopped and started', () => {
    const cluster = temporaryFolder();
    let postgres: PostgresServer;
    beforeAll(async () => {
      chmodSync(cluster.path, 0o755);
      postgres = await startPostgres(process.env['POSTGRES_PROGRAMS'] ?? '', cluster.path, ['fsync=off']);
    });
    afterAll(async () => {
      await postgres.stop();
      cluster.remove();
    });

    test.each(['SIGINT', 'SIGQUIT'] as const)(
      'with %s gives unavailable meanwhile, and everything continues by itself',
      async (signal) => {
        const server = await start(environment(postgres.url));
        const client = await createTestClient(server.address);
        await saveAll(client);
        const asking = await run(client, 'double-answer');
        const pausing = await run(client, 'pause');
        await postgres.stop(signal);
        const stoppedAt = performance.now();
        const publish = () =>
          client.post(`${AT}/events`, { event: { source: '/test', type: 'order.placed', data: {} } });
        const health = async () => (await fetch(`${server.address}/health`)).json() as Promise<{ status: string }>;
        for (const answer of [await client.get(`${AT}/runs`), await publish()]) {
          expect(answer).toMatchObject({ status: 503, body: { type: expect.stringContaining('unavailable') } });
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        }
        await expect.poll(async () => (await health()).status, { timeout: 5000 }).toBe('failing');
        expect(performance.now() - stoppedAt).toBeLessThan(5000);
        await postgres.start();
        await expect.poll(async () => (await health()).status).toBe('ok');
        expect((await publish()).status).toBe(200);
        expect(await ended(client, pausing)).toMatchObject({ status: 'succeeded' });
        await answerQuestions(client, 1);
        expect(await ended(client, asking)).toMatchObject({ status: 'succeeded', output: { n: 42 } });
        await stop(server);
        expect(server.stderr()).toContain('The database is back.');
      },
      60_000,
    );
  });
});

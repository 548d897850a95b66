// Makes a release: npm run release [-- --publish] [-- --with FOLDER]
//
//   1. reads the state of the repository, and asks npm for known weaknesses of packages
//   2. builds the npm package afresh, and packs it
//   3. installs the packed file in an empty folder, and uses it in an empty home
//   4. packs the .mcpb bundle of this platform, and writes the bill of materials and the license texts
//   5. adds the files of --with: the packages of the desktop app, made on each platform by `npm run release:desktop`
//   6. writes checksums
//   7. npm publish with provenance, then the release on GitHub with all files: with --publish; without it, npm's dry run
//
// Everything is written to dist/release. Without --publish, it reports what would be in the way of publishing, and goes through
// all other steps. With it, nothing may be in the way. Provenance needs a CI system that npm knows, with its id token.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildDesktop } from '../desktop/package.ts';
import { shippedPackages } from '../licenses/shipped-packages.ts';
import { buildBundle } from '../mcpb/build.ts';
import { notesOf } from './changelog.ts';
import { CHECKSUMS, writeChecksums } from './checksums.ts';
import { auditObstacle, channelOf, obstaclesOf } from './obstacles.ts';
import { lockedPackages, sbom } from './sbom.ts';
import { releaseState } from './state.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = path.join(ROOT, 'dist/release');

const { values } = parseArgs({
  options: { publish: { type: 'boolean', default: false }, with: { type: 'string', multiple: true, default: [] } },
});

/** Runs a program, with its output on stderr. @throws Error if it fails */
function run(program: string, args: readonly string[], environment: Record<string, string> = {}): void {
  const { status } = spawnSync(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`);
}

/** @returns the standard output, also of a program that fails; empty if it does not start */
function outputOf(program: string, args: readonly string[]): string {
  return spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' }).stdout ?? '';
}

const say = (sentence: string): void => console.log(`- ${sentence}`);

const state = releaseState(ROOT);
const { version } = state;
const obstacles = [...obstaclesOf(state), auditObstacle(outputOf('npm', ['audit', '--json'])) ?? []].flat();
if (values.publish && obstacles.length > 0) {
  console.error(['Nothing was published.', ...obstacles].join('\n'));
  process.exit(1);
}

// Afresh: a bundle names the commit of which it was built.
for (const part of ['server', 'studio', 'types', 'release']) {
  rmSync(path.join(ROOT, 'dist', part), { recursive: true, force: true });
}
mkdirSync(FOLDER, { recursive: true });
run('npm', ['run', 'prepack']);
run('npm', ['pack', '--ignore-scripts', '--pack-destination', FOLDER]);
const packed = path.join(FOLDER, `cuebook-${version}.tgz`);
say(`Packed ${path.basename(packed)}.`);

run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'e2e', 'e2e/npm-package.e2e.ts'], {
  CUEBOOK_TARBALL: packed,
});
say('Installed it in an empty folder, and used it in an empty home.');

const bundle = await buildBundle(FOLDER, path.join(ROOT, 'dist/studio'));
await buildDesktop();
const shipped = shippedPackages();
writeFileSync(path.join(FOLDER, `cuebook-${version}.cdx.json`), sbom({ version, shipped, locked: lockedPackages() }));
const texts = ['server', 'studio', 'desktop'].map((part) => path.join(ROOT, 'dist', part, 'THIRD_PARTY_LICENSES.txt'));
writeFileSync(
  path.join(FOLDER, `cuebook-${version}-licenses.txt`),
  texts.map((file) => readFileSync(file, 'utf8')).join('\n'),
);
say(`Packed ${path.basename(bundle)}, and listed ${shipped.length} packages with their licenses.`);

for (const folder of values.with) {
  for (const name of readdirSync(folder)) cpSync(path.join(folder, name), path.join(FOLDER, name));
}
const names = writeChecksums(FOLDER);
say(`Wrote ${CHECKSUMS} of ${names.length} files in dist/release.`);

const channel = channelOf(version) ?? 'next';
const dryRun = values.publish ? [] : ['--dry-run'];
run('npm', ['publish', packed, '--provenance', '--access', 'public', '--tag', channel, '--ignore-scripts', ...dryRun]);
if (values.publish) {
  const notes = path.join(FOLDER, 'notes.md');
  writeFileSync(notes, notesOf(state.changelog));
  const files = [...names, CHECKSUMS].map((name) => path.join(FOLDER, name));
  const kind = channel === 'latest' ? '--latest' : '--prerelease';
  run('gh', [
    'release',
    'create',
    `v${version}`,
    '--verify-tag',
    '--title',
    version,
    '--notes-file',
    notes,
    kind,
    ...files,
  ]);
  say(`Published ${version} as ${channel}.`);
} else {
  say(`Did not publish ${version} as ${channel}: this was a dry run.`);
  for (const obstacle of obstacles) say(`In the way of publishing: ${obstacle}`);
}

// Builds the studio and the server, and with `--package` the types of the npm package, each only if it is missing or older than
// its sources.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface BuildStep {
  /** What is built, for the message: `the studio`. */
  name: string;
  /** A file that each build writes, relative to the root of the repository. */
  result: string;
  /** The files and folders that it is built from, relative to the root of the repository; tests in them do not count. */
  sources: readonly string[];
  build: () => Promise<unknown>;
}

/** @returns the path of the result */
async function buildIfStale({ name, result, sources, build }: BuildStep): Promise<string> {
  const file = path.join(ROOT, result);
  if (isUpToDate(file, sources)) return file;
  const before = performance.now();
  process.stderr.write(`Building ${name}, once ...\n`);
  await build();
  process.stderr.write(`Built ${name} in ${((performance.now() - before) / 1000).toFixed(0)} s.\n`);
  return file;
}

function isUpToDate(result: string, sources: readonly string[]): boolean {
  if (!existsSync(result)) return false;
  const built = statSync(result).mtimeMs;
  return sources.every((source) => newest(path.join(ROOT, source)) <= built);
}

function newest(place: string): number {
  if (/\.test(ing)?\.tsx?$/.test(place)) return 0;
  const stat = statSync(place);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(place).map((name) => newest(path.join(place, name))));
}

/** Builds the studio into `dist/studio`. */
export async function buildStudio(): Promise<void> {
  await buildIfStale({
    name: 'the studio',
    result: 'dist/studio/index.html',
    sources: [
      'renderer',
      'scripts/licenses',
      'shared',
      'resources/samples',
      'resources/templates',
      'resources/schemas',
      'package-lock.json',
    ],
    async build() {
      const { build } = await import('vite');
      await build({ configFile: path.join(ROOT, 'renderer/vite.config.ts'), logLevel: 'warn' });
    },
  });
}

/** Bundles the server into `dist/server`: a bundle starts in half the time of the sources. @returns the path of the program */
export function buildServer(): Promise<string> {
  return buildIfStale({
    name: 'the server',
    result: 'dist/server/server.main.js',
    sources: [
      'server',
      'shared',
      'resources/trainers',
      'scripts/vite.config.ts',
      'scripts/licenses',
      'package-lock.json',
    ],
    async build() {
      const { build } = await import('vite');
      await build({ configFile: path.join(ROOT, 'scripts/vite.config.ts'), mode: 'server' });
    },
  });
}

/** Writes the declarations of the package's exports into `dist/types`. */
async function buildTypes(): Promise<void> {
  await buildIfStale({
    name: 'the types',
    result: 'dist/types/server/library/published.d.ts',
    sources: ['server/library', 'shared', 'scripts/tsconfig.types.json', 'package-lock.json'],
    async build() {
      rmSync(path.join(ROOT, 'dist/types'), { recursive: true, force: true });
      const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      execFileSync(process.execPath, [compiler, '-p', path.join(ROOT, 'scripts/tsconfig.types.json')], {
        stdio: 'inherit',
      });
    },
  });
}

/** Builds what the npm package contains. */
export async function buildPackage(): Promise<void> {
  await Promise.all([buildStudio(), buildServer(), buildTypes()]);
}

if (import.meta.main) {
  if (process.argv.includes('--package')) await buildPackage();
  else await Promise.all([buildStudio(), buildServer()]);
}

// Builds the studio into dist/studio, unless the build there is newer than all sources.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = path.join(ROOT, 'dist/studio/index.html');
const SOURCES = ['renderer', 'shared', 'resources/samples', 'resources/schemas', 'package-lock.json'];

function newest(place: string): number {
  const stat = statSync(place);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(place).map((name) => newest(path.join(place, name))));
}

function isUpToDate(): boolean {
  if (!existsSync(BUILT)) return false;
  const built = statSync(BUILT).mtimeMs;
  return SOURCES.every((source) => newest(path.join(ROOT, source)) <= built);
}

export async function buildStudio(): Promise<void> {
  if (isUpToDate()) return;
  const { build } = await import('vite');
  const before = performance.now();
  process.stderr.write('Building the studio, once ... ');
  await build({ configFile: path.join(ROOT, 'renderer/vite.config.ts'), logLevel: 'warn' });
  process.stderr.write(`done in ${((performance.now() - before) / 1000).toFixed(0)} s.\n`);
}

if (import.meta.main) await buildStudio();

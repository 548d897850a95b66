// Builds only what is missing or older than its sources.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface BuildStep {
  /** What is built, for the message: `the studio`. */
  name: string;
  /** A file that each build writes, relative to the root of the repository. */
  result: string;
  /** The files and folders that it is built from, relative to the root of the repository; tests in them do not count. */
  sources: readonly string[];
  build: () => Promise<unknown>;
}

/** @returns the path of the result */
export async function buildIfStale({ name, result, sources, build }: BuildStep): Promise<string> {
  const file = path.join(ROOT, result);
  if (isUpToDate(file, sources)) return file;
  const before = performance.now();
  process.stderr.write(`Building ${name}, once ... `);
  await build();
  process.stderr.write(`done in ${((performance.now() - before) / 1000).toFixed(0)} s.\n`);
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

// `runtime.json` in the data directory says which runtime uses the directory and where it listens.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface RuntimeFile {
  pid: number;
  address: string;
  version: string;
}

/** A runtime that responds. */
export interface RunningRuntime extends RuntimeFile {
  /** Counts of its store since it started; absent in the published mode. */
  work?: { seconds: number; commits: number; statements: number };
}

const FILE = 'runtime.json';

export function writeRuntimeFile(dataDir: string, runtime: RuntimeFile): void {
  writeFileSync(path.join(dataDir, FILE), `${JSON.stringify(runtime)}\n`, { mode: 0o600 });
}

/** Removes the file if this process wrote it. */
export function removeRuntimeFile(dataDir: string): void {
  if (readRuntimeFile(dataDir)?.pid === process.pid) rmSync(path.join(dataDir, FILE), { force: true });
}

function readRuntimeFile(dataDir: string): RuntimeFile | undefined {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, FILE), 'utf8')) as RuntimeFile;
  } catch {
    return undefined;
  }
}

/** The runtime that uses the data directory; undefined if none responds. */
export async function findRuntime(dataDir: string): Promise<RunningRuntime | undefined> {
  const runtime = readRuntimeFile(dataDir);
  if (runtime === undefined) return undefined;
  try {
    const response = await fetch(`${runtime.address}/health`, { signal: AbortSignal.timeout(2000) });
    const { version, work } = (await response.json()) as { version?: unknown } & Pick<RunningRuntime, 'work'>;
    if (!response.ok || version !== runtime.version) return undefined;
    return { ...runtime, ...(work === undefined ? {} : { work }) };
  } catch {
    return undefined;
  }
}

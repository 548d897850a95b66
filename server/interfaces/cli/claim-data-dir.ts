// One process at a time uses the data directory. If it is in use, a command waits until the other command has ended or
// until the server that is starting there is ready.
import { setTimeout as wait } from 'node:timers/promises';
import { UnusableStoreError } from '../../kernel/log/index.ts';
import { makeFolder } from './paths.ts';
import { progress } from './output.ts';
import { findRuntime, type RuntimeFile } from './runtime-file.ts';

/** How long a command waits for the data directory, in milliseconds. */
const PATIENCE = 15_000;
const BETWEEN_LOOKS = 50;
const SILENT_MS = 1_000;

export type Claimed<T> = { running: RuntimeFile; opened?: never } | { running?: never; opened: T };

/**
 * Finds the runtime that uses the data directory, or calls `open`, which needs the directory for itself.
 * @param open is called again until the directory is free
 * @throws UnusableStoreError if another process keeps the directory, CommandFailure if it cannot be created
 */
export async function claimDataDir<T>(dataDir: string, open: () => T): Promise<Claimed<T>> {
  makeFolder(dataDir, 'DATA_DIR', 0o700);
  let waited = 0;
  for (;;) {
    const running = await findRuntime(dataDir);
    if (running !== undefined) return { running };
    try {
      return { opened: open() };
    } catch (error) {
      if (!isTaken(error) || waited >= PATIENCE) throw error;
    }
    if (waited === SILENT_MS) progress(`Waiting for another Cuebook process that uses ${dataDir}.`);
    await wait(BETWEEN_LOOKS);
    waited += BETWEEN_LOOKS;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof UnusableStoreError && error.message.includes('is in use by another Cuebook');
}

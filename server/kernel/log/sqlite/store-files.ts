import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { UnusableStoreError } from '../store.ts';

/** The files of an open store, as they were when it was opened. They are in one folder. */
export interface WatchedFiles {
  /** The first one that was removed or replaced since. */
  lost(): string | undefined;
  /**
   * As `lost`, for a few microseconds: looks at the files only where their folder has changed since. What changes twice
   * within a tick of the system's clock (milliseconds) may escape it.
   */
  lostLately(): string | undefined;
}

export function watchFiles(files: readonly string[]): WatchedFiles {
  const folder = path.dirname(files[0] ?? '');
  const known = files.map((file) => ({ file, identity: identityOf(file) }));
  let changedAt: number | undefined;
  const lost = (): string | undefined => known.find(({ file, identity }) => identityOf(file) !== identity)?.file;
  return {
    lost,
    lostLately() {
      const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
      if (changed !== undefined && changed === changedAt) return undefined;
      changedAt = changed;
      return lost();
    },
  };
}

/** Distinguishes a file from another one at the same path. Undefined if there is none, or it cannot be read. */
function identityOf(file: string): bigint | undefined {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
}

/**
 * Makes a file where it is absent, for its owner alone: SQLite gives the files beside a database the same mode. One
 * that is there keeps its mode.
 * @returns where the file is, whatever links lead to it
 */
export function ownFile(file: string): string {
  closeSync(openSync(file, 'a', 0o600));
  return realpathSync(file);
}

/** Refuses what is no file: opening a pipe would wait for its other end. @throws UnusableStoreError */
export function refuseIrregular(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return;
  const found = stat.isDirectory() ? 'a folder' : 'not a regular file';
  throw new UnusableStoreError(`${file} is ${found}; name the file of a database.`);
}

/** Where a file is, whatever links lead to it; as given while there is none. */
export function realFile(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

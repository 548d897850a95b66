import { statSync } from 'node:fs';
import path from 'node:path';

/** The files of an open store, as they were when it was opened. They stand in one folder. */
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

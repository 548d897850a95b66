import { closeSync, existsSync, openSync, realpathSync } from 'node:fs';

/**
 * Makes a file where it is absent, for its owner alone: SQLite gives the files beside a database the same mode. One
 * that is there keeps its mode.
 * @returns where the file is, whatever links lead to it
 */
export function ownFile(file: string): string {
  closeSync(openSync(file, 'a', 0o600));
  return realpathSync(file);
}

/** Where a file is, whatever links lead to it; as given while there is none. */
export function realFile(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

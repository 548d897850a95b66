import { closeSync, openSync, realpathSync } from 'node:fs';

/**
 * Makes a file where it is absent, for its owner alone: SQLite gives the files beside a database the same mode. One
 * that is there keeps its mode.
 * @returns where the file is, whatever links lead to it
 */
export function ownFile(file: string): string {
  closeSync(openSync(file, 'a', 0o600));
  return realpathSync(file);
}

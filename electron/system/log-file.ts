import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const MOST_BYTES = 4 * 1024 * 1024;

/** Appends to a file; one that has grown large is kept once beside the new one. Never fails: a log stops nothing. */
export function createLogFile(file: string): (text: string) => void {
  return (text) => {
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (bytes > MOST_BYTES) renameSync(file, `${file}.1`);
      appendFileSync(file, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 });
    } catch {}
  };
}

// Files that their owner alone may read.
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Undefined where there is no such file. */
export function readPrivate(file: string): { ok: true; text: string } | { ok: false; says: string } | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { mode, uid } = fstatSync(descriptor);
    const isPosix = process.platform !== 'win32';
    if (isPosix && (mode & 0o077) !== 0)
      return { ok: false, says: 'is accessible to other users; it must have mode 0600' };
    if (isPosix && uid !== process.getuid?.()) return { ok: false, says: 'belongs to another user' };
    return { ok: true, text: readFileSync(descriptor, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return undefined;
    return { ok: false, says: `cannot be read (${code})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The whole file is there, or the one before it is: it is on the disk before it takes the name. */
export function writePrivate(file: string, text: string): void {
  const unfinished = `${file}.new`;
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  syncFolder(path.dirname(file));
}

/** It is gone from the disk once this returns. */
export function removePrivate(file: string): void {
  rmSync(file, { force: true });
  syncFolder(path.dirname(file));
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

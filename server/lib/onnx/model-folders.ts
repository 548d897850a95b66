// The empty folders in which model processes run. The name of each has the id of the process that started it, so that the
// folders of a server that was killed are known as such.
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'cuebook-model-';
const NAMED = new RegExp(`^${PREFIX}(\\d+)-`);

export function createModelFolder(): string {
  return mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes the folders whose processes were started by a process that no longer runs. */
export async function removeLeftFolders(): Promise<void> {
  const abandoned = readdirSync(os.tmpdir()).filter((name) => {
    const starter = NAMED.exec(name)?.[1];
    return starter !== undefined && !isRunning(Number(starter));
  });
  // One that cannot be removed, since it is another user's, harms nobody.
  await Promise.allSettled(abandoned.map((name) => rm(path.join(os.tmpdir(), name), { recursive: true, force: true })));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

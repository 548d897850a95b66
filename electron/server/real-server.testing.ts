// The real server in a child process, instead of Electron's `utilityProcess`.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Forks } from './utility-server.ts';

/** A module that runs first in a child process and gives it the port that Electron gives a utility process. */
export const PARENT_PORT = `data:text/javascript,${encodeURIComponent(`
  process.parentPort = {
    on: (_event, listener) => process.on('message', (data) => listener({ data })),
    postMessage: (message) => process.send?.(message),
  };
`)}`;
/** The compile cache of the servers, as bin/cuebook.js sets it. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** A message to a process that is exiting is lost, as with Electron's port. */
const ignore = (): void => {};

export interface RealForks extends Forks {
  /** The ids of all started processes, in order. */
  pids: number[];
  dataDir: string;
  /** Removes the data directory. Call it after every process has ended. */
  remove(): void;
}

export function createForks(): RealForks {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cuebook-desktop-'));
  const pids: number[] = [];
  return {
    pids,
    dataDir,
    fork(modulePath, args) {
      const environment = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: COMPILED };
      const child = fork(modulePath, args, { silent: true, execArgv: ['--import', PARENT_PORT], env: environment });
      pids.push(child.pid ?? 0);
      return {
        stdout: child.stdout,
        stderr: child.stderr,
        postMessage: (message) => void (child.connected && child.send(message, ignore)),
        kill: () => child.kill(),
        on(event: 'message' | 'exit', listener: (given: never) => void) {
          child.on(event, (given: unknown) => listener(given as never));
        },
      };
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

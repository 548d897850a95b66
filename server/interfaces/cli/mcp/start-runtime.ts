// Finds the runtime of a data directory, or starts one that outlives the session that started it.
import { listProvidersWithKeys } from '../../../domain/models/index.ts';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readSettings, SettingsError } from '../../../settings/index.ts';
import { failed, misused } from '../failure.ts';
import { idleMs } from '../idle.ts';
import { makeFolder } from '../paths.ts';
import { findRuntime } from '../runtime-file.ts';

const MAIN = fileURLToPath(new URL('../../../main.ts', import.meta.url));
/** The runtime logs to this file, because the session that started it may end first. */
const LOG = 'runtime.log';
const PATIENCE_MS = 30_000;
const BETWEEN_LOOKS_MS = 50;
const LOOKS_AFTER_THE_END = 40;
/** In seconds. */
const TEN_MINUTES = '600';

interface RuntimeProcess {
  pid: number | undefined;
  code: () => number | null;
  /** Stops it if another process started a runtime first: it would otherwise wait for the data directory. */
  stop: () => void;
}

/** The address of the runtime. @throws CommandFailure */
export async function findOrStartRuntime(dataDir: string): Promise<string> {
  const running = await findRuntime(dataDir);
  if (running !== undefined) return running.address;
  checkSettings(dataDir);
  const idle = idleMs(process.env['CUEBOOK_IDLE_SECONDS'] || TEN_MINUTES, 'CUEBOOK_IDLE_SECONDS');
  makeFolder(dataDir, 'DATA_DIR', 0o700);
  const log = path.join(dataDir, LOG);
  const started = start(dataDir, log, idle);
  let looksLeft = LOOKS_AFTER_THE_END;
  for (let waited = 0; waited < PATIENCE_MS; waited += BETWEEN_LOOKS_MS) {
    await wait(BETWEEN_LOOKS_MS);
    const found = await findRuntime(dataDir);
    if (found !== undefined) {
      if (found.pid !== started.pid) started.stop();
      return found.address;
    }
    // Another session may have started a runtime first; then this one exits, and the other is found shortly.
    if (started.code() !== null && (looksLeft -= 1) === 0) break;
  }
  throw failed(`Cuebook did not start in ${dataDir}; see ${log} for the reason.`);
}

/** Reports invalid settings to the caller; otherwise they would appear only in the log of the runtime. */
function checkSettings(dataDir: string): void {
  try {
    readSettings(process.env, { dataDir }, listProvidersWithKeys);
  } catch (error) {
    if (error instanceof SettingsError) throw misused(error.message);
    throw error;
  }
}

function start(dataDir: string, log: string, idle: number): RuntimeProcess {
  const descriptor = openSync(log, 'a', 0o600);
  const child = spawn(
    process.execPath,
    [...process.execArgv, MAIN, 'serve', '--until-idle', String(idle / 1000), '--data-dir', dataDir],
    // Detached, so that a signal that ends the session does not end the runtime.
    { detached: true, stdio: ['ignore', descriptor, descriptor] },
  );
  closeSync(descriptor);
  child.unref();
  return { pid: child.pid, code: () => child.exitCode, stop: () => void child.kill() };
}

// `logins.json` in the data directory: the servers that the person signed in to, with their tokens.
//
// 1. Anyone may read the file at any time: it is replaced as a whole.
// 2. It is written only while holding `logins.lock`, which the system releases however the process ends.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { takeLock } from '../../../kernel/log/index.ts';
import { failed } from '../failure.ts';
import { makeFolder } from '../paths.ts';
import { replaceFile } from '../text-file.ts';

export interface Login {
  issuer: string;
  /** The server's address as the identity service knows it, for which tokens are issued. */
  resource: string;
  clientId: string;
  accessToken: string;
  refreshToken: string | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt: number;
}

const FILE = 'logins.json';
const LOCK = 'logins.lock';
/** Milliseconds to wait for another process: longer than it takes to renew a token at a service that does not respond. */
const PATIENCE = 60_000;
const BETWEEN_TRIES = 50;

export function readLogin(dataDir: string, server: string): Login | undefined {
  const logins = readLogins(dataDir);
  return Object.hasOwn(logins, server) ? logins[server] : undefined;
}

/** Writes the login for a server. @param login undefined removes it */
export type WriteLogin = (server: string, login: Login | undefined) => void;

/**
 * Runs `change` while no other process changes the logins.
 * @throws CommandFailure if another process does not release them within a minute
 */
export async function lockLogins<T>(dataDir: string, change: (write: WriteLogin) => T | Promise<T>): Promise<T> {
  makeFolder(dataDir, 'DATA_DIR', 0o700);
  const release = await waitForLock(path.join(dataDir, LOCK));
  try {
    return await change((server, login) => writeLogin(dataDir, server, login));
  } finally {
    release();
  }
}

async function waitForLock(file: string): Promise<() => void> {
  for (let waited = 0; waited < PATIENCE; waited += BETWEEN_TRIES) {
    const release = takeLock(file);
    if (release !== undefined) return release;
    // oxlint-disable-next-line no-await-in-loop -- until the other process is done
    await wait(BETWEEN_TRIES);
  }
  const words = `Another Cuebook process has been changing ${path.dirname(file)}/${FILE} for a minute. Stop that process, then try again.`;
  throw failed(words);
}

function writeLogin(dataDir: string, server: string, login: Login | undefined): void {
  const { [server]: _previous, ...others } = readLogins(dataDir);
  const logins = login === undefined ? others : { ...others, [server]: login };
  const file = path.join(dataDir, FILE);
  if (Object.keys(logins).length === 0) return rmSync(file, { force: true });
  replaceFile(file, `${JSON.stringify(logins, undefined, 2)}\n`, { mode: 0o600 });
}

function readLogins(dataDir: string): Record<string, Login> {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, FILE), 'utf8')) as Record<string, Login>;
  } catch {
    return {};
  }
}

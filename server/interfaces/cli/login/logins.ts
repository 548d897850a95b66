// `logins.json` in the data directory: the servers that the person signed in to, with their tokens.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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

export function readLogin(dataDir: string, server: string): Login | undefined {
  const logins = readLogins(dataDir);
  return Object.hasOwn(logins, server) ? logins[server] : undefined;
}

export function hasLogin(dataDir: string, server: string): boolean {
  return readLogin(dataDir, server) !== undefined;
}

/** @param login undefined removes it */
export function writeLogin(dataDir: string, server: string, login: Login | undefined): void {
  const { [server]: _previous, ...others } = readLogins(dataDir);
  const logins = login === undefined ? others : { ...others, [server]: login };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, FILE);
  if (Object.keys(logins).length === 0) return rmSync(file, { force: true });
  // Replaced as a whole, so that another command never reads half of it.
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(logins, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}

function readLogins(dataDir: string): Record<string, Login> {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, FILE), 'utf8')) as Record<string, Login>;
  } catch {
    return {};
  }
}

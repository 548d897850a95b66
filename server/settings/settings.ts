// Settings come from the command line, then the environment, then defaults, and are all checked before anything starts.
import os from 'node:os';
import path from 'node:path';

/** A setting that stops the start, in one sentence that names it, what it holds and what it takes. */
export class SettingsError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'SettingsError';
  }
}

export interface Settings {
  /** A loopback address. */
  host: string;
  /** The port asked for, 0 for any free one; undefined: 4747, or the next free one. */
  port: number | undefined;
  dataDir: string;
  /** The SQLite database file. */
  databaseFile: string;
  /** Origins of pages that may call beside the server's own. */
  allowedOrigins: readonly string[];
  studioOrigin: string | undefined;
  logLevel: LogLevel;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line says, where it says it. */
export interface Overrides {
  host?: string | undefined;
  port?: string | undefined;
  dataDir?: string | undefined;
}

/** @throws SettingsError for the first setting that does not fit */
export function readSettings(environment: Environment, overrides: Overrides = {}): Settings {
  refusePublished(environment);
  const dataDir = path.resolve(overrides.dataDir ?? given(environment, 'DATA_DIR') ?? defaultDataDir(environment));
  return {
    host: readHost(overrides.host ?? given(environment, 'HOST') ?? '127.0.0.1'),
    port: readPort(overrides.port ?? given(environment, 'PORT')),
    dataDir,
    databaseFile: readDatabaseFile(given(environment, 'DATABASE_URL'), dataDir),
    allowedOrigins: (given(environment, 'ALLOWED_ORIGINS') ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => readOrigin('ALLOWED_ORIGINS', entry)),
    studioOrigin: optionalOrigin('STUDIO_ORIGIN', given(environment, 'STUDIO_ORIGIN')),
    logLevel: readLogLevel(given(environment, 'LOG_LEVEL') ?? 'info'),
  };
}

/** An empty variable counts as absent. */
function given(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === undefined || value === '' ? undefined : value;
}

function refusePublished(environment: Environment): void {
  for (const name of ['PUBLIC_URL', 'API_KEYS', 'IDENTITY_ISSUER']) {
    if (given(environment, name) === undefined) continue;
    throw new SettingsError(
      `${name} is set, and this version serves local mode alone; unset ${name} to start on a loopback address.`,
    );
  }
}

function readHost(host: string): string {
  const isLoopback = host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
  if (isLoopback) return host;
  throw new SettingsError(
    `HOST is ${JSON.stringify(host)}, and without keys or sign-in the server listens on a loopback address alone; use 127.0.0.1, ::1 or localhost.`,
  );
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SettingsError(`PORT is ${JSON.stringify(text)}; it takes a whole number from 0 (any free port) to 65535.`);
}

function readDatabaseFile(url: string | undefined, dataDir: string): string {
  if (url === undefined) return path.join(dataDir, 'cuebook.db');
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return path.resolve(dataDir, url.slice('sqlite:'.length));
  }
  // The value is not quoted: an address of a database may hold a password.
  throw new SettingsError(
    'DATABASE_URL does not begin with `sqlite:`; write sqlite: and the path of the database file.',
  );
}

function optionalOrigin(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : readOrigin(name, text);
}

function readOrigin(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text) return text;
  throw new SettingsError(
    `${name} holds ${JSON.stringify(text)}; it takes origins such as https://studio.example.com, without a path.`,
  );
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new SettingsError(`LOG_LEVEL is ${JSON.stringify(text)}; it takes one of ${LOG_LEVELS.join(', ')}.`);
}

/** The platform's folder for data of programs, and `cuebook` in it. */
function defaultDataDir(environment: Environment): string {
  const home = os.homedir();
  switch (process.platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'cuebook');
    case 'win32':
      return path.join(given(environment, 'LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local'), 'cuebook');
    default:
      return path.join(given(environment, 'XDG_DATA_HOME') ?? path.join(home, '.local', 'share'), 'cuebook');
  }
}

// Where the data is: a file of SQLite, or a schema of PostgreSQL. The address of a database may contain a password, so
// no message shows it.
import path from 'node:path';
import { type Environment, environmentVariable } from './environment.ts';
import { SettingsError } from './settings-error.ts';

export interface SqliteSettings {
  kind: 'sqlite';
  file: string;
}

export interface PostgresSettings {
  kind: 'postgres';
  /** A function, so that settings that are written out do not show the password. */
  url: () => string;
  /** Host, port and database, for people. */
  place: string;
  schema: string;
  /** Connections for works, and as many for reads. */
  poolSize: number;
}

export type DatabaseSettings = SqliteSettings | PostgresSettings;

const SCHEMA = 'cuebook';
const SCHEMA_FORM = /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/;
const POOL_SIZE = 10;
const LEAST_POOL = 3;
const MOST_POOL = 200;

/** @throws SettingsError */
export function readDatabase(environment: Environment, dataDir: string): DatabaseSettings {
  const url = environmentVariable(environment, 'DATABASE_URL');
  if (url === undefined) return { kind: 'sqlite', file: path.join(dataDir, 'cuebook.db') };
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return { kind: 'sqlite', file: path.resolve(dataDir, url.slice('sqlite:'.length)) };
  }
  if (/^postgres(?:ql)?:/.test(url)) return readPostgres(url, environment);
  throw new SettingsError(
    'DATABASE_URL does not begin with `sqlite:` or `postgres://`; write sqlite: and the path of the database file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
  );
}

function readPostgres(url: string, environment: Environment): PostgresSettings {
  const place = placeOf(url);
  if (place === undefined) {
    throw new SettingsError(
      'DATABASE_URL is not a valid address of a PostgreSQL database; it must have the form postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters of the password percent-encoded.',
    );
  }
  return { kind: 'postgres', url: () => url, place, schema: readSchema(environment), poolSize: readPool(environment) };
}

/** Undefined where the driver could not read the address. */
function placeOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.pathname.length < 2 || url.hash !== '') return undefined;
  if (url.hostname === '' && !url.searchParams.has('host')) return undefined;
  try {
    for (const part of [url.username, url.password, url.pathname, url.hostname]) decodeURIComponent(part);
  } catch {
    return undefined;
  }
  return `${url.host === '' ? (url.searchParams.get('host') ?? '') : url.host}${url.pathname}`;
}

function readSchema(environment: Environment): string {
  const schema = environmentVariable(environment, 'DATABASE_SCHEMA') ?? SCHEMA;
  if (SCHEMA_FORM.test(schema)) return schema;
  throw new SettingsError(
    `DATABASE_SCHEMA is ${JSON.stringify(schema)}; it must be 1 to 40 lower-case letters, digits and \`_\`, not beginning with a digit or \`pg_\`.`,
  );
}

function readPool(environment: Environment): number {
  const text = environmentVariable(environment, 'DATABASE_POOL');
  if (text === undefined) return POOL_SIZE;
  const size = Number(text);
  if (/^\d{1,3}$/.test(text) && size >= LEAST_POOL && size <= MOST_POOL) return size;
  throw new SettingsError(
    `DATABASE_POOL is ${JSON.stringify(text)}; it must be a whole number from ${LEAST_POOL} to ${MOST_POOL}.`,
  );
}

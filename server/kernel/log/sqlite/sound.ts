// Whether a file is a whole database of Cuebook and nothing else. A copy is checked before the store opens it: opening it
// would run triggers that are not ours.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Migration } from '../migration.ts';
import { UnusableStoreError } from '../store.ts';
import { APPLICATION_ID, appliedMigrations, createSchema } from './migrate.ts';
import { refuseIrregular } from './store-files.ts';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/** Refuses what does not begin as a database, or is shorter or longer than it says. @throws UnusableStoreError */
export function refuseForeignFile(file: string): void {
  refuseIrregular(file);
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) throw unsound(file, 'the file is empty');
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(descriptor, header, 0, HEADER_BYTES, 0);
    if (read < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
      throw unsound(file, 'the file is not a database of SQLite');
    }
    const said = saidSize(header);
    // The newest pages of a database with a write-ahead log are in the log.
    if (said !== undefined && said !== size && !existsSync(`${file}-wal`)) {
      throw unsound(file, `it has ${size} bytes, and its header says ${said}`);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The size that the header says, in bytes; undefined where a writer left it out (section 1.3.7 of the file format). */
function saidSize(header: Buffer): number | undefined {
  const written = header.readUInt16BE(16);
  const pageBytes = written === 1 ? 65_536 : written;
  return header.readUInt32BE(24) === header.readUInt32BE(92) ? pageBytes * header.readUInt32BE(28) : undefined;
}

/**
 * Refuses a database that is not exactly one of Cuebook, of this version or an older one, or that is damaged.
 * @param named what the sentence calls it
 * @throws UnusableStoreError
 */
export function refuseUnsound(file: string, named: string, migrations: readonly Migration[]): void {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    database.pragma('trusted_schema = OFF');
    database.pragma('cell_size_check = ON');
    const fault = foreignPart(database, migrations) ?? damageOf(database) ?? gapIn(database);
    if (fault !== undefined) throw unsound(named, fault);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw unsound(named, `it cannot be read: ${error.message}`);
  } finally {
    database.close();
  }
}

function unsound(file: string, fault: string): UnusableStoreError {
  return new UnusableStoreError(`${file} is not a sound database of Cuebook: ${fault}.`);
}

/** What in it is not ours. */
function foreignPart(database: Database.Database, migrations: readonly Migration[]): string | undefined {
  const id = Number(database.pragma('application_id', { simple: true }));
  if (id !== 0 && id !== APPLICATION_ID) return `it belongs to another program, with the application id ${id}`;
  const held = objectsOf(database);
  const applied = held.has('table schema_versions') ? appliedMigrations(database) : [];
  const [first] = migrations;
  if (first === undefined || !applied.includes(first.id)) return 'it has none of the tables of Cuebook';
  const known = applied.map((wanted) => migrations.find((migration) => migration.id === wanted));
  const unknown = applied.filter((_, index) => known[index] === undefined);
  if (unknown.length > 0) {
    return `a newer Cuebook wrote it (it contains ${unknown.join(', ')}); use that version`;
  }
  const ours = schemaAfter(known.filter((migration) => migration !== undefined));
  for (const [object, sql] of held) {
    if (!ours.has(object)) return `it contains the ${object}, which Cuebook does not create`;
    if (ours.get(object) !== sql) return `its ${object} is not the one of Cuebook`;
  }
  const lacking = [...ours.keys()].find((object) => !held.has(object) && object !== LATER_TABLE);
  return lacking === undefined ? undefined : `it lacks the ${lacking}`;
}

/** Which every start creates, and the first databases lack. */
const LATER_TABLE = 'table commits_held';

function schemaAfter(migrations: readonly Migration[]): ReadonlyMap<string, string | null> {
  const scratch = new Database(':memory:');
  try {
    createSchema(scratch, migrations);
    return objectsOf(scratch);
  } finally {
    scratch.close();
  }
}

interface SchemaObject {
  type: string;
  name: string;
  sql: string | null;
}

/** Tables, indexes, triggers and views by type and name, with the statement that created each. */
function objectsOf(database: Database.Database): Map<string, string | null> {
  const rows = database.prepare<[], SchemaObject>('SELECT type, name, sql FROM sqlite_master ORDER BY rowid').all();
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${shown(name)}`, sql]));
}

const MOST_SHOWN = 200;

function shown(name: string): string {
  const cut = name.slice(0, MOST_SHOWN);
  return /^[\w./-]+$/.test(cut) ? cut : JSON.stringify(cut);
}

/** The first thing that SQLite finds wrong in its pages, indexes and references. */
function damageOf(database: Database.Database): string | undefined {
  const found = String(database.pragma('integrity_check(1)', { simple: true }));
  if (found !== 'ok') return `it is damaged: ${found.replaceAll(/\s+/g, ' ')}`;
  const [broken] = database.pragma('foreign_key_check') as { table: string }[];
  return broken === undefined ? undefined : `its table ${broken.table} refers to a row that is missing`;
}

interface Numbered {
  org: string;
  playbook: string;
  stream: string;
}

/** The first place where an event is missing. Every event has a number in the log, in its stream, and most in the reading order. */
function gapIn(database: Database.Database): string | undefined {
  const log = database
    .prepare<[], { held: number; last: number | null }>(
      'SELECT count(*) AS held, max(global_position) AS last FROM events',
    )
    .get();
  const stream = database
    .prepare<[], Numbered>(
      `SELECT org, playbook, stream FROM events GROUP BY org, playbook, stream
       HAVING min(position) <> 1 OR max(position) <> count(*) LIMIT 1`,
    )
    .get();
  if (stream !== undefined) return `events are missing in the stream ${nameOf(stream)}`;
  const reading = database
    .prepare<[], Numbered>(
      `SELECT org, playbook, '' AS stream FROM events GROUP BY org, playbook
       HAVING coalesce(max(read_position), 0) <> count(read_position) OR coalesce(max(read_position), 0) <> coalesce(
         (SELECT position FROM streams WHERE org = events.org AND playbook = events.playbook AND stream = ''), 0) LIMIT 1`,
    )
    .get();
  if (reading !== undefined) return `events are missing in the playbook ${nameOf(reading)}`;
  const missing = (log?.last ?? 0) - (log?.held ?? 0);
  return missing === 0 ? undefined : `${missing} events are missing in its log`;
}

function nameOf({ org, playbook, stream }: Numbered): string {
  return shown([org, playbook, stream].filter((part) => part !== '').join('/'));
}

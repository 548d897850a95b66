// Whether a file is a whole database of Cuebook and nothing else. A copy is checked before the store opens it: opening it
// would run triggers that are not ours.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Migration } from '../migration.ts';
import { UnusableStoreError } from '../store.ts';
import { APPLICATION_ID, appliedMigrations, createSchema } from './migrate.ts';
import { faultOfLog, shownName } from './sound-log.ts';
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
    refuseCompanions(file);
    // The newest pages of a database with a write-ahead log are in the log.
    if (said !== undefined && said !== size && !existsSync(`${file}-wal`)) {
      throw unsound(file, `it has ${size} bytes, and its header says ${said}`);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Refuses files beside a database that SQLite would ignore, or that say that its last transaction is not whole. */
function refuseCompanions(file: string): void {
  for (const [suffix, isWrong, fault] of COMPANIONS) {
    refuseIrregular(`${file}${suffix}`);
    if (existsSync(`${file}${suffix}`) && isWrong(beginningOf(`${file}${suffix}`))) throw unsound(file, fault);
  }
}

/** Sections 3 and 4.1 of the file format. */
const COMPANIONS: readonly (readonly [string, (beginning: Buffer) => boolean, string])[] = [
  [
    '-journal',
    (beginning) => beginning.toString('hex') === 'd9d505f920a163d7',
    'a transaction had not ended when it was copied, as the journal beside it says; copy it again with cuebook backup',
  ],
  [
    '-wal',
    (beginning) => beginning.length > 0 && !/^377f068[23]/.test(beginning.toString('hex')),
    'the file -wal beside it is not a write-ahead log; remove it if the database is whole without it',
  ],
];

/** At most eight bytes. */
function beginningOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const beginning = Buffer.alloc(8);
    return beginning.subarray(0, readSync(descriptor, beginning, 0, beginning.length, 0));
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
    const fault = foreignPart(database, migrations) ?? damageOf(database) ?? faultOfLog(database);
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
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version !== 0) return `it has the user version ${version}, which Cuebook never sets`;
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
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${shownName(name)}`, sql]));
}

/** The first thing that SQLite finds wrong in its pages, indexes and references. */
function damageOf(database: Database.Database): string | undefined {
  const found = String(database.pragma('integrity_check(1)', { simple: true }));
  if (found !== 'ok') return `it is damaged: ${found.replaceAll(/\s+/g, ' ')}`;
  const [broken] = database.pragma('foreign_key_check') as { table: string }[];
  return broken === undefined ? undefined : `its table ${broken.table} refers to a row that is missing`;
}

// What is no whole database of Cuebook is neither restored nor backed up, and leaves nothing behind.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { temporaryFolder } from '../../test/index.ts';
import { unpack, VERSIONS } from '../../test/released/released.testing.ts';
import { backup, restore } from './backup.ts';

const folder = temporaryFolder();
const fail = (sentence: string): never => expect.fail(sentence);
const at = (name: string): string => path.join(folder.path, name);
/** A backup of this version, and the folder that nothing is restored into. */
const whole = at('whole.db');
const target = at('target');
let count = 0;

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const [oldest = ''] = VERSIONS;
  mkdirSync(at('released'));
  await restore(unpack(oldest, at('released')), { dataDir: at('current') });
  copyFileSync(at('current/cuebook.db'), whole);
});
beforeEach(() => {
  count += 1;
});
afterAll(() => folder.remove());

function copyOfWhole(): string {
  const file = at(`copy-${count}.db`);
  copyFileSync(whole, file);
  return file;
}

/** A copy of the backup after these statements. */
function changed(...statements: string[]): string {
  const file = copyOfWhole();
  const database = new Database(file);
  for (const sql of statements) database.exec(sql);
  database.pragma('journal_mode = DELETE');
  database.close();
  return file;
}

function written(bytes: Buffer | string): string {
  const file = at(`written-${count}`);
  writeFileSync(file, bytes);
  return file;
}

/** A database of another program. */
function foreign(...statements: string[]): string {
  const file = at(`foreign-${count}.db`);
  const database = new Database(file);
  for (const sql of ['CREATE TABLE notes (text TEXT)', `INSERT INTO notes VALUES ('one')`, ...statements]) {
    database.exec(sql);
  }
  database.close();
  return file;
}

test.each<[string, () => string, RegExp]>([
  ['an empty file', () => written(''), /the file is empty/],
  ['zeros', () => written(Buffer.alloc(8192)), /the file is not a database of SQLite/],
  ['a short text', () => written('SQLite format 3'), /the file is not a database of SQLite/],
  ['a folder', () => folder.path, /is a folder; name the file of a database/],
  ["another program's database", () => foreign(), /it has none of the tables of Cuebook/],
  [
    'a database that says that it is of another program',
    () => changed('PRAGMA application_id = 1196444487'),
    /it belongs to another program, with the application id 1196444487/,
  ],
  [
    "another program's database with our mark",
    () => foreign('PRAGMA application_id = 1131767138'),
    /it has none of the tables of Cuebook/,
  ],
  [
    "another program's database with a table of versions",
    () => foreign('CREATE TABLE schema_versions (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)'),
    /it has none of the tables of Cuebook/,
  ],
  [
    'a trigger that deletes events',
    () => changed('CREATE TRIGGER weed AFTER INSERT ON events BEGIN DELETE FROM events; END'),
    /it contains the trigger weed, which Cuebook does not create/,
  ],
  ['a view', () => changed('CREATE VIEW all_runs AS SELECT * FROM runs'), /it contains the view all_runs/],
  ['another table', () => changed('CREATE TABLE notes (text TEXT)'), /it contains the table notes/],
  ['another index', () => changed('CREATE INDEX notes ON events (at)'), /it contains the index notes/],
  ['a table with another column', () => changed('ALTER TABLE events ADD COLUMN note TEXT'), /its table events is not/],
  ['a table without an index', () => changed('DROP INDEX events_by_stream'), /it lacks the index events_by_stream/],
  ['a missing table', () => changed('DROP TABLE contents'), /it lacks the table contents/],
  [
    'a newer version',
    () => changed(`INSERT INTO schema_versions VALUES ('runs/9999', '2030-01-01')`),
    /a newer Cuebook wrote it \(it contains runs\/9999\); use that version/,
  ],
  [
    'an event that is missing in the middle',
    () => changed('DELETE FROM events WHERE global_position = 20'),
    /events are missing in the stream local\/wildlife-strikes\/run-01900000/,
  ],
  [
    'an event that is missing in a stream',
    () => changed('UPDATE events SET position = 1000 WHERE global_position = 20'),
    /events are missing in the stream/,
  ],
  [
    'the last event missing',
    () => changed('DELETE FROM events WHERE global_position = (SELECT max(global_position) FROM events)'),
    /events are missing in the playbook local\/wildlife-strikes/,
  ],
  [
    'numbers of the log with a gap',
    () => changed('UPDATE events SET global_position = global_position + 1000 WHERE global_position > 30'),
    /1000 events are missing in its log/,
  ],
  ['a version number that we never set', () => changed('PRAGMA user_version = 7'), /it has the user version 7/],
  [
    "two events of a stream in each other's place",
    () =>
      changed(
        'UPDATE events SET position = 1000 WHERE global_position = 28',
        'UPDATE events SET position = position - 1 WHERE global_position = 29',
        'UPDATE events SET position = (SELECT position + 1 FROM events WHERE global_position = 29) WHERE global_position = 28',
      ),
    /the events of the stream local\/wildlife-strikes\/run-01900000[-\d]+ are not in their order/,
  ],
  [
    "two events in each other's place of the reading order",
    () =>
      changed(
        'UPDATE events SET read_position = -1 WHERE global_position = 28',
        'UPDATE events SET read_position = read_position - 1 WHERE global_position = 29',
        'UPDATE events SET read_position = (SELECT read_position + 1 FROM events WHERE global_position = 29) WHERE global_position = 28',
      ),
    /the events of the playbook local\/wildlife-strikes are not in their order/,
  ],
  [
    'an event at another time',
    () => changed(`UPDATE events SET at = '2019-01-01T00:00:00.000Z' WHERE global_position = 15`),
    /an event of the stream local\/wildlife-strikes\/definition-[-\w]+ was changed/,
  ],
  [
    'an event of another run tree',
    () => changed(`UPDATE events SET tree = 'other' WHERE global_position = 28`),
    /an event of the stream local\/wildlife-strikes\/run-01900000[-\d]+ was changed/,
  ],
  [
    'a text that is missing',
    () => changed('DELETE FROM contents WHERE rowid = (SELECT max(rowid) FROM contents)'),
    /a text that an event of the stream local\/wildlife-strikes\/[-\w]+ refers to is missing/,
  ],
  [
    'a text that was edited',
    () => changed(`UPDATE contents SET text = text || ' ' WHERE rowid = (SELECT max(rowid) FROM contents)`),
    /a text of the playbook local\/wildlife-strikes was changed/,
  ],
  [
    'an event that is not JSON',
    () => changed(`UPDATE events SET data = '{"canary' WHERE global_position = 20`),
    /its event log cannot be read\.$/,
  ],
])('%s is refused', async (_name, file, words) => {
  await expect(restore(file(), { dataDir: target })).rejects.toThrow(words);
  expect(readdirSync(folder.path)).not.toContain('target');
});

test.skipIf(process.platform === 'win32')('a pipe and a device are refused immediately', async () => {
  const pipe = at('pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(restore(pipe, { dataDir: target })).rejects.toThrow(/pipe is not a regular file/);
  await expect(restore('/dev/zero', { dataDir: target })).rejects.toThrow('/dev/zero is not a regular file');
  mkdirSync(at('piped'));
  execFileSync('mkfifo', [at('piped/cuebook.db')]);
  await expect(backup(at('never'), { dataDir: at('piped') })).rejects.toThrow(/is not a regular file/);
});

test('the files next to a database are checked before SQLite opens it', async () => {
  const beside = async (suffix: string, content: string | Buffer): Promise<void> => {
    const file = copyOfWhole();
    count += 1;
    writeFileSync(`${file}${suffix}`, content);
    await restore(file, { dataDir: target });
  };
  await expect(beside('-journal', Buffer.from('d9d505f920a163d7', 'hex'))).rejects.toThrow(
    'a transaction had not ended when it was copied',
  );
  await expect(beside('-wal', Buffer.alloc(100, 7))).rejects.toThrow(
    'the file -wal beside it is not a write-ahead log',
  );
  const file = copyOfWhole();
  mkdirSync(`${file}-wal`);
  await expect(restore(file, { dataDir: target })).rejects.toThrow('-wal is a folder');
  expect(readdirSync(folder.path)).not.toContain('target');
});

test('an invalid path and a database larger than the disk are refused with a sentence', async () => {
  symlinkSync(at('loop'), at('loop'));
  await expect(restore(at('loop'), { dataDir: target })).rejects.toThrow('loop cannot be reached (ELOOP)');
  await expect(restore(at('n'.repeat(5000)), { dataDir: target })).rejects.toThrow('cannot be reached (ENAMETOOLONG)');
  await expect(backup('', { dataDir: at('current') })).rejects.toThrow('exists already; name a new file');
  const large = written('');
  truncateSync(large, 8 * 1024 ** 4);
  await expect(restore(large, { dataDir: target })).rejects.toThrow(/The copy needs 8796093022208 bytes/);
  truncateSync(large, 0);
  expect(readdirSync(folder.path)).not.toContain('target');
});

test('a restore that was killed does not prevent the next one', async () => {
  mkdirSync(path.join(at('killed'), '.cuebook-copy-abcdef'), { recursive: true });
  writeFileSync(path.join(at('killed'), '.cuebook-copy-abcdef', 'cuebook.db'), 'half of a copy');
  await restore(whole, { dataDir: at('killed') });
  expect(readdirSync(at('killed'))).toEqual(['cuebook.db']);
});

test('a truncated file and one with more bytes at its end are refused', async () => {
  const cut = copyOfWhole();
  const { size } = statSync(cut);
  truncateSync(cut, size - 4096);
  await expect(restore(cut, { dataDir: target })).rejects.toThrow(
    `has ${size - 4096} bytes, and its header says ${size}`,
  );
  truncateSync(cut, size);
  await expect(restore(cut, { dataDir: target })).rejects.toThrow('it is damaged');
  appendFileSync(cut, 'more');
  await expect(restore(cut, { dataDir: target })).rejects.toThrow(`its header says ${size}`);
  expect(readdirSync(folder.path)).not.toContain('target');
});

test('a backup of a damaged database is refused, and an existing folder is kept', async () => {
  mkdirSync(at('watched'));
  copyFileSync(changed('CREATE VIEW all_runs AS SELECT * FROM runs'), at('watched/cuebook.db'));
  await expect(backup(at('never'), { dataDir: at('watched') })).rejects.toThrow('it contains the view all_runs');
  mkdirSync(at('kept'));
  await expect(restore(written('no database'), { dataDir: at('kept') })).rejects.toThrow('is not a database of SQLite');
  expect([readdirSync(at('kept')), readdirSync(folder.path).includes('never')]).toEqual([[], false]);
});

test('databases have the application id of Cuebook, and older ones without it are restored', async () => {
  const idOf = (file: string): unknown => {
    const database = new Database(file, { readonly: true });
    try {
      return database.pragma('application_id', { simple: true });
    } finally {
      database.close();
    }
  };
  expect(idOf(at('released/cuebook.db'))).toBe(0);
  expect(idOf(whole)).toBe(0x43756562);
  await restore(changed('PRAGMA application_id = 0'), { dataDir: at('marked') });
  expect(idOf(at('marked/cuebook.db'))).toBe(0x43756562);
});

test('the backup of a database of an older version is complete', async () => {
  mkdirSync(at('upgraded'));
  const [oldest = ''] = VERSIONS;
  const file = unpack(oldest, at('upgraded'));
  await openLog({ dataDir: at('upgraded'), database: { kind: 'sqlite', file } }, systemClock, fail).close();
  await backup(at('upgraded.db'), { dataDir: at('upgraded') });
  await restore(at('upgraded.db'), { dataDir: at('again') });
  expect(readdirSync(at('again'))).toEqual(['cuebook.db']);
});

test('the database of another program is not opened as a store', () => {
  for (const file of [foreign(), changed('PRAGMA application_id = 7')]) {
    const open = (): unknown =>
      openLog({ dataDir: folder.path, database: { kind: 'sqlite', file } }, systemClock, fail);
    expect(open).toThrow('belongs to another program');
  }
});

test('a restore writes the database to the path that the settings in the directory name', async () => {
  mkdirSync(at('set'));
  writeFileSync(path.join(at('set'), 'env'), 'DATABASE_URL=sqlite:kept.db\n', { mode: 0o600 });
  writeFileSync(path.join(at('set'), 'cuebook.yaml'), 'tool_servers: { docs: { type: mcp, url: "${NOT_SET}" } }\n');
  await restore(whole, { dataDir: at('set') });
  expect(readdirSync(at('set')).toSorted()).toEqual(['cuebook.yaml', 'env', 'kept.db']);
});

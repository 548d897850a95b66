import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing.ts';
import { openConnection } from './connection.ts';

let temporary: ReturnType<typeof createTemporaryFolder>;
let file: string;

beforeEach(() => {
  temporary = createTemporaryFolder();
  file = path.join(temporary.folder, 'cuebook.db');
});

afterEach(() => temporary.remove());

function settingsOf({ database }: ReturnType<typeof openConnection>): Record<string, unknown> {
  const read = (name: string): unknown => database.pragma(name, { simple: true });
  return {
    journal_mode: read('journal_mode'),
    synchronous: read('synchronous'),
    fullfsync: read('fullfsync'),
    foreign_keys: read('foreign_keys'),
  };
}

test('every connection keeps a commit through a power cut: the first, a second, and one to a reopened database', () => {
  const durable = { journal_mode: 'wal', synchronous: 2, fullfsync: 1, foreign_keys: 1 };
  const first = openConnection(file);
  const second = openConnection(file);
  expect(settingsOf(first)).toEqual(durable);
  expect(settingsOf(second)).toEqual(durable);
  first.database.exec('CREATE TABLE notes (text TEXT)');
  first.database.close();
  second.database.close();
  const reopened = openConnection(file);
  expect(settingsOf(reopened)).toEqual(durable);
  reopened.database.close();
});

test('a statement outside of a transaction is refused, so that nothing is committed alone', () => {
  const { database, statements } = openConnection(file);
  database.exec('CREATE TABLE notes (text TEXT)');
  expect(() => statements.run(`INSERT INTO notes (text) VALUES ('stray')`)).toThrow('outside');
  expect(() => statements.all('SELECT * FROM notes')).toThrow('outside');
  expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
  database.close();
});

test('a statement behind the end of its transaction is refused, whatever ended it', () => {
  const { database, control, statements } = openConnection(file);
  database.exec('CREATE TABLE notes (text TEXT UNIQUE ON CONFLICT ROLLBACK)');
  const stray = (): number => statements.run(`INSERT INTO notes (text) VALUES ('stray')`);
  control.beginImmediate();
  control.commit();
  expect(stray).toThrow('outside');
  control.beginImmediate();
  statements.run('ROLLBACK');
  expect(stray).toThrow('outside');
  control.beginImmediate();
  statements.run(`INSERT INTO notes (text) VALUES ('twice')`);
  expect(() => statements.run(`INSERT INTO notes (text) VALUES ('twice')`)).toThrow('UNIQUE');
  expect(stray).toThrow('outside');
  expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
  database.close();
});

test('values are bound by their number, in whatever order and however often', () => {
  const { database, control, statements } = openConnection(file);
  database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, first TEXT, second TEXT, third TEXT)');
  control.beginImmediate();
  const columns = 'INSERT INTO notes (first, second, third) VALUES';
  statements.run(`${columns} ($1, $2, $3)`, ['a', 'b', null]);
  statements.run(`${columns} ($3, $1, $3)`, ['a', 'b', 'c']);
  expect(statements.all('SELECT first, second, third FROM notes WHERE id >= $1', [1])).toEqual([
    { first: 'a', second: 'b', third: null },
    { first: 'c', second: 'a', third: 'c' },
  ]);
  control.commit();
  database.close();
});

test('what a commit still has to write counts rows and texts, is 0 for reading, and is at most the page cache', () => {
  const connection = openConnection(file);
  const { database, control, statements } = connection;
  database.exec('CREATE TABLE notes (text TEXT)');
  control.begin();
  statements.all('SELECT * FROM notes WHERE text = $1', ['x'.repeat(1_000)]);
  expect(connection.takeUnwrittenBytes()).toBe(0);
  statements.run('INSERT INTO notes (text) VALUES ($1)', ['x'.repeat(1_000)]);
  expect(connection.takeUnwrittenBytes()).toBe(16 * 1024 + 1_000);
  statements.get('INSERT INTO notes (text) VALUES ($1) RETURNING text', ['x']);
  expect(connection.takeUnwrittenBytes()).toBe(16 * 1024 + 1);
  statements.run(`UPDATE notes SET text = 'y'`);
  expect(connection.takeUnwrittenBytes()).toBe(2 * 16 * 1024);
  statements.run('INSERT INTO notes (text) VALUES ($1)', ['x'.repeat(5_000_000)]);
  expect(connection.takeUnwrittenBytes()).toBe(2048 * 1024);
  control.rollback();
  database.close();
});

test.each(['MEMORY', 'FILE'] as const)(
  'a savepoint that changed many pages is undone alone with its undo in %s',
  (place) => {
    const connection = openConnection(file);
    const { database, control } = connection;
    database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    const write = database.prepare('INSERT INTO notes (text) VALUES (?)');
    for (let row = 0; row < 500; row += 1) write.run('before'.padEnd(1000));
    connection.keepUndo(place);
    control.beginImmediate();
    write.run('kept');
    control.savepoint();
    database.exec(`UPDATE notes SET text = 'undone'`);
    control.rollbackToSavepoint();
    control.release();
    control.commit();
    expect(database.pragma('temp_store', { simple: true })).toBe(place === 'MEMORY' ? 2 : 1);
    expect(
      database.prepare('SELECT trim(text) AS text, count(*) AS rows FROM notes GROUP BY text ORDER BY 1').all(),
    ).toEqual([
      { text: 'before', rows: 500 },
      { text: 'kept', rows: 1 },
    ]);
    database.close();
  },
);

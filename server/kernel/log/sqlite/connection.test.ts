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

test('a statement outside of a transaction is refused, so that nothing is committed alone', async () => {
  const { database, transaction } = openConnection(file);
  database.exec('CREATE TABLE notes (text TEXT)');
  await expect(transaction.run(`INSERT INTO notes (text) VALUES ('stray')`)).rejects.toThrow('outside');
  await expect(transaction.all('SELECT * FROM notes')).rejects.toThrow('outside');
  expect(database.prepare('SELECT * FROM notes').all()).toEqual([]);
  database.close();
});

test('what a commit still has to write counts rows and texts, is 0 for reading, and is at most the page cache', async () => {
  const connection = openConnection(file);
  const { database, transaction } = connection;
  database.exec('CREATE TABLE notes (text TEXT); BEGIN');
  await transaction.all('SELECT * FROM notes WHERE text = $1', ['x'.repeat(1_000)]);
  expect(connection.takeUnwrittenBytes()).toBe(0);
  await transaction.run('INSERT INTO notes (text) VALUES ($1)', ['x'.repeat(1_000)]);
  expect(connection.takeUnwrittenBytes()).toBe(16 * 1024 + 1_000);
  await transaction.get('INSERT INTO notes (text) VALUES ($1) RETURNING text', ['x']);
  expect(connection.takeUnwrittenBytes()).toBe(16 * 1024 + 1);
  await transaction.run(`UPDATE notes SET text = 'y'`);
  expect(connection.takeUnwrittenBytes()).toBe(2 * 16 * 1024);
  await transaction.run('INSERT INTO notes (text) VALUES ($1)', ['x'.repeat(5_000_000)]);
  expect(connection.takeUnwrittenBytes()).toBe(2048 * 1024);
  database.exec('ROLLBACK');
  database.close();
});

// The thread that writes; that a store over it keeps what every store promises is shown by log.test.ts.
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing.ts';
import { startWriterThread } from './start-writer-thread.ts';

let temporary: ReturnType<typeof createTemporaryFolder>;

beforeEach(() => {
  temporary = createTemporaryFolder();
});
afterEach(() => temporary.remove());

const unexpected = (reason: string): never => expect.unreachable(reason);

test('a batch ends at the statement that fails, and its transaction stays open until it is rolled back', async () => {
  const writer = startWriterThread(path.join(temporary.folder, 'notes.db'), unexpected);
  const texts = [
    [0, 'CREATE TABLE notes (key TEXT UNIQUE, bytes BLOB)'],
    [1, 'INSERT INTO notes (key, bytes) VALUES ($1, $2)'],
    [2, 'SELECT key, bytes FROM notes'],
    [3, 'DELETE FROM notes WHERE key = $1'],
  ] as const;
  expect(await writer.send({ texts, begins: { undo: 'MEMORY' }, statements: [['run', 0, []]] })).toMatchObject({
    results: [0],
  });
  const twice = await writer.send({
    texts: [],
    statements: [
      ['run', 1, ['a', Buffer.from('bytes')]],
      ['run', 1, ['a', null]],
      ['run', 1, ['b', null]],
    ],
  });
  expect(twice).toMatchObject({ results: [1], failure: { isUniqueViolation: true, isOpen: true } });
  const missing = await writer.send({ texts: [], statements: [['change', 3, ['b']]] });
  expect(missing).toMatchObject({ results: [], failure: { code: 'CHANGED_NONE', isOpen: true } });
  expect(await writer.send({ texts: [], statements: [['all', 2, []]] })).toEqual({
    results: [[{ key: 'a', bytes: Buffer.from('bytes') }]],
  });
  await writer.send({ texts: [], statements: [], end: 'rollback' });
  const after = await writer.send({ texts: [], begins: { undo: 'MEMORY' }, statements: [['all', 2, []]] });
  expect(after.failure?.message).toContain('no such table');
  await writer.close();
  await writer.close();
});

test('a thread that ends by itself says why', async () => {
  const ended = Promise.withResolvers<string>();
  const writer = startWriterThread(path.join(temporary.folder, 'missing', 'notes.db'), ended.resolve);
  expect(await ended.promise).toContain('directory does not exist');
  await writer.close();
});

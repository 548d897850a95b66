// The thread that writes; that a store over it keeps what every store promises is shown by log.test.ts.
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTemporaryFolder } from '../testing.ts';
import { startWriterThread } from './start-writer-thread.ts';
import type { SendBatch } from './transaction.ts';

let temporary: ReturnType<typeof createTemporaryFolder>;

beforeEach(() => {
  temporary = createTemporaryFolder();
});
afterEach(() => temporary.remove());

const unexpected = (): never => expect.unreachable();

test('a batch ends at the statement that fails, and its transaction stays open until it is rolled back', async () => {
  const ready = Promise.withResolvers<SendBatch>();
  const file = path.join(temporary.folder, 'notes.db');
  const thread = startWriterThread(file, { onReady: ready.resolve, onEnd: unexpected });
  const send = await ready.promise;
  const texts = [
    [0, 'CREATE TABLE notes (key TEXT UNIQUE, bytes BLOB)'],
    [1, 'INSERT INTO notes (key, bytes) VALUES ($1, $2)'],
    [2, 'SELECT key, bytes FROM notes'],
    [3, 'DELETE FROM notes WHERE key = $1'],
  ] as const;
  expect(await send({ texts, begins: { undo: 'MEMORY' }, statements: [['run', 0, []]] })).toMatchObject({
    results: [0],
  });
  const twice = await send({
    texts: [],
    statements: [
      ['run', 1, ['a', Buffer.from('bytes')]],
      ['run', 1, ['a', null]],
      ['run', 1, ['b', null]],
    ],
  });
  expect(twice).toMatchObject({ results: [1], failure: { isUniqueViolation: true, isOpen: true } });
  const missing = await send({ texts: [], statements: [['change', 3, ['b']]] });
  expect(missing).toMatchObject({ results: [], failure: { code: 'CHANGED_NONE', isOpen: true } });
  expect(await send({ texts: [], statements: [['all', 2, []]] })).toEqual({
    results: [[{ key: 'a', bytes: Buffer.from('bytes') }]],
  });
  await send({ texts: [], statements: [], end: 'rollback' });
  const after = await send({ texts: [], begins: { undo: 'MEMORY' }, statements: [['all', 2, []]] });
  expect(after.failure?.message).toContain('no such table');
  await thread.close();
  await thread.close();
});

test('a thread that ends by itself says why', async () => {
  const ended = Promise.withResolvers<string>();
  const file = path.join(temporary.folder, 'missing', 'notes.db');
  const thread = startWriterThread(file, { onReady: unexpected, onEnd: ended.resolve });
  expect(await ended.promise).toContain('directory does not exist');
  await thread.close();
});

// What is SQLite's own about the store; the contract that every adapter keeps is in log.test.ts.
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeClock } from '../../../lib/clock.ts';
import { notFound } from '../../../lib/rejection.ts';
import type { CommitMemory, Store } from '../store.ts';
import { openTemporaryStore, type TemporaryStore } from '../testing.ts';
import { noteMigrations, startStoreChild } from './start-store-child.ts';
import { openSqliteStore } from './store.ts';

let temporary: TemporaryStore;
let store: Store;

beforeEach(() => {
  temporary = openTemporaryStore(noteMigrations);
  store = temporary.store;
});

afterEach(() => temporary.remove());

const addNote = (key: string): Promise<void> =>
  store.write('no playbook', (tx) => tx.run(`INSERT INTO notes (key, text) VALUES ($1, '')`, [key]));

function openAgain(migrations = noteMigrations, file = temporary.file): Store {
  return openSqliteStore({ file, migrations, clock: createFakeClock(), onUnknownCommit: failTest });
}

function failTest(sentence: string): never {
  return expect.unreachable(sentence);
}

/** Commits in the write-ahead log: the frames that carry the database's size (SQLite file format, section 4.1). */
function countCommits(): number {
  const wal = readFileSync(`${temporary.file}-wal`);
  const frameBytes = 24 + wal.readUInt32BE(8);
  const salt = wal.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frameBytes <= wal.length; at += frameBytes) {
    if (!wal.subarray(at + 8, at + 16).equals(salt)) break;
    if (wal.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

describe('group commit', () => {
  test('works that wait together share one commit, one that is refused among them', async () => {
    const before = countCommits();
    const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
    const outcomes = await Promise.allSettled([...keys, 'key 7'].map(addNote));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    expect(countCommits() - before).toBe(1);
  });

  test('works one after the other have a commit each', async () => {
    const before = countCommits();
    for (const key of ['a', 'b', 'c']) await addNote(key);
    expect(countCommits() - before).toBe(3);
  });

  test('a thousand works have a commit for each 256', async () => {
    const before = countCommits();
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => addNote(`key ${index}`)));
    expect(countCommits() - before).toBe(4);
  });

  test('what works share follows each of them, and is written with those that are kept', async () => {
    const shared: string[] = [];
    const makeNames = (memory: CommitMemory): string[] => {
      memory.beforeCommit(async (tx) => {
        for (const name of shared) await tx.run(`INSERT INTO notes (key, text) VALUES ($1, '')`, [name]);
      });
      return shared;
    };
    const share = (name: string, refusal?: Error): Promise<void> =>
      store.write('no playbook', async (tx) => {
        const names = tx.memory.shared(makeNames);
        expect(names).toBe(tx.memory.shared(makeNames));
        for (const each of [`${name} 1`, `${name} 2`]) {
          names.push(each);
          tx.memory.onUndone(() => expect(names.pop()).toBe(each));
        }
        if (refusal !== undefined) throw refusal;
      });
    await Promise.allSettled([share('first', notFound('No.')), share('second'), share('third', notFound('No.'))]);
    const written = await store.read((tx) => tx.all('SELECT key FROM notes ORDER BY key'));
    expect(written).toEqual([{ key: 'second 1' }, { key: 'second 2' }]);
  });

  test('a work is answered when another connection can read what it did', async () => {
    const reader = new Database(temporary.file, { readonly: true });
    const seen: unknown[] = [];
    for (const key of ['a', 'b']) {
      await addNote(key);
      seen.push(reader.prepare('SELECT COUNT(*) FROM notes').pluck().get());
    }
    reader.close();
    expect(seen).toEqual([1, 2]);
  });

  test('a work that swallows the loss of the transaction commits nothing, nor do the works beside it', async () => {
    const swallowing = store.write('no playbook', async (tx) => {
      await tx.run(`INSERT INTO notes (key, text) VALUES ('before', '')`);
      // As SQLite does by itself on a full disk or when memory runs out.
      await tx.run('ROLLBACK');
      await tx.run(`INSERT INTO notes (key, text) VALUES ('after', '')`).catch(() => {
        throw notFound('Another refusal, for its own caller.');
      });
    });
    const outcomes = await Promise.allSettled([addNote('beside'), swallowing]);
    const unavailable = { status: 'rejected', reason: { rejection: { reason: 'unavailable' } } };
    expect(outcomes).toMatchObject([unavailable, unavailable]);
    await addNote('later');
    expect(await store.read((tx) => tx.all('SELECT key FROM notes'))).toEqual([{ key: 'later' }]);
  });

  test('a listener that throws does not keep others from being called and answered, and is not swallowed', async () => {
    const faults: (() => void)[] = [];
    const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((fault) => faults.push(fault));
    const fault = new Error('a fault in the program');
    let told = false;
    const failing = store.write('no playbook', async (tx) => {
      tx.afterCommit(() => {
        throw fault;
      });
      tx.afterCommit(() => {
        told = true;
      });
    });
    await Promise.all([failing, addNote('a')]);
    later.mockRestore();
    expect(told).toBe(true);
    expect(() => faults[0]?.()).toThrow(fault);
    await addNote('b');
  });
});

describe('reading', () => {
  test('many concurrent reads each see one moment, while the store continues', async () => {
    await addNote('a');
    const counts = await Promise.all(
      Array.from({ length: 50 }, () => store.read((tx) => tx.get('SELECT COUNT(*) AS count FROM notes'))),
    );
    expect(counts).toEqual(Array.from({ length: 50 }, () => ({ count: 1 })));
  });

  test('a reader cannot be used after the store was closed', async () => {
    await store.close();
    await expect(store.read((tx) => tx.all('SELECT 1'))).rejects.toThrow('The store is closed.');
  });
});

describe('migrations', () => {
  test('are applied once, and later ones are added to what is there', async () => {
    await addNote('a');
    await store.close();
    const grown = [...noteMigrations, { id: 'notes/2', sql: `ALTER TABLE notes ADD COLUMN extra TEXT DEFAULT 'new'` }];
    for (let round = 0; round < 2; round += 1) {
      const opened = openAgain(grown);
      expect(await opened.read((tx) => tx.all('SELECT key, extra FROM notes'))).toEqual([{ key: 'a', extra: 'new' }]);
      expect(await opened.read((tx) => tx.all('SELECT id FROM schema_versions ORDER BY id'))).toEqual([
        { id: 'notes/1' },
        { id: 'notes/2' },
      ]);
      await opened.close();
    }
  });

  test('of a newer version refuse the database with a sentence, and let it go', async () => {
    await store.close();
    await openAgain([...noteMigrations, { id: 'notes/9', sql: 'CREATE TABLE later (a TEXT)' }]).close();
    expect(() => openAgain()).toThrow(/was written by a newer Cuebook \(it contains notes\/9\)\. Start that version/);
    expect(() => openAgain()).toThrow('newer Cuebook');
  });

  test('that fail leave the database as it was', async () => {
    await addNote('a');
    await store.close();
    const broken = [
      ...noteMigrations,
      { id: 'notes/2', sql: 'CREATE TABLE half (a TEXT)' },
      { id: 'notes/3', sql: 'NOT SQL' },
    ];
    expect(() => openAgain(broken)).toThrow('cannot be opened');
    const opened = openAgain();
    expect(await opened.read((tx) => tx.all(`SELECT name FROM sqlite_schema WHERE name = 'half'`))).toEqual([]);
    await opened.close();
  });
});

describe('a database belongs to one process', () => {
  const inUse = /The data directory .* is in use by another Cuebook process\. Stop that process/;

  test('so that a second opening is refused while the first lives, and let through after it', async () => {
    expect(() => openAgain()).toThrow(inUse);
    expect(() => openAgain()).toThrow(inUse);
    await addNote('still works');
    await store.close();
    await openAgain().close();
  });

  test.each(['link.db', 'folder-link/cuebook.db'])('also where it comes by another path: %s', async (way) => {
    const folder = path.dirname(temporary.file);
    symlinkSync(folder, path.join(folder, 'folder-link'));
    symlinkSync(temporary.file, path.join(folder, 'link.db'));
    expect(() => openAgain(noteMigrations, path.join(folder, way))).toThrow(inUse);
    await addNote('still works');
    await store.close();
    await openAgain(noteMigrations, path.join(folder, way)).close();
  });

  test('also where a link led to it before it was made', async () => {
    const folder = path.dirname(temporary.file);
    symlinkSync(path.join(folder, 'later.db'), path.join(folder, 'first-link.db'));
    const first = openAgain(noteMigrations, path.join(folder, 'first-link.db'));
    expect(() => openAgain(noteMigrations, path.join(folder, 'later.db'))).toThrow(inUse);
    await first.close();
  });

  test('and to the user who made it: no other user can read its files', async () => {
    await addNote('secret');
    const folder = path.dirname(temporary.file);
    const modes = readdirSync(folder).map((name) => [
      name,
      (statSync(path.join(folder, name)).mode & 0o777).toString(8),
    ]);
    expect(modes).toContainEqual(['cuebook.db-wal', '600']);
    expect(modes.filter(([, mode]) => mode !== '600')).toEqual([]);
  });

  test('so that another process is refused, and takes it once the holder was killed', async () => {
    await store.close();
    const folder = path.dirname(temporary.file);
    const holder = startStoreChild({ folder, notes: 0, prefix: '' });
    expect(await holder.opened).toBe(true);
    expect(() => openAgain()).toThrow(inUse);
    const second = await startStoreChild({ folder, notes: 0, prefix: '' }).ended;
    expect(second.code).toBe(3);
    expect(second.stderr).toMatch(inUse);
    holder.process.kill('SIGKILL');
    await holder.ended;
    await openAgain().close();
  });

  test('and what cannot be opened at all is refused with a sentence', async () => {
    const file = path.join(path.dirname(temporary.file), 'missing', 'cuebook.db');
    expect(() => openAgain([], file)).toThrow(`The database ${file} cannot be opened: `);
  });
});

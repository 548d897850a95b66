// What happens to the files of a store behind its back is noticed: by the next start, or by the process that has it open.
import { copyFileSync, existsSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../lib/clock.ts';
import { type Store, UnusableStoreError } from '../store.ts';
import { createTemporaryFolder } from '../testing.ts';
import { noteMigrations, startStoreChild } from './start-store-child.ts';
import { openSqliteStore } from './store.ts';

let temporary: ReturnType<typeof createTemporaryFolder>;
let stores: Store[];
beforeEach(() => {
  temporary = createTemporaryFolder();
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  temporary.remove();
});

const at = (name: string): string => path.join(temporary.folder, name);

const fail = (sentence: string): never => expect.fail(sentence);

function openIn(folder: string, onUnknownCommit: (sentence: string) => void = fail): Store {
  const file = path.join(folder, 'cuebook.db');
  return openSqliteStore({
    file,
    threadAfter: 0,
    migrations: noteMigrations,
    clock: createFakeClock(),
    onUnknownCommit,
  });
}

function open(onUnknownCommit?: (sentence: string) => void): Store {
  const store = openIn(temporary.folder, onUnknownCommit);
  stores.push(store);
  return store;
}

async function reopen(): Promise<Store> {
  for (const store of stores.splice(0)) await store.close();
  return open();
}

const add = (store: Store, key: string): Promise<void> =>
  store.write('no playbook', (tx) => tx.run(`INSERT INTO notes (key, text) VALUES ($1, '')`, [key]));
const keysOf = (store: Store): Promise<string[]> =>
  store.read(async (tx) => (await tx.all<{ key: string }>('SELECT key FROM notes ORDER BY key')).map(({ key }) => key));

/** What changes in the folder from now on is seen to have changed, however fast the test is. */
function ageFolder(): void {
  utimesSync(temporary.folder, 1, 1);
}

/** A process wrote notes and was killed: what it wrote last stands in the write-ahead log. */
async function givenKilled(): Promise<void> {
  const child = startStoreChild({ folder: temporary.folder, notes: 100_000, prefix: 'note ' });
  child.process.stdout?.on('data', () => {
    if (child.said.stdout.split('\n').length > 22) child.process.kill('SIGKILL');
  });
  const { acknowledged } = await child.ended;
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(existsSync(at('cuebook.db-wal'))).toBe(true);
}

/** The sentence with which the store refuses to open, after it named the file whose removal accepts what is there. */
function refusal(named = 'cuebook.db.acknowledged'): string {
  const words = `remove ${at(named)} and start again`;
  try {
    open();
  } catch (error) {
    if (error instanceof UnusableStoreError && error.message.includes(words)) return error.message;
    throw error;
  }
  return expect.fail('It opened.');
}

describe('given files that changed while no process had them open', () => {
  test('then a write-ahead log that was removed after a kill is missed, and put back it is read', async () => {
    await givenKilled();
    renameSync(at('cuebook.db-wal'), at('kept'));
    expect(refusal()).toMatch(
      /has lost acknowledged commits: it contains \d+ of \d+ commits|is not the database that was last used here/,
    );
    rmSync(at('cuebook.db-shm'), { force: true });
    renameSync(at('kept'), at('cuebook.db-wal'));
    expect((await keysOf(open())).length).toBeGreaterThan(20);
  });

  test('then an older copy is refused, and accepted once the note is removed', async () => {
    await add(open(), 'old');
    await reopen();
    for (const store of stores.splice(0)) await store.close();
    copyFileSync(at('cuebook.db'), at('backup'));
    await add(open(), 'new');
    for (const store of stores.splice(0)) await store.close();
    copyFileSync(at('backup'), at('cuebook.db'));
    expect(refusal()).toContain('it contains 1 of 2 commits');
    rmSync(at('cuebook.db.acknowledged'));
    expect(await keysOf(open())).toEqual(['old']);
  });

  test('then another database is refused', async () => {
    await add(open(), 'one');
    for (const store of stores.splice(0)) await store.close();
    const other = createTemporaryFolder();
    await openIn(other.folder).close();
    copyFileSync(path.join(other.folder, 'cuebook.db'), at('cuebook.db'));
    other.remove();
    expect(refusal()).toContain('is not the database that was last used here');
  });

  test.each(['cut to 0 bytes', 'removed'])('then a database that was %s is refused and stays so', async (how) => {
    await givenKilled();
    if (how === 'removed') rmSync(at('cuebook.db'));
    else truncateSync(at('cuebook.db'));
    expect(refusal()).toMatch(/is missing or empty, and \d+ commits were acknowledged in it/);
    // Nothing is made of it, and its write-ahead log is still there to be looked at.
    expect([existsSync(at('cuebook.db')), existsSync(at('cuebook.db-wal'))]).toEqual([how !== 'removed', true]);
    rmSync(at('cuebook.db.acknowledged'));
    expect(refusal('cuebook.db-wal')).toContain('is missing or empty, and its write-ahead log is not');
    rmSync(at('cuebook.db-wal'));
    expect(await keysOf(open())).toEqual([]);
  });

  test('then a copy of the whole folder opens elsewhere', async () => {
    await add(open(), 'one');
    for (const store of stores.splice(0)) await store.close();
    const copy = createTemporaryFolder();
    for (const name of ['cuebook.db', 'cuebook.db.acknowledged']) copyFileSync(at(name), path.join(copy.folder, name));
    const store = openIn(copy.folder);
    expect(await keysOf(store)).toEqual(['one']);
    await store.close();
    copy.remove();
  });

  test.each(['', 'torn', '0'.repeat(58)])('then a note that a power cut left as %j is no note', async (text) => {
    await add(open(), 'one');
    for (const store of stores.splice(0)) await store.close();
    writeFileSync(at('cuebook.db.acknowledged'), text);
    expect(await keysOf(open())).toEqual(['one']);
  });

  test('then a note that is behind is no fault', async () => {
    await add(open(), 'one');
    copyFileSync(at('cuebook.db.acknowledged'), at('behind'));
    await add(stores[0] ?? open(), 'two');
    for (const store of stores.splice(0)) await store.close();
    copyFileSync(at('behind'), at('cuebook.db.acknowledged'));
    expect(await keysOf(open())).toEqual(['one', 'two']);
  });
});

// Windows removes no file that is open.
describe.skipIf(process.platform === 'win32')('given a file that is removed or replaced under an open store', () => {
  test.each(['cuebook.db', 'cuebook.db-wal', 'cuebook.db-shm', 'cuebook.db.lock'])(
    'then the next commit is not acknowledged where it is %s',
    async (name) => {
      const gaveUp = Promise.withResolvers<string>();
      const store = open(gaveUp.resolve);
      ageFolder();
      await add(store, 'before');
      rmSync(at(name));
      if (name === 'cuebook.db') writeFileSync(at(name), 'another file');
      const answered = add(store, 'after').then(() => 'acknowledged');
      expect(await Promise.race([answered, gaveUp.promise])).toContain(
        `The file ${at(name)} was removed or replaced while Cuebook was using it`,
      );
      await expect(add(store, 'later')).rejects.toThrow('The store is closed.');
    },
  );

  test('then a store without commits gives up as well', async () => {
    const gaveUp = Promise.withResolvers<string>();
    open(gaveUp.resolve);
    rmSync(at('cuebook.db.lock'));
    expect(await gaveUp.promise).toContain('cuebook.db.lock was removed or replaced');
  });

  test('then the one that lost its lock writes nothing more beside a second one', async () => {
    const gaveUp = Promise.withResolvers<string>();
    const first = open(gaveUp.resolve);
    ageFolder();
    await add(first, 'first');
    rmSync(at('cuebook.db.lock'));
    const second = open();
    void add(first, 'unanswered');
    expect(await gaveUp.promise).toContain('cuebook.db.lock');
    await add(second, 'second');
    expect(await keysOf(second)).toEqual(['first', 'second']);
  });
});

test('a commit that changes nothing is not counted, and one of many works once', async () => {
  const store = open();
  await store.write('no playbook', (tx) => tx.all('SELECT * FROM notes'));
  await Promise.all(['a', 'b', 'c'].map((key) => add(store, key)));
  await store.close();
  stores = [];
  const database = new Database(at('cuebook.db'), { readonly: true });
  expect(database.prepare('SELECT commits FROM commits_held').pluck().all()).toEqual([1]);
  database.close();
});

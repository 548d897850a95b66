// What the store promises when the machine fails: what was acknowledged is there, and what is unknown is not answered.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../lib/clock.ts';
import { Refused } from '../../../lib/rejection.ts';
import type { Store } from '../store.ts';
import { createTemporaryFolder } from '../testing.ts';
import { noteMigrations, startStoreChild } from './start-store-child.ts';
import { openSqliteStore } from './store.ts';

let temporary: ReturnType<typeof createTemporaryFolder>;

beforeEach(() => {
  temporary = createTemporaryFolder();
});

afterEach(() => temporary.remove());

function openStore(folder: string, onUnknownCommit: (sentence: string) => void = failTest): Store {
  const file = path.join(folder, 'cuebook.db');
  return openSqliteStore({
    file,
    threadAfter: 0,
    migrations: noteMigrations,
    clock: createFakeClock(),
    onUnknownCommit,
  });
}

function failTest(sentence: string): never {
  return expect.unreachable(sentence);
}

const readKeys = (store: Store): Promise<string[]> =>
  store.read(async (tx) => (await tx.all<{ key: string }>('SELECT key FROM notes')).map(({ key }) => key));

function checkIntegrity(folder: string): unknown {
  const database = new Database(path.join(folder, 'cuebook.db'));
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}

/** Mounts a small file system, where this user may. */
function mountSmallDisk(folder: string): (() => void) | undefined {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'cuebook-test', folder]);
  if (mounted.status !== 0) return undefined;
  return () => {
    execFileSync('umount', [folder]);
  };
}

/** Leaves so many bytes of the folder's disk free. */
function fillDisk(folder: string, freeBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(path.join(folder, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
}

function freeDisk(folder: string): void {
  rmSync(path.join(folder, 'ballast'));
}

describe('a full disk', () => {
  let unmount: (() => void) | undefined;
  let store: Store | undefined;
  let acknowledged: string[];
  let refusals: unknown[];
  let unknownCommit: PromiseWithResolvers<never>;

  beforeEach(() => {
    unmount = mountSmallDisk(temporary.folder);
    acknowledged = [];
    refusals = [];
    unknownCommit = Promise.withResolvers();
    store = undefined;
  });

  afterEach(async () => {
    await store?.close();
    unmount?.();
  });

  /** Writes a note, several statements a work, and notes what came of it. */
  async function addNote(open: Store, key: string, bytes: number): Promise<void> {
    try {
      const written = open.write('no playbook', async (tx) => {
        await tx.run('INSERT INTO notes (key, text) VALUES ($1, $2)', [`${key} shadow`, 'x'.repeat(bytes)]);
        await tx.run('DELETE FROM notes WHERE key = $1', [`${key} shadow`]);
        await tx.run('INSERT INTO notes (key, text) VALUES ($1, $2)', [key, 'x'.repeat(bytes)]);
      });
      await Promise.race([written, unknownCommit.promise]);
      acknowledged.push(key);
    } catch (error) {
      refusals.push(error);
    }
  }

  test.for([0, 60_000, 200_000, 300_000, 600_000, 1_500_000, 3_000_000])(
    'with %i bytes left refuses writes, reads on, and takes writes again once there is room',
    async (freeBytes, { skip }) => {
      skip(unmount === undefined, 'A small disk can be mounted by root alone.');
      const open = openStore(temporary.folder, (sentence) => unknownCommit.reject(new Error(sentence)));
      store = open;
      for (let note = 0; note < 20; note += 1) await addNote(open, `before ${note}`, 2_000);
      expect(refusals).toEqual([]);
      fillDisk(temporary.folder, freeBytes);
      for (const bytes of [100, 4_000, 100_000, 6_000_000]) {
        await Promise.all(Array.from({ length: 10 }, (_, note) => addNote(open, `full ${bytes} ${note}`, bytes)));
        for (let note = 0; note < 200; note += 1) await addNote(open, `alone ${bytes} ${note}`, bytes / 10);
        expect((await readKeys(open)).toSorted()).toEqual(acknowledged.toSorted());
      }
      expect(refusals.length).toBeGreaterThan(0);
      const reasons = refusals.map((error) => (error instanceof Refused ? error.rejection.reason : error));
      expect(new Set(reasons)).toEqual(new Set(['unavailable']));
      freeDisk(temporary.folder);
      const before = acknowledged.length;
      for (let note = 0; note < 20; note += 1) await addNote(open, `after ${note}`, 2_000);
      expect(acknowledged).toHaveLength(before + 20);
      await open.close();
      store = openStore(temporary.folder);
      expect((await readKeys(store)).toSorted()).toEqual(acknowledged.toSorted());
      await store.close();
      expect(checkIntegrity(temporary.folder)).toBe('ok');
    },
  );
});

/** Runs a program whose calls of fsync fail from this one on. */
function failingFrom(call: number): string[] {
  return ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `inject=fsync,fdatasync:error=EIO:when=${call}+`];
}

describe('a disk whose fsync fails', () => {
  const hasStrace = spawnSync('strace', ['-V']).status === 0;

  test.for([1, 2, 3, 10, 40])(
    'from call %i on ends the process with 3 and a sentence, and what was acknowledged is there',
    async (call, { skip }) => {
      skip(!hasStrace, 'strace is not installed.');
      await openStore(temporary.folder).close();
      const child = startStoreChild({ folder: temporary.folder, notes: 1_000, prefix: 'note ' }, failingFrom(call));
      const { code, acknowledged, stderr } = await child.ended;
      expect(code).toBe(3);
      expect(stderr).toMatch(
        /^The store could not finish a commit \(.*\), so it is unknown whether .* Start again to find out;/,
      );
      expect(stderr.trim().split('\n')).toHaveLength(1);
      const store = openStore(temporary.folder);
      expect(await readKeys(store)).toEqual(expect.arrayContaining(acknowledged));
      expect((await readKeys(store)).length - acknowledged.length).toBeLessThanOrEqual(1);
      await store.close();
      expect(checkIntegrity(temporary.folder)).toBe('ok');
    },
  );

  test('while the database is made refuses to start with 3 and a sentence, and the next start makes it', async ({
    skip,
  }) => {
    skip(!hasStrace, 'strace is not installed.');
    const { code, stderr } = await startStoreChild(
      { folder: temporary.folder, notes: 1, prefix: 'note ' },
      failingFrom(1),
    ).ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The database .* cannot be opened: disk I\/O error\.\n$/);
    const store = openStore(temporary.folder);
    expect(await readKeys(store)).toEqual([]);
    await store.close();
  });
});

test('a process that is killed while it writes has kept what it acknowledged', async () => {
  const child = startStoreChild({ folder: temporary.folder, notes: 100_000, prefix: 'note ' });
  child.process.stdout?.on('data', () => {
    if (child.said.stdout.split('\n').length > 102) child.process.kill('SIGKILL');
  });
  const { acknowledged } = await child.ended;
  expect(acknowledged.length).toBeGreaterThan(100);
  const store = openStore(temporary.folder);
  const keys = await readKeys(store);
  expect(keys).toEqual(expect.arrayContaining(acknowledged));
  expect(keys.length - acknowledged.length).toBeLessThanOrEqual(1);
  await store.close();
});

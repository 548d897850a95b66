import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../log/index.ts';
import { openTemporaryStore, type TemporaryStore } from '../log/testing.ts';
import {
  createKeyHome,
  createKeyKeeper,
  createSecretStore,
  type KeyHome,
  KeyNotMade,
  KeyNotMoved,
  type KeyWrapper,
  readDataKeys,
  secretMigrations,
  type SecretStore,
} from './index.ts';
import { createTestWrapper, type TestWrapper } from './wrapper.testing.ts';

const PLACE = { org: 'local', owner: 'connection/1' };
const GIVEN = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=';

let folder: string;
let stored: TemporaryStore;
let store: Store;
let system: TestWrapper;
beforeEach(() => {
  system = createTestWrapper();
  stored = openTemporaryStore(secretMigrations);
  store = stored.store;
  folder = path.dirname(stored.file);
});
afterEach(() => stored.remove());

const keyFile = (): string => path.join(folder, 'secrets.key');
const wrappedFile = (): string => path.join(folder, 'secrets.key.wrapped');

/** As a start of the server has it: nothing of an earlier one is in memory. */
function started(by: KeyWrapper | 'no app' = system, givenText = ''): { home: KeyHome; secrets: SecretStore } {
  const wrapper = by === 'no app' ? undefined : by;
  const given = readDataKeys(givenText) ?? [];
  const keeper = createKeyKeeper(given, folder, wrapper);
  const secrets = createSecretStore(store, keeper);
  return { secrets, home: createKeyHome({ given, dataDir: folder, keeper, secrets, wrapper }) };
}

async function sealOne(): Promise<void> {
  const { secrets } = started();
  const key = await secrets.sealingKey();
  await store.write('no playbook', (tx) => secrets.put(tx, key, PLACE, { text: 'canary', shown: null }));
}
const opened = ({ secrets }: { secrets: SecretStore }) => secrets.open(PLACE);

describe('the key', () => {
  test('moves to the system and back, and opens what was sealed at every step', async () => {
    await sealOne();
    const text = readFileSync(keyFile(), 'utf8');
    const here = started();
    expect(here.home.place()).toBe('file');
    expect(await here.home.keepInSystem()).toBe('system');
    expect(existsSync(keyFile())).toBe(false);
    expect(readFileSync(wrappedFile(), 'utf8')).not.toContain(text.trim());
    expect(process.platform === 'win32' || (statSync(wrappedFile()).mode & 0o777) === 0o600).toBe(true);
    expect(await opened(here)).toEqual({ ok: true, text: 'canary' });
    expect(await opened(started())).toEqual({ ok: true, text: 'canary' });
    expect(await started().home.keepInFile()).toBe('file');
    expect(existsSync(wrappedFile())).toBe(false);
    expect(readFileSync(keyFile(), 'utf8')).toBe(text);
    expect(await opened(started('no app'))).toEqual({ ok: true, text: 'canary' });
  });

  test('is made where there is none and the system is to keep it', async () => {
    const { home, secrets } = started();
    expect(home.place()).toBe('nowhere');
    expect(await home.keepInSystem()).toBe('system');
    expect((await secrets.sealingKey()).id).toBe((await started().secrets.sealingKey()).id);
  });

  test('is asked of the system once', async () => {
    await sealOne();
    await started().home.keepInSystem();
    system.asked.length = 0;
    const here = started();
    await Promise.all([opened(here), opened(here), here.secrets.sealingKey()]);
    expect(system.asked).toEqual(['unwrap']);
  });

  test('that the system does not give now is there once it does', async () => {
    await sealOne();
    await started().home.keepInSystem();
    const here = started();
    system.isLocked = true;
    expect(await opened(here)).toMatchObject({ because: 'no_key', detail: expect.stringContaining('locked') });
    system.isLocked = false;
    expect(await opened(here)).toEqual({ ok: true, text: 'canary' });
  });

  test('that the system keeps is missing where no desktop app started the server', async () => {
    await sealOne();
    await started().home.keepInSystem();
    const without = started('no app');
    expect(await opened(without)).toMatchObject({ because: 'no_key', detail: expect.stringContaining('desktop app') });
    await expect(without.home.keepInFile()).rejects.toThrow(KeyNotMoved);
    await expect(without.secrets.rotate()).rejects.toThrow('desktop app');
    expect(existsSync(keyFile())).toBe(false);
  });

  test('that the system wants wrapped anew is wrapped anew', async () => {
    await sealOne();
    await started().home.keepInSystem();
    const before = readFileSync(wrappedFile(), 'utf8');
    system.isStale = true;
    const here = started();
    expect(await opened(here)).toEqual({ ok: true, text: 'canary' });
    expect(readFileSync(wrappedFile(), 'utf8')).not.toBe(before);
    system.isStale = false;
    expect(await opened(started())).toEqual({ ok: true, text: 'canary' });
  });

  test('that SECRETS_KEY gives is not moved', async () => {
    const { home } = started(system, GIVEN);
    expect(home.place()).toBe('given');
    await expect(home.keepInSystem()).rejects.toThrow('SECRETS_KEY');
    await expect(home.keepInFile()).rejects.toThrow('SECRETS_KEY');
  });

  test('that is lost is not made anew for the system', async () => {
    await sealOne();
    rmSync(keyFile());
    await expect(started().home.keepInSystem()).rejects.toThrow('secrets.key');
    expect([existsSync(keyFile()), existsSync(wrappedFile())]).toEqual([false, false]);
  });

  test('is rotated in its file alone', async () => {
    await sealOne();
    await started().home.keepInSystem();
    await expect(started().secrets.rotate()).rejects.toThrow(KeyNotMade);
    await started().home.keepInFile();
    expect(await started().secrets.rotate()).toEqual({ sealed: 1, unreadable: 0 });
    expect(await opened(started())).toEqual({ ok: true, text: 'canary' });
  });
});

describe('moving that is cut off', () => {
  const CUT = new Error('The power failed.');
  /** Works for so many questions, then never again. */
  function dyingAfter(questions: number): KeyWrapper {
    let left = questions;
    const dying = async <T>(work: () => Promise<T>): Promise<T> => {
      if (left === 0) throw CUT;
      left -= 1;
      return work();
    };
    return { wrap: (text) => dying(() => system.wrap(text)), unwrap: (text) => dying(() => system.unwrap(text)) };
  }

  test.each([0, 1])('to the system, at question %i, leaves the key in its file', async (questions) => {
    await sealOne();
    await expect(started(dyingAfter(questions)).home.keepInSystem()).rejects.toThrow(
      questions === 0 ? CUT : KeyNotMoved,
    );
    expect(started().home.place()).toBe('file');
    expect(existsSync(wrappedFile())).toBe(false);
    expect(await opened(started('no app'))).toEqual({ ok: true, text: 'canary' });
    expect(await started().home.keepInSystem()).toBe('system');
  });

  test('between the two files leaves both, of which the open one counts', async () => {
    await sealOne();
    const key = readFileSync(keyFile());
    await started().home.keepInSystem();
    writeFileSync(keyFile(), key, { mode: 0o600 });
    expect(started().home.place()).toBe('file');
    expect(await opened(started('no app'))).toEqual({ ok: true, text: 'canary' });
    expect(await started().home.keepInFile()).toBe('file');
    expect(existsSync(wrappedFile())).toBe(false);
  });

  test('to the file leaves it with the system', async () => {
    await sealOne();
    await started().home.keepInSystem();
    await expect(started(dyingAfter(0)).home.keepInFile()).rejects.toThrow(CUT);
    expect(existsSync(keyFile())).toBe(false);
    expect(await opened(started())).toEqual({ ok: true, text: 'canary' });
  });

  test('by a system that gives back another text leaves the key in its file', async () => {
    await sealOne();
    const forgetful: KeyWrapper = {
      ...system,
      wrap: (text) => system.wrap(text.slice(1)),
      unwrap: (w) => system.unwrap(w),
    };
    await expect(started(forgetful).home.keepInSystem()).rejects.toThrow('did not return the key');
    expect(existsSync(wrappedFile())).toBe(false);
    expect(await opened(started('no app'))).toEqual({ ok: true, text: 'canary' });
  });
});

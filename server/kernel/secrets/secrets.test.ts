import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../log/index.ts';
import { openTemporaryStore, type TemporaryStore } from '../log/testing.ts';
import {
  createKeyKeeper,
  createSecretStore,
  NoDataKey,
  readDataKeys,
  secretMigrations,
  type SecretStore,
} from './index.ts';

const PLACE = { org: 'local', owner: 'connection/1' };
const OTHER = { org: 'local', owner: 'connection/2' };
const VALUE = { text: 'canary-of-the-store', shown: 'tore' };

let folder: string;
let stored: TemporaryStore;
let store: Store;
beforeEach(() => {
  stored = openTemporaryStore(secretMigrations);
  store = stored.store;
  folder = path.dirname(stored.file);
});
afterEach(() => stored.remove());

const keyFile = (): string => path.join(folder, 'secrets.key');
const newKey = (): string => randomBytes(32).toString('base64');
const secretsWith = (given?: string): SecretStore =>
  createSecretStore(store, createKeyKeeper(given === undefined ? [] : (readDataKeys(given) ?? []), folder));

async function put(secrets: SecretStore, place = PLACE, value = VALUE): Promise<void> {
  const key = await secrets.sealingKey();
  await store.write('no playbook', (tx) => secrets.put(tx, key, place, value));
}

describe('values', () => {
  test('open in their place again, and stand nowhere in the database', async () => {
    const secrets = secretsWith();
    await put(secrets);
    expect(await secrets.open(PLACE)).toEqual({ ok: true, text: VALUE.text });
    expect(await store.read((tx) => secrets.shown(tx, PLACE))).toBe('tore');
    for (const file of readdirSync(folder)) {
      const bytes = readFileSync(path.join(folder, file));
      for (const written of [VALUE.text, Buffer.from(VALUE.text).toString('base64').slice(0, 20)]) {
        expect(bytes.includes(written), file).toBe(false);
      }
    }
  });

  test.each([
    ['moved to another place', `UPDATE sealed_values SET owner = 'connection/2'`, OTHER],
    ['moved to another org', `UPDATE sealed_values SET org = 'acme'`, { ...PLACE, org: 'acme' }],
    ['shown otherwise', `UPDATE sealed_values SET shown = 'abcd'`, PLACE],
    ['shown no more', 'UPDATE sealed_values SET shown = NULL', PLACE],
    [
      'changed in one character',
      `UPDATE sealed_values SET sealed = replace(sealed, substr(sealed, 30, 1), 'A') || 'A'`,
      PLACE,
    ],
    ['cut', 'UPDATE sealed_values SET sealed = substr(sealed, 1, 20)', PLACE],
    ['emptied', `UPDATE sealed_values SET sealed = ''`, PLACE],
    ['deleted', 'DELETE FROM sealed_values', PLACE],
  ])('that are %s do not open', async (_what, sql, place) => {
    const secrets = secretsWith();
    await put(secrets);
    await store.write('no playbook', (tx) => tx.run(sql));
    expect(await secrets.open(place)).toMatchObject({ ok: false, because: 'unreadable' });
  });

  test('are forgotten', async () => {
    const secrets = secretsWith();
    await put(secrets);
    await put(secrets, OTHER);
    await store.write('no playbook', (tx) => secrets.forget(tx, PLACE));
    expect(await secrets.open(PLACE)).toMatchObject({ ok: false });
    expect(await secrets.open(OTHER)).toMatchObject({ ok: true });
  });
});

describe('the key', () => {
  test('is made at the first need, in a file of its owner alone', async () => {
    const secrets = secretsWith();
    expect(existsSync(keyFile())).toBe(false);
    await put(secrets);
    expect(process.platform === 'win32' || (statSync(keyFile()).mode & 0o777) === 0o600).toBe(true);
    expect(readDataKeys(readFileSync(keyFile(), 'utf8'))).toHaveLength(1);
    expect((await secretsWith().open(PLACE)).ok).toBe(true);
  });

  test('that is lost is not replaced while anything is sealed, and comes back', async () => {
    await put(secretsWith());
    const kept = readFileSync(keyFile());
    writeFileSync(keyFile(), `${newKey()}\n`);
    expect(await secretsWith().open(PLACE)).toMatchObject({ ok: false, because: 'no_key' });
    rmSync(keyFile());
    expect(await secretsWith().open(PLACE)).toMatchObject({ ok: false, because: 'no_key' });
    await expect(secretsWith().sealingKey()).rejects.toThrow(NoDataKey);
    expect(existsSync(keyFile())).toBe(false);
    writeFileSync(keyFile(), kept, { mode: 0o600 });
    expect(await secretsWith().open(PLACE)).toEqual({ ok: true, text: VALUE.text });
  });

  test.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o660])(
    'that others may use (mode %o) is refused',
    async (mode) => {
      await put(secretsWith());
      chmodSync(keyFile(), mode);
      expect(await secretsWith().open(PLACE)).toMatchObject({
        because: 'no_key',
        detail: expect.stringContaining('0600'),
      });
      await expect(secretsWith().sealingKey()).rejects.toThrow('0600');
    },
  );

  test.each(['', 'short', newKey().slice(0, -4), `${newKey()} and more`])(
    '%j in its place is refused, and not repeated',
    async (text) => {
      writeFileSync(keyFile(), text, { mode: 0o600 });
      const failure = await secretsWith()
        .sealingKey()
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(NoDataKey);
      expect(text.length > 20 && String(failure).includes(text.slice(0, 20))).toBe(false);
    },
  );

  test('that the desktop app wrapped is asked for there', async () => {
    writeFileSync(path.join(folder, 'secrets.key.wrapped'), 'anything');
    await expect(secretsWith().sealingKey()).rejects.toThrow('desktop app');
  });

  test('of SECRETS_KEY takes precedence over the file', async () => {
    const given = newKey();
    await put(secretsWith(given));
    expect(existsSync(keyFile())).toBe(false);
    expect((await secretsWith(given).open(PLACE)).ok).toBe(true);
    expect(await secretsWith(newKey()).open(PLACE)).toMatchObject({ because: 'no_key' });
  });
});

describe('rotation', () => {
  test('seals everything under a new key, and lets the old one go', async () => {
    await put(secretsWith());
    await put(secretsWith(), OTHER);
    const before = readFileSync(keyFile(), 'utf8');
    expect(await secretsWith().rotate()).toEqual({ sealed: 2, unreadable: 0 });
    expect(readFileSync(keyFile(), 'utf8')).not.toContain(before.trim());
    expect(await secretsWith().open(PLACE)).toEqual({ ok: true, text: VALUE.text });
    expect(await store.read((tx) => secretsWith().shown(tx, OTHER))).toBe('tore');
    writeFileSync(keyFile(), before);
    expect(await secretsWith().open(PLACE)).toMatchObject({ because: 'no_key' });
  });

  test('that was cut off after the new key was kept loses nothing and is brought to its end', async () => {
    await put(secretsWith());
    const old = readFileSync(keyFile(), 'utf8').trim();
    const next = newKey();
    writeFileSync(keyFile(), `${next}\n${old}\n`);
    expect((await secretsWith().open(PLACE)).ok).toBe(true);
    expect(await secretsWith().rotate()).toEqual({ sealed: 1, unreadable: 0 });
    expect(readFileSync(keyFile(), 'utf8').trim()).toBe(next);
    expect((await secretsWith().open(PLACE)).ok).toBe(true);
  });

  test('with keys of the operator goes from the second to the first', async () => {
    const [old, next] = [newKey(), newKey()];
    await put(secretsWith(old));
    await expect(secretsWith(old).rotate()).rejects.toThrow('SECRETS_KEY');
    expect(await secretsWith(`${next},${old}`).rotate()).toEqual({ sealed: 1, unreadable: 0 });
    expect((await secretsWith(next).open(PLACE)).ok).toBe(true);
  });

  test('counts what does not open, and leaves it', async () => {
    await put(secretsWith());
    await put(secretsWith(), OTHER);
    await store.write('no playbook', (tx) =>
      tx.run(`UPDATE sealed_values SET shown = 'x' WHERE owner = 'connection/2'`),
    );
    expect(await secretsWith().rotate()).toEqual({ sealed: 1, unreadable: 1 });
    expect((await secretsWith().open(PLACE)).ok).toBe(true);
  });
});

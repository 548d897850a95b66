import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../test/index.ts';
import { readSettings, SettingsError } from './index.ts';

const DIGEST = 'a'.repeat(64);
const KEY = { name: 'reporting', sha256: DIGEST, org: 'acme', permissions: ['org:read'] };
const SECRET = 'abk_AAAAAAAA_s3cret';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const read = (entries: readonly object[], environment: Record<string, string> = {}) => {
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ api_keys: entries }));
  return readSettings({ ...environment, DATA_DIR: folder.path });
};

test('keys of the variable and of the file add up, and make a published server', () => {
  const other = { ...KEY, name: 'other', sha256: 'b'.repeat(64), playbooks: ['desk'] };
  const settings = read([KEY], { API_KEYS: JSON.stringify([other]), HOST: '0.0.0.0' });
  expect([settings.mode, settings.host]).toEqual(['published', '0.0.0.0']);
  expect(settings.apiKeys()).toEqual([
    { name: 'other', digest: Buffer.alloc(32, 0xbb), org: 'acme', permissions: ['org:read'], playbooks: ['desk'] },
    { name: 'reporting', digest: Buffer.alloc(32, 0xaa), org: 'acme', permissions: ['org:read'], playbooks: undefined },
  ]);
});

test('no key is local mode', () => {
  expect(read([])).toMatchObject({ mode: 'local', publicUrl: undefined });
});

test.each([
  [[{ ...KEY, name: 'a b' }], 'api_keys[0].name in FILE is "a b"; it must be 1 to 64 letters'],
  [[{ ...KEY, name: SECRET }], 'api_keys[0].name in FILE contains a key'],
  [[{ ...KEY, sha256: SECRET }], 'api_keys[0].sha256 in FILE is not a digest; it must be the SHA-256 digest'],
  [[{ ...KEY, sha256: 'A'.repeat(64) }], 'api_keys[0].sha256 in FILE is not a digest'],
  [[{ ...KEY, org: 'a/b' }], 'api_keys[0].org in FILE is "a/b"; it must be the id of an org'],
  [
    [{ ...KEY, permissions: [] }],
    'api_keys[0].permissions in FILE is empty; it must be a list of one or more of org:read',
  ],
  [[{ ...KEY, permissions: ['read'] }], 'api_keys[0].permissions[0] in FILE is "read"; it must be one of org:read'],
  [[{ ...KEY, playbooks: ['d*'] }], 'api_keys[0].playbooks[0] in FILE is "d*"; it must be the id of a playbook'],
  [[{ ...KEY, key: SECRET }], 'api_keys[0] in FILE has an unknown key "key"'],
  [
    [KEY, { ...KEY, sha256: 'b'.repeat(64) }],
    'api_keys[1].name in FILE is "reporting"; it must be a name that no other',
  ],
  [[KEY, { ...KEY, name: 'other' }], 'api_keys[1].sha256 in FILE is that of another key'],
])('%j is refused', (entries, words) => {
  const message = (() => {
    try {
      read(entries);
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
      throw error;
    }
    return 'It was accepted.';
  })();
  expect(message.replaceAll(path.join(folder.path, 'cuebook.yaml'), 'FILE')).toContain(words);
  expect(message).not.toContain(SECRET);
});

test('keys that are added to the file of a local server need a restart', () => {
  const settings = read([]);
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ api_keys: [KEY] }));
  expect(() => settings.files.readAgain()).toThrow('makes this a published server; restart it');
  expect(settings.apiKeys()).toEqual([]);
});

test.each([
  'http://cuebook.example.com',
  'https://cuebook.example.com/base',
  'https://u:s3cret@a.example',
  'cuebook',
  'https://a.example/?q',
])('PUBLIC_URL=%s is refused', (url) => {
  expect(() => read([KEY], { PUBLIC_URL: url })).toThrow('PUBLIC_URL is not the address of a published server');
});

test.each([
  ['https://cuebook.example.com/', 'https://cuebook.example.com'],
  ['http://127.0.0.1:4747', 'http://127.0.0.1:4747'],
])('PUBLIC_URL=%s is %s', (url, origin) => {
  expect(read([KEY], { PUBLIC_URL: url }).publicUrl).toBe(origin);
});

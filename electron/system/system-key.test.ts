import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSystemKey, type SystemStorage } from './system-key.ts';

/** A key store in memory. */
function createStorage(changes: Partial<SystemStorage> = {}): SystemStorage {
  const [key, nonce] = [randomBytes(32), randomBytes(12)];
  return {
    isAsyncEncryptionAvailable: async () => true,
    getSelectedStorageBackend: () => 'gnome_libsecret',
    async encryptStringAsync(text) {
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    async decryptStringAsync(encrypted) {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(encrypted.subarray(-16));
      const bytes = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
      return { result: bytes.toString('utf8'), shouldReEncrypt: false };
    },
    ...changes,
  };
}

const KEY = 'a-canary-of-a-key';

describe('the system key store', () => {
  test('wraps a text and unwraps it again', async () => {
    const system = createSystemKey(createStorage(), 'linux');
    const wrapped = await system.wrap(KEY);
    expect(Buffer.from(wrapped, 'base64').toString('utf8')).not.toContain(KEY);
    expect(await system.unwrap(wrapped)).toEqual({ text: KEY, isStale: false });
  });

  test('reports that a text should be wrapped again', async () => {
    const storage = createStorage({ decryptStringAsync: async () => ({ result: KEY, shouldReEncrypt: true }) });
    expect(await createSystemKey(storage, 'darwin').unwrap('')).toEqual({ text: KEY, isStale: true });
  });

  test.each<[string, Partial<SystemStorage>, NodeJS.Platform, RegExp]>([
    ['that has no key store', { getSelectedStorageBackend: () => 'basic_text' }, 'linux', /GNOME Keyring or KWallet/],
    ['that is locked', { isAsyncEncryptionAvailable: async () => false }, 'darwin', /Unlock it/],
    [
      'that fails',
      {
        encryptStringAsync: () => Promise.reject(new Error(`${KEY} leaks`)),
        decryptStringAsync: () => Promise.reject(new Error(`${KEY} leaks`)),
      },
      'win32',
      /did not accept the key|could not decrypt the key/,
    ],
  ])('%s refuses both, with a message that does not contain the key', async (_which, changes, platform, sentence) => {
    const system = createSystemKey(createStorage(changes), platform);
    for (const refused of [system.wrap(KEY), system.unwrap('AAAA')]) {
      const { message } = await refused.then(
        () => new Error('No error.'),
        (error: Error) => error,
      );
      expect(message).toMatch(sentence);
      expect(message).not.toContain(KEY);
    }
  });

  test('cannot unwrap what another system wrapped', async () => {
    const wrapped = await createSystemKey(createStorage(), 'linux').wrap(KEY);
    await expect(createSystemKey(createStorage(), 'linux').unwrap(wrapped)).rejects.toThrow('another machine');
  });
});

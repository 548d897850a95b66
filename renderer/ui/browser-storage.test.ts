import { afterEach, expect, test, vi } from 'vitest';
import { removeStored, isOnlyInMemory, writeStored, readStored } from './browser-storage.ts';

const KEY = 'cuebook draft desk computation/sum';

afterEach(() => void vi.unstubAllGlobals());

function givenStore(): Map<string, string> {
  const texts = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem(key: string, text: string) {
      if (text.length > 40) throw new Error('The quota is exceeded.');
      texts.set(key, text);
    },
    removeItem: (key: string) => void texts.delete(key),
  };
  vi.stubGlobal('window', { localStorage });
  return texts;
}

test('given a full storage, then the last value is read from memory until it is removed or stored', () => {
  const texts = givenStore();
  expect(writeStored('localStorage', KEY, 'short')).toBe(true);
  expect(writeStored('localStorage', KEY, 'x'.repeat(80))).toBe(false);
  expect(readStored('localStorage', KEY)).toBe('x'.repeat(80));
  expect(isOnlyInMemory(KEY)).toBe(true);
  expect(writeStored('localStorage', KEY, 'short again')).toBe(true);
  expect(readStored('localStorage', KEY)).toBe('short again');
  expect(isOnlyInMemory(KEY)).toBe(false);
  removeStored('localStorage', KEY);
  expect(texts.size).toBe(0);
  texts.set(KEY, '{ "text"');
  expect(readStored('localStorage', KEY)).toBeUndefined();
});

test('given a disabled storage, then values are held in memory without an error', () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new Error('It is insecure.');
    },
  });
  expect(readStored('localStorage', KEY)).toBeUndefined();
  expect(writeStored('localStorage', KEY, { text: 'mine' })).toBe(false);
  expect(readStored('localStorage', KEY)).toEqual({ text: 'mine' });
  removeStored('localStorage', KEY);
  expect(readStored('localStorage', KEY)).toBeUndefined();
});

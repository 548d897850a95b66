// Storage in the browser. It may be full or disabled: then values are held in memory until the page is left, and no error
// is shown.
type Store = 'localStorage' | 'sessionStorage';

/** The values that the browser could not store. */
const inMemory = new Map<string, string>();

/** A stored value; undefined if there is none, or it is not JSON. */
export function readStored(store: Store, key: string): unknown {
  try {
    const text = inMemory.get(key) ?? window[store].getItem(key);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Stores a value as JSON. @returns false if the browser could not store it */
export function writeStored(store: Store, key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    window[store].setItem(key, text);
    inMemory.delete(key);
    return true;
  } catch {
    inMemory.set(key, text);
    return false;
  }
}

export function removeStored(store: Store, key: string): void {
  inMemory.delete(key);
  try {
    window[store].removeItem(key);
  } catch {
    // A disabled storage is empty.
  }
}

/** The keys with a prefix, those of values that the browser could not store included. */
export function storedKeys(store: Store, prefix: string): string[] {
  const keys = new Set(inMemory.keys());
  try {
    for (const key of Object.keys(window[store])) keys.add(key);
  } catch {
    // A disabled storage is empty.
  }
  return [...keys].filter((key) => key.startsWith(prefix));
}

/** True if the value of a key is lost when the page is left. */
export function isOnlyInMemory(key: string): boolean {
  return inMemory.has(key);
}

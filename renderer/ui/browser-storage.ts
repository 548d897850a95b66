// What the browser keeps. It may have no room left, or be told to keep nothing: what is written then stands until the page
// is left, and nobody meets an error.
type Store = 'localStorage' | 'sessionStorage';

/** What the browser did not take. */
const untaken = new Map<string, string>();

/** Undefined where nothing is kept, or something that is no JSON. */
export function readStored(store: Store, key: string): unknown {
  try {
    const text = untaken.get(key) ?? window[store].getItem(key);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** @returns false where the browser does not take it */
export function writeStored(store: Store, key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    window[store].setItem(key, text);
    untaken.delete(key);
    return true;
  } catch {
    untaken.set(key, text);
    return false;
  }
}

export function removeStored(store: Store, key: string): void {
  untaken.delete(key);
  try {
    window[store].removeItem(key);
  } catch {
    // What keeps nothing has nothing to drop.
  }
}

/** The keys that begin so under which the browser keeps something. */
export function storedKeys(store: Store, prefix: string): string[] {
  try {
    return Object.keys(window[store]).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

/** Whether what is written under a key outlives the page. */
export function isOnlyInMemory(key: string): boolean {
  return untaken.has(key);
}

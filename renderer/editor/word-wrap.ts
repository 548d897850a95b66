import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../ui/browser-storage.ts';

const KEY = 'cuebook word wrap';

const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Whether long lines are wrapped, in all editors and comparisons; kept in the browser.
 * @param initial whether they are before a person chooses
 */
export function useWordWrap(initial: boolean): [isWrapped: boolean, wrap: (isWrapped: boolean) => void] {
  const chosen = useSyncExternalStore(listen, () => readStored('localStorage', KEY));
  return [
    typeof chosen === 'boolean' ? chosen : initial,
    (isWrapped) => {
      writeStored('localStorage', KEY, isWrapped);
      for (const listener of listeners) listener();
    },
  ];
}

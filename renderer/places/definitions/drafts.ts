// What a person wrote and did not save. It stays in the browser: over a reload, and over the end of the service.
import { useSyncExternalStore } from 'react';
import type { DefinitionKey } from '../../api/operations.ts';

export interface Draft {
  /** The version that it began from; 0 for a document that is new. */
  base: number;
  text: string;
  /** Of a document that is new: what it is to be called. */
  name?: string;
}

const keyOf = ({ playbook, type, name }: DefinitionKey): string => `cuebook draft ${playbook} ${type}/${name}`;

const listeners = new Set<() => void>();

export function readDraft(key: DefinitionKey): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(key)) ?? 'null');
    return isDraft(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(key: DefinitionKey, draft: Draft): void {
  localStorage.setItem(keyOf(key), JSON.stringify(draft));
  tell();
}

export function dropDraft(key: DefinitionKey): void {
  localStorage.removeItem(keyOf(key));
  tell();
}

/** Whether something unsaved is kept of a definition; stays true to it in every window of the browser. */
export function useHasDraft(key: DefinitionKey): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(keyOf(key)) !== null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function tell(): void {
  for (const listener of listeners) listener();
}

function isDraft(kept: unknown): kept is Draft {
  return typeof kept === 'object' && kept !== null && 'base' in kept && 'text' in kept && typeof kept.text === 'string';
}

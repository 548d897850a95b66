// What a person wrote and did not save. It stays in the browser: over a reload, and over the end of the service.
import { useSyncExternalStore } from 'react';
import type { DefinitionKey } from '../../api/queries.ts';
import { removeStored, isOnlyInMemory, writeStored, readStored } from '../../ui/browser-storage.ts';

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
  const kept = readStored('localStorage', keyOf(key));
  return isDraft(kept) ? kept : undefined;
}

export function keepDraft(key: DefinitionKey, draft: Draft): void {
  writeStored('localStorage', keyOf(key), draft);
  tell();
}

export function dropDraft(key: DefinitionKey): void {
  removeStored('localStorage', keyOf(key));
  tell();
}

/** Whether it outlives the page. */
export function isDraftKept(key: DefinitionKey): boolean {
  return !isOnlyInMemory(keyOf(key));
}

/** Shown beside the button that saves a draft. */
export function draftWords(key: DefinitionKey): string {
  return isDraftKept(key) ? 'Not saved yet' : 'Not saved: the storage of the browser is full';
}

/** Whether something unsaved is kept of a definition; stays true to it in every window of the browser. */
export function useHasDraft(key: DefinitionKey): boolean {
  return useSyncExternalStore(subscribe, () => readDraft(key) !== undefined);
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

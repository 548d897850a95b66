// Unsaved changes. They stay in the browser, across reloads and restarts of the service.
import { useSyncExternalStore } from 'react';
import type { DefinitionKey } from '../../api/queries.ts';
import { workKey } from '../../sign-in/kept-work.ts';
import { removeStored, isOnlyInMemory, writeStored, readStored } from '../../ui/browser-storage.ts';

export interface Draft {
  /** The version it is based on; 0 for a new definition. */
  base: number;
  text: string;
  /** The name of a new definition. */
  name?: string;
}

const keyOf = ({ playbook, type, name }: DefinitionKey): string => workKey(`draft ${playbook} ${type}/${name}`);

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

/** Whether the draft was stored. */
export function isDraftKept(key: DefinitionKey): boolean {
  return !isOnlyInMemory(keyOf(key));
}

/** The text beside the Save button. */
export function draftWords(key: DefinitionKey): string {
  return isDraftKept(key) ? 'Not saved yet' : 'Not saved: the storage of the browser is full';
}

/** Whether a definition has unsaved changes, in sync across windows. */
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

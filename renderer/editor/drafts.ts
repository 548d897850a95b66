// Unsaved changes. They stay in the browser, across reloads and restarts of the service.
//
// 1. Each tab has a draft of its own of a definition: what is written in one tab does not change or drop that of another.
// 2. The browser keeps the draft that was written last, for tabs that are opened later. A tab keeps its own across reloads.
// 3. A tab that is closed leaves its draft if no other tab has left one.
import { useEffect, useSyncExternalStore } from 'react';
import type { DefinitionKey } from '../api/queries.ts';
import { TAB_DRAFTS, workKey } from '../sign-in/kept-work.ts';
import { removeStored, isOnlyInMemory, writeStored, readStored } from '../ui/browser-storage.ts';

export interface Draft {
  /** The version it is based on; 0 for a new definition. */
  base: number;
  text: string;
  /** The name of a new definition. */
  name?: string;
}

const nameOf = ({ playbook, type, name }: DefinitionKey): string => `${playbook} ${type}/${name}`;
const keyOf = (key: DefinitionKey): string => workKey(`draft ${nameOf(key)}`);
const tabKeyOf = (key: DefinitionKey): string => workKey(TAB_DRAFTS + nameOf(key));

const listeners = new Set<() => void>();

/** The draft of this tab, or else of the browser. */
export function readDraft(key: DefinitionKey): Draft | undefined {
  return draftOfTab(key) ?? draftOfBrowser(key);
}

/** The draft for a page that edits it, which becomes that of this tab. */
export function openDraft(key: DefinitionKey): Draft | undefined {
  const draft = readDraft(key);
  if (draft !== undefined) writeStored('sessionStorage', tabKeyOf(key), draft);
  return draft;
}

export function keepDraft(key: DefinitionKey, draft: Draft): void {
  writeStored('sessionStorage', tabKeyOf(key), draft);
  writeStored('localStorage', keyOf(key), draft);
  notify();
}

export function dropDraft(key: DefinitionKey): void {
  const isOfOther = isReplaced(key);
  removeStored('sessionStorage', tabKeyOf(key));
  if (!isOfOther) removeStored('localStorage', keyOf(key));
  notify();
}

/** Leaves the draft of this tab to the browser if it has none. */
function leaveDraft(key: DefinitionKey): void {
  const draft = draftOfTab(key);
  if (draft !== undefined && draftOfBrowser(key) === undefined) writeStored('localStorage', keyOf(key), draft);
}

/** Leaves the draft when the tab is closed. A page that a person is signed out of leaves none. */
export function useDraftLeft({ playbook, type, name }: DefinitionKey): void {
  useEffect(() => {
    const leave = (): void => leaveDraft({ playbook, type, name });
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [playbook, type, name]);
}

function draftOfTab(key: DefinitionKey): Draft | undefined {
  const kept = readStored('sessionStorage', tabKeyOf(key));
  return isDraft(kept) ? kept : undefined;
}

function draftOfBrowser(key: DefinitionKey): Draft | undefined {
  const kept = readStored('localStorage', keyOf(key));
  return isDraft(kept) ? kept : undefined;
}

/** Whether another tab has written its own draft since. */
function isReplaced(key: DefinitionKey): boolean {
  const [own, last] = [draftOfTab(key), draftOfBrowser(key)];
  return own !== undefined && last !== undefined && (own.text !== last.text || own.name !== last.name);
}

/** Whether the draft was stored. */
export function isDraftKept(key: DefinitionKey): boolean {
  return !isOnlyInMemory(keyOf(key));
}

/** The text beside the Save button. */
export function useDraftWords(key: DefinitionKey): string {
  return useSyncExternalStore(subscribe, () => {
    if (!isDraftKept(key)) return 'Not saved: the storage of the browser is full';
    return isReplaced(key) ? 'Not saved yet. Another tab has other changes.' : 'Not saved yet';
  });
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

function notify(): void {
  for (const listener of listeners) listener();
}

function isDraft(kept: unknown): kept is Draft {
  return typeof kept === 'object' && kept !== null && 'base' in kept && 'text' in kept && typeof kept.text === 'string';
}

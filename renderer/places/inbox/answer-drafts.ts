// Answers that are begun and not given. They stay in the browser: over a reload, a lost race, and the end of a request.
import type { Json } from '../../../shared/json.ts';

const PREFIX = 'cuebook answer ';
/** Drafts that are kept; the oldest goes first. */
const MOST = 100;

interface Kept {
  /** Milliseconds since 1970. */
  at: number;
  answer: Json;
}

/** What of the browser's storage drafts need. */
export interface DraftStore {
  readonly length: number;
  key: (index: number) => string | null;
  getItem: (key: string) => string | null;
  setItem: (key: string, text: string) => void;
  removeItem: (key: string) => void;
}

const keyOf = (playbook: string, runId: string): string => `${PREFIX}${playbook} ${runId}`;

export function readAnswer(store: DraftStore, playbook: string, runId: string): Json | undefined {
  return read(store, keyOf(playbook, runId))?.answer;
}

/** @returns false where the browser has no room left */
export function keepAnswer(store: DraftStore, playbook: string, runId: string, answer: Json): boolean {
  const key = keyOf(playbook, runId);
  if (store.getItem(key) === null) dropOldest(store);
  try {
    store.setItem(key, JSON.stringify({ at: Date.now(), answer } satisfies Kept));
    return true;
  } catch {
    return false;
  }
}

export function dropAnswer(store: DraftStore, playbook: string, runId: string): void {
  store.removeItem(keyOf(playbook, runId));
}

function dropOldest(store: DraftStore): void {
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
  const drafts = keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, at: read(store, key)?.at ?? 0 }))
    .toSorted((a, b) => b.at - a.at);
  for (const { key } of drafts.slice(MOST - 1)) store.removeItem(key);
}

function read(store: DraftStore, key: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(store.getItem(key) ?? 'null');
    return typeof kept === 'object' && kept !== null && 'answer' in kept && 'at' in kept ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}

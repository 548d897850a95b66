// Drafts of answers. They stay in the browser after a reload, a lost race, and the end of a request.
import type { Json } from '../../../shared/json.ts';
import { workKey } from '../../sign-in/kept-work.ts';
import { removeStored, writeStored, storedKeys, readStored } from '../../ui/browser-storage.ts';

const STORE = 'localStorage';
const PREFIX = 'answer ';
/** How many drafts are kept; the oldest is dropped first. */
const MOST = 100;

export interface WrittenAnswer {
  /** Undefined until something was written that parses. */
  answer?: Json | undefined;
  /** JSON text that does not parse yet. */
  broken?: string | undefined;
}

interface StoredAnswer extends WrittenAnswer {
  /** Milliseconds since 1970. */
  at: number;
}

export const answerKey = (playbook: string, runId: string): string => workKey(`${PREFIX}${playbook} ${runId}`);

export function readAnswer(playbook: string, runId: string): WrittenAnswer {
  const { answer, broken } = read(answerKey(playbook, runId)) ?? {};
  return { answer, broken };
}

export function keepAnswer(playbook: string, runId: string, written: WrittenAnswer): void {
  const key = answerKey(playbook, runId);
  if (read(key) === undefined) dropOldest();
  writeStored(STORE, key, { at: Date.now(), ...written } satisfies StoredAnswer);
}

export function dropAnswer(playbook: string, runId: string): void {
  removeStored(STORE, answerKey(playbook, runId));
}

function dropOldest(): void {
  const drafts = storedKeys(STORE, workKey(PREFIX))
    .map((key) => ({ key, at: read(key)?.at ?? 0 }))
    .toSorted((a, b) => b.at - a.at);
  for (const { key } of drafts.slice(MOST - 1)) removeStored(STORE, key);
}

function read(key: string): StoredAnswer | undefined {
  const kept = readStored(STORE, key);
  return typeof kept === 'object' && kept !== null && 'at' in kept ? (kept as StoredAnswer) : undefined;
}

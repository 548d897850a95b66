// Answers that are begun and not given. They stay in the browser: over a reload, a lost race, and the end of a request.
import type { Json } from '../../../shared/json.ts';
import { dropKept, keep, keptKeys, readKept } from '../../ui/kept.ts';

const STORE = 'localStorage';
const PREFIX = 'cuebook answer ';
/** Drafts that are kept; the oldest goes first. */
const MOST = 100;

interface Kept {
  /** Milliseconds since 1970. */
  at: number;
  answer: Json;
}

export const answerKey = (playbook: string, runId: string): string => `${PREFIX}${playbook} ${runId}`;

export function readAnswer(playbook: string, runId: string): Json | undefined {
  return read(answerKey(playbook, runId))?.answer;
}

export function keepAnswer(playbook: string, runId: string, answer: Json): void {
  const key = answerKey(playbook, runId);
  if (read(key) === undefined) dropOldest();
  keep(STORE, key, { at: Date.now(), answer } satisfies Kept);
}

export function dropAnswer(playbook: string, runId: string): void {
  dropKept(STORE, answerKey(playbook, runId));
}

function dropOldest(): void {
  const drafts = keptKeys(STORE, PREFIX)
    .map((key) => ({ key, at: read(key)?.at ?? 0 }))
    .toSorted((a, b) => b.at - a.at);
  for (const { key } of drafts.slice(MOST - 1)) dropKept(STORE, key);
}

function read(key: string): Kept | undefined {
  const kept = readKept(STORE, key);
  return typeof kept === 'object' && kept !== null && 'answer' in kept && 'at' in kept ? (kept as Kept) : undefined;
}

// What a person wrote and did not save. It stays in the browser: over a reload, and over the end of the service.
import type { DefinitionKey } from '../../api/operations.ts';

export interface Draft {
  /** The version that it began from; 0 for a document that is new. */
  base: number;
  text: string;
}

const keyOf = ({ playbook, type, name }: DefinitionKey): string => `cuebook draft ${playbook} ${type}/${name}`;

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
}

export function dropDraft(key: DefinitionKey): void {
  localStorage.removeItem(keyOf(key));
}

function isDraft(kept: unknown): kept is Draft {
  return typeof kept === 'object' && kept !== null && 'base' in kept && 'text' in kept && typeof kept.text === 'string';
}

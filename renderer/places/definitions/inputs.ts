// The input that a person enters for a run. It outlives the panel, so that the person can look at the source in between,
// and survives a reload.
import { isJsonObject, type Json } from '../../../shared/json.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { workKey } from '../../sign-in/kept-work.ts';
import { readStored, removeStored, writeStored } from '../../ui/browser-storage.ts';

export interface WrittenInput {
  value: Json;
  /** JSON text that does not parse yet. */
  broken?: string | undefined;
}

const keyOf = ({ playbook, type, name }: DefinitionKey): string => workKey(`run input ${playbook} ${type}/${name}`);

export function readInput(key: DefinitionKey): WrittenInput | undefined {
  const kept = readStored('sessionStorage', keyOf(key)) as Json | undefined;
  return isJsonObject(kept) && kept['value'] !== undefined ? (kept as unknown as WrittenInput) : undefined;
}

/** What the form begins with: what was kept, else the first example; undefined if there is neither. */
export function firstInput(
  kept: Pick<WrittenInput, 'value'> | undefined,
  examples: readonly { input?: Json }[],
): Json | undefined {
  return kept === undefined ? examples[0]?.input : kept.value;
}

export function dropInput(key: DefinitionKey): void {
  removeStored('sessionStorage', keyOf(key));
}

export function keepInput(key: DefinitionKey, input: WrittenInput): void {
  writeStored('sessionStorage', keyOf(key), input);
}

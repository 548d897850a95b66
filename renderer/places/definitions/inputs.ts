// The input that a person is writing for a run. It outlives the panel, so that the source can be looked at meanwhile.
import type { Json } from '../../../shared/json.ts';
import type { DefinitionKey } from '../../api/operations.ts';

const keyOf = ({ playbook, type, name }: DefinitionKey): string => `cuebook input ${playbook} ${type}/${name}`;

export function readInput(key: DefinitionKey): Json | undefined {
  const kept = sessionStorage.getItem(keyOf(key));
  return kept === null ? undefined : (JSON.parse(kept) as Json);
}

export function keepInput(key: DefinitionKey, input: Json): void {
  sessionStorage.setItem(keyOf(key), JSON.stringify(input));
}

// The input that a person is writing for a run. It outlives the panel, so that the source can be looked at meanwhile.
import type { Json } from '../../../shared/json.ts';
import type { DefinitionKey } from '../../api/operations.ts';
import { keep, readKept } from '../../ui/kept.ts';

const keyOf = ({ playbook, type, name }: DefinitionKey): string => `cuebook input ${playbook} ${type}/${name}`;

export function readInput(key: DefinitionKey): Json | undefined {
  return readKept('sessionStorage', keyOf(key)) as Json | undefined;
}

export function keepInput(key: DefinitionKey, input: Json): void {
  keep('sessionStorage', keyOf(key), input);
}

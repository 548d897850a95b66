// The input that a person enters for a run. It outlives the panel, so that the person can look at the source in between,
// and survives a reload.
import type { Json } from '../../../shared/json.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import type { InputName, WrittenInput } from '../../forms/kept-input.ts';

export const runInputOf = ({ playbook, type, name }: DefinitionKey): InputName =>
  `run input ${playbook} ${type}/${name}`;

/** What the form begins with: what was kept, else the first example; undefined if there is neither. */
export function firstInput(
  kept: Pick<WrittenInput, 'value'> | undefined,
  examples: readonly { input?: Json }[],
): Json | undefined {
  return kept === undefined ? examples[0]?.input : kept.value;
}

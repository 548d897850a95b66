// What the Run panel runs: the text in the editor, or the saved version.
import { Checkbox, Group, SegmentedControl } from '@mantine/core';
import { DEFINITION_FACTS, type DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import type { DefinitionKey } from '../../../api/queries.ts';
import type { DraftRequest } from './use-draft-run.ts';

export interface DraftOptions {
  callTools: boolean;
  callModels: boolean;
}

export function draftRequest(
  { playbook, type, name }: DefinitionKey,
  source: string,
  input: Json,
  { callTools, callModels }: DraftOptions,
): DraftRequest {
  return {
    playbook,
    type,
    ...(name !== '' && { name }),
    source,
    input,
    call_tools: callTools,
    call_models: callModels,
  };
}

export interface DraftChoiceProps {
  type: DefinitionType;
  /** Whether there is a saved version to choose instead. */
  isSaved: boolean;
  /** Whether the text differs from the saved version. */
  isChanged: boolean;
  isDraft: boolean;
  options: DraftOptions;
  onChoose: (chosen: 'draft' | 'version') => void;
  onOptions: (options: DraftOptions) => void;
}

export function DraftChoice({ type, isSaved, isChanged, isDraft, options, onChoose, onOptions }: DraftChoiceProps) {
  const { reachesOutside, callsDefinitions } = DEFINITION_FACTS[type];
  return (
    <Group gap="md" mb="sm">
      {isSaved && (
        <SegmentedControl
          size="xs"
          aria-label="What to run"
          data={[
            { value: 'version', label: 'Saved version' },
            { value: 'draft', label: isChanged ? 'Draft with unsaved changes' : 'Draft run' },
          ]}
          value={isDraft ? 'draft' : 'version'}
          onChange={(value) => onChoose(value === 'draft' ? 'draft' : 'version')}
        />
      )}
      {isDraft && reachesOutside === true && (
        <Checkbox
          size="xs"
          label="Call tools"
          checked={options.callTools}
          onChange={({ currentTarget: { checked } }) => onOptions({ ...options, callTools: checked })}
        />
      )}
      {isDraft && callsDefinitions === true && (
        <Checkbox
          size="xs"
          label="Call models"
          checked={options.callModels}
          onChange={({ currentTarget: { checked } }) => onOptions({ ...options, callModels: checked })}
        />
      )}
    </Group>
  );
}

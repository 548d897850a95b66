// Which versions and models are compared.
import { Group, MultiSelect, TagsInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { Definition } from '../../../shared/api/index.ts';
import { type DefinitionKey, versionsQuery } from '../../api/queries.ts';
import { modelsQuery } from '../models/model-queries.ts';

/** A version, or the text in the editor, and where one was chosen a model. */
export interface Chosen {
  version: number | 'draft';
  model?: string;
}

export interface Choice {
  versions: string[];
  models: string[];
}

export const MOST_VARIANTS = 12;

/** Every version with every model. */
export function variantsOf({ versions, models }: Choice): Chosen[] {
  return versions.flatMap((text): Chosen[] => {
    const version = text === 'draft' ? ('draft' as const) : Number(text);
    return models.length === 0 ? [{ version }] : models.map((model) => ({ version, model }));
  });
}

export function variantWords({ version, model }: Chosen): string {
  const which = version === 'draft' ? 'Draft' : `Version ${version}`;
  return model === undefined ? which : `${which}, ${model}`;
}

export interface VariantsFieldProps {
  definitionKey: DefinitionKey;
  definition: Definition;
  /** Whether the text in the editor may be chosen. */
  hasDraft: boolean;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

export function VariantsField({ definitionKey, definition, hasDraft, choice, onChoose }: VariantsFieldProps) {
  const versions = useInfiniteQuery(versionsQuery(definitionKey));
  const callsModel = DEFINITION_FACTS[definitionKey.type].streamsText === true;
  const models = useQuery({ ...modelsQuery, enabled: callsModel });
  const numbers = new Set([
    definition.version,
    ...(versions.data?.pages ?? []).flatMap((page) => page.versions.map(({ version }) => version)),
  ]);
  const keepsCurrent = DEFINITION_FACTS[definitionKey.type].usesEvents === true && !callsModel;
  const known = [...numbers].toSorted((a, b) => b - a).filter((one) => !keepsCurrent || one === definition.version);
  return (
    <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
      <MultiSelect
        size="xs"
        label="Versions"
        data={[
          ...(hasDraft ? [{ value: 'draft', label: 'Draft' }] : []),
          ...known.map((one) => ({ value: String(one), label: `Version ${one}` })),
        ]}
        value={choice.versions}
        onChange={(chosen) => onChoose({ ...choice, versions: chosen })}
      />
      {callsModel && (
        <TagsInput
          size="xs"
          label="Models"
          placeholder={choice.models.length === 0 ? 'The model of the definition' : ''}
          data={(models.data?.models ?? []).map(({ id }) => id).filter((id) => !id.endsWith('*'))}
          maxDropdownHeight={240}
          limit={200}
          value={choice.models}
          onChange={(chosen) => onChoose({ ...choice, models: chosen })}
        />
      )}
    </Group>
  );
}

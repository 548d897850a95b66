import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import { useMayCall } from '../../api/session/use-session.ts';
import { modelsQuery } from '../models/model-queries.ts';

/** The references of models that a document of the type can name; none until the list is known. */
export function useUsableModels(type: DefinitionType): readonly string[] {
  const mayList = useMayCall('list_models');
  const { data } = useQuery({
    ...modelsQuery,
    enabled: mayList && DEFINITION_FACTS[type].namesModel === true,
    refetchInterval: false,
  });
  // A reference that ends in `*` is a pattern of an operator, not a model.
  return useMemo(() => (data?.models ?? []).map(({ id }) => id).filter((id) => !id.endsWith('*')), [data]);
}

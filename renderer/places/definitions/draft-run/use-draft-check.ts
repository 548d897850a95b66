import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DocumentCheck } from '../../../../shared/api/index.ts';
import { call } from '../../../api/call.ts';
import type { DefinitionKey } from '../../../api/queries.ts';

export interface DraftCheck {
  /** The input schema, and the graph and triggers of a workflow. Undefined for a text with issues. */
  declared: DocumentCheck | undefined;
  /** True until the first result. */
  isLoading: boolean;
}

/** What the text declares. */
export function useDraftCheck({ playbook, type, name }: DefinitionKey, source: string, isEnabled: boolean): DraftCheck {
  const { data, isLoading } = useQuery({
    queryKey: ['draft check', playbook, type, name, source],
    queryFn: ({ signal }) =>
      call(
        'check_definition',
        { playbook, type, ...(name !== '' && { name }), source, include: ['graph', 'input_schema', 'triggers'] },
        signal,
      ),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  return { declared: isEnabled && data?.valid === true ? data : undefined, isLoading };
}

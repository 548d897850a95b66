import { useQuery } from '@tanstack/react-query';
import { type DefinitionKey, definitionQuery } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';

/** A version of a definition. */
export interface DefinitionVersion {
  definition: DefinitionKey;
  version: number;
}

/** Links to a line of the version that ran: in the editor, or in the comparison if there is a newer version. */
export function LineLink({ ran: { definition, version }, line }: { ran: DefinitionVersion; line: number }) {
  const current = useQuery(definitionQuery(definition)).data?.version;
  return (
    <AnchorLink
      size="sm"
      to="/playbooks/$playbook/definitions/$type/$name"
      params={definition}
      search={
        current === undefined || current === version
          ? { line }
          : { tab: 'versions', version: current, against: version }
      }
    >
      Go to line {line}
    </AnchorLink>
  );
}

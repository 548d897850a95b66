import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type DefinitionKey, definitionQuery } from '../../api/queries.ts';

/** A version of a definition. */
export interface DefinitionVersion {
  definition: DefinitionKey;
  version: number;
}

/** Links to a line of the version that ran: in the editor, or in the comparison if there is a newer version. */
export function LineLink({ ran: { definition, version }, line }: { ran: DefinitionVersion; line: number }) {
  const current = useQuery(definitionQuery(definition)).data?.version;
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          {...props}
          to="/playbooks/$playbook/definitions/$type/$name"
          params={definition}
          search={
            current === undefined || current === version
              ? { line }
              : { tab: 'versions', version: current, against: version }
          }
        />
      )}
    >
      Go to line {line}
    </Anchor>
  );
}

import { Group } from '@mantine/core';
import { SquareFunction } from 'lucide-react';
import { CreateDefinitionLink } from '../../ui/create-definition-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ImportButton } from '../playbooks/archive-buttons.tsx';

/** What to do first in an empty playbook. */
export function NothingHere({ playbook }: { playbook: string }) {
  return (
    <EmptyState
      icon={SquareFunction}
      title="No definitions yet"
      action={
        <Group justify="center">
          <CreateDefinitionLink playbook={playbook} />
          <ImportButton playbook={playbook} />
        </Group>
      }
    >
      Create one in the studio, import a zip archive, apply a folder of files with <code>cuebook apply</code>, or let an
      agent create one. Runs, open questions and failures then appear here.
    </EmptyState>
  );
}

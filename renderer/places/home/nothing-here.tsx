import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SquareFunction } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IfMay } from '../../sign-in/if-may.tsx';
import { ImportButton } from '../playbooks/archive-buttons.tsx';

/** What to do first in an empty playbook. */
export function NothingHere({ playbook }: { playbook: string }) {
  return (
    <EmptyState
      icon={SquareFunction}
      title="No definitions yet"
      action={
        <Group justify="center">
          <IfMay call="create_definition">
            <Button
              renderRoot={(props) => (
                <Link {...props} to="/playbooks/$playbook/definitions/new" params={{ playbook }} />
              )}
            >
              Create a definition
            </Button>
          </IfMay>
          <ImportButton playbook={playbook} />
        </Group>
      }
    >
      Create one in the studio, import a zip archive, apply a folder of files with <code>cuebook apply</code>, or let an
      agent create one. Runs, open questions and failures then appear here.
    </EmptyState>
  );
}

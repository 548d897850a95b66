import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { SquareFunction } from 'lucide-react';
import { definitionsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IfMay } from '../../sign-in/if-may.tsx';

export function NoDefinition() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/definitions' });
  const { data } = useQuery(definitionsQuery(playbook));
  const isEmpty = data?.length === 0;
  return (
    <div className="page">
      <EmptyState
        isPage
        icon={SquareFunction}
        title={isEmpty ? 'No definitions yet' : 'Choose a definition'}
        action={
          <IfMay call="create_definition">
            <Button
              renderRoot={(props) => (
                <Link {...props} to="/playbooks/$playbook/definitions/new" params={{ playbook }} />
              )}
            >
              Create a definition
            </Button>
          </IfMay>
        }
      >
        {isEmpty
          ? 'A definition is a small function, or a workflow that combines several. Start from a working template; it is checked as you type.'
          : 'Functions and workflows are listed on the left, by type. Each has its source, its versions, and a panel to run it.'}
      </EmptyState>
    </div>
  );
}

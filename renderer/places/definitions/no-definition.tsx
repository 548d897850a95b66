import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { SquareFunction } from 'lucide-react';
import { definitionsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

export function NoDefinition() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/definitions' });
  const { data } = useQuery(definitionsQuery(playbook));
  const isEmpty = data?.length === 0;
  return (
    <div className="page">
      <EmptyState
        isPage
        icon={SquareFunction}
        title={isEmpty ? 'No definition yet' : 'Choose a definition'}
        action={
          <Button
            renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/definitions/new" params={{ playbook }} />}
          >
            {isEmpty ? 'Write the first one' : 'Write a new one'}
          </Button>
        }
      >
        {isEmpty
          ? 'A definition is a small function, or a workflow that joins several. Begin with one that works and change it: it is checked while you write.'
          : 'Functions and workflows stand on the left, by type. Each has its source, its versions, and a panel to run it.'}
      </EmptyState>
    </div>
  );
}

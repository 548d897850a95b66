import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { SquareFunction } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';

export function NoDefinition() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/definitions' });
  return (
    <div className="page">
      <EmptyState
        isPage
        icon={SquareFunction}
        title="Choose a definition"
        action={
          <Button
            renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/definitions/new" params={{ playbook }} />}
          >
            Write a new one
          </Button>
        }
      >
        Functions and workflows stand on the left, by type. Each has its source, its versions, and a panel to run it.
      </EmptyState>
    </div>
  );
}

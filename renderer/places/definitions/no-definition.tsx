import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { SquareFunction } from 'lucide-react';
import { definitionsQuery } from '../../api/queries.ts';
import { CreateDefinitionLink } from '../../ui/create-definition-link.tsx';
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
        title={isEmpty ? 'No definitions yet' : 'Choose a definition'}
        action={<CreateDefinitionLink playbook={playbook} />}
      >
        {isEmpty
          ? 'A definition is a small function, or a workflow that combines several. Start from a working template; it is checked as you type.'
          : 'Functions and workflows are listed on the left, by type. Each has its source, its versions, and a panel to run it.'}
      </EmptyState>
    </div>
  );
}

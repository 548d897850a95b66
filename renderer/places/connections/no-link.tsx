import { Link } from '@tanstack/react-router';
import { Link2Off } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';

/** An invalid connect link. */
export function NoLink({
  title,
  playbook,
  children,
}: {
  title: string;
  playbook: string | undefined;
  children: ReactNode;
}) {
  return (
    <EmptyState isPage icon={Link2Off} title={title} action={<Back playbook={playbook} />}>
      {children}
    </EmptyState>
  );
}

export function Back({ playbook, connection }: { playbook: string | undefined; connection?: string }) {
  return playbook === undefined ? (
    <Link to="/">All playbooks</Link>
  ) : (
    <Link
      to="/playbooks/$playbook/connections"
      params={{ playbook }}
      search={connection === undefined ? {} : { connection }}
    >
      Connections
    </Link>
  );
}

import './connections.css';
import { useSearch } from '@tanstack/react-router';
import { Unplug } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ConnectAsked } from './connect-asked.tsx';
import { ConnectResult } from './connect-result.tsx';
import { NoLink } from './no-link.tsx';

/** Where a connect link leads: a person sees what is asked for, and approves it or gives its credential. */
export function ConnectPage() {
  const { server, org, connection, token, playbook } = useSearch({ from: '/connect' });
  return (
    <div className="page">
      <div className="connect-sheet">
        {org === undefined || connection === undefined ? (
          <NoLink title="The link is cut short" playbook={playbook}>
            Copy the whole of it, from where it was given to you, and open it again.
          </NoLink>
        ) : token === undefined ? (
          <ConnectResult org={org} id={connection} playbook={playbook} />
        ) : server !== undefined && server !== location.origin ? (
          <EmptyState isPage icon={Unplug} title="The link is of another server">
            It belongs to <code>{server}</code>, and this studio to <code>{location.origin}</code>. A credential is
            given to the server that it is meant for, on the page of that server: open the link there.
          </EmptyState>
        ) : (
          <ConnectAsked key={token} link={{ org, connection, token }} playbook={playbook} />
        )}
      </div>
    </div>
  );
}

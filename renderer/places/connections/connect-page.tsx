import './connections.css';
import { useSearch } from '@tanstack/react-router';
import { Unplug } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ConnectAsked } from './connect-asked.tsx';
import { ConnectResult } from './connect-result.tsx';
import { NoLink } from './no-link.tsx';

/** The target of connect links: a person reviews the connection and approves it or enters its credential. */
export function ConnectPage() {
  const { server, org, connection, token, playbook } = useSearch({ from: '/connect' });
  return (
    <div className="page">
      <div className="connect-sheet">
        {org === undefined || connection === undefined ? (
          <NoLink title="Incomplete link" playbook={playbook}>
            Copy the whole link from where you got it, and open it again.
          </NoLink>
        ) : token === undefined ? (
          <ConnectResult org={org} id={connection} playbook={playbook} />
        ) : server !== undefined && server !== location.origin ? (
          <EmptyState isPage icon={Unplug} title="Link for another server">
            The link is for <code>{server}</code>, but this studio belongs to <code>{location.origin}</code>. Open the
            link in the studio of its own server.
          </EmptyState>
        ) : (
          <ConnectAsked key={token} link={{ org, connection, token }} playbook={playbook} />
        )}
      </div>
    </div>
  );
}

import './connections.css';
import { Alert, Button, Group, Skeleton, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Info, Plug, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import type { Connection } from '../../../shared/api/index.ts';
import { useChangeSearch } from '../../ui/search-params.ts';
import { session } from '../../api/session/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { RowLink } from '../../ui/list-row.tsx';
import { AddConnection } from './add-connection.tsx';
import { ConnectionStatus } from './facts.tsx';
import { draftOf, keepDraft } from './draft.ts';
import { OneConnection } from './one-connection.tsx';
import { ReadinessCell } from './readiness.tsx';
import { connectionsQuery } from './service.ts';
import { addressesOf, hostOf } from './words.ts';
import { IfMay } from '../../sign-in/if-may.tsx';

const COLUMNS: readonly Column[] = [
  { title: 'Name', width: 'minmax(96px, 2fr)' },
  { title: 'Status', width: '176px' },
  { title: 'Tools', width: '116px' },
  { title: 'Host', width: 'minmax(110px, 1.6fr)' },
  { title: 'Used by', width: 'minmax(64px, 0.6fr)' },
  { title: 'Added', width: '132px' },
];

export function ConnectionsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/connections' });
  const search = useSearch({ from: '/playbooks/$playbook/connections' });
  const { data: connections, error } = useQuery(connectionsQuery(search.removed === true));
  const present = connections?.filter(({ status }) => status !== 'removed').length ?? 0;
  const isFull = present >= LIMITS.connections;
  // A new key resets the form.
  const [forms, setForms] = useState(0);
  const change = useChangeSearch(search);
  const addButton = (
    <IfMay call="add_connection">
      <Button
        size="xs"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={isFull}
        onClick={() => change({ adding: true })}
      >
        Add a connection
      </Button>
    </IfMay>
  );

  return (
    <div className="filled-page">
      <PageTitle
        title="Connections"
        about={
          <>
            Tool servers that a person added and approved, for every playbook of the org. Functions call their tools as{' '}
            <code>name/tool</code>.
          </>
        }
      >
        {addButton}
      </PageTitle>
      <Group justify="space-between" mb="sm">
        <Switch
          label="Show removed"
          checked={search.removed === true}
          onChange={({ currentTarget }) => change({ removed: currentTarget.checked ? true : undefined })}
        />
        {connections !== undefined && (
          <Text size="sm" c="dimmed">
            {present} of {LIMITS.connections} connections
          </Text>
        )}
      </Group>
      {isFull && (
        <Alert color="yellow" icon={<Info size={18} />} mb="sm" title="Connection limit reached">
          Remove a connection you no longer need before you add another.
        </Alert>
      )}
      {error !== null && <ProblemView error={error} />}
      {connections === undefined && error === null && <Skeleton height={320} />}
      {connections?.length === 0 && (
        <EmptyState icon={Plug} title="No connections yet" action={addButton}>
          Add an MCP server, or an HTTP API with an OpenAPI document. Agents can request connections too: they give you
          a link, and nothing is used until you approve.
        </EmptyState>
      )}
      {connections !== undefined && connections.length > 0 && (
        <LiveList<Connection>
          label="Connections"
          columns={COLUMNS}
          items={connections}
          keyOf={({ id }) => id}
          cells={(connection) => cells(playbook, connection)}
        />
      )}
      <AddConnection
        key={forms}
        playbook={playbook}
        opened={search.adding === true}
        onClose={() => change({ adding: undefined })}
      />
      {search.connection !== undefined && (
        <OneConnection
          playbook={playbook}
          id={search.connection}
          onClose={() => change({ connection: undefined })}
          onAgain={(connection) => {
            keepDraft(draftOf(connection));
            setForms((count) => count + 1);
            change({ connection: undefined, adding: true });
          }}
        />
      )}
    </div>
  );
}

function cells(playbook: string, connection: Connection): ReactNode[] {
  const { id, name, status, entry, added_at: addedAt } = connection;
  const playbooks = entry.playbooks === undefined || entry.playbooks.includes('*') ? 'All' : undefined;
  return [
    <RowLink
      key="name"
      to="/playbooks/$playbook/connections"
      params={{ playbook }}
      search={(search) => ({ ...search, connection: id })}
      style={{ fontWeight: 600 }}
    >
      {name}
    </RowLink>,
    <ConnectionStatus key="status" status={status} />,
    <ReadinessCell key="tools" org={session.org()} connection={connection} />,
    addressesOf(connection)
      .slice(0, 1)
      .map(([, address]) => hostOf(address)),
    playbooks ?? entry.playbooks?.join(', '),
    <RelativeTime key="added" at={addedAt} />,
  ];
}

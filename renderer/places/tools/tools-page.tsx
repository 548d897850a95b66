import './tools.css';
import '../../ui/two-columns.css';
import { Button, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Eye, PencilLine, RefreshCw, Search, Wrench } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { FoundTools } from '../../../shared/api/index.ts';
import { useChangeSearch } from '../../ui/search-params.ts';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { Mark } from '../../ui/mark.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { RowLink } from '../../ui/list-row.tsx';
import { ConnectionsButton } from './connections-link.tsx';
import { PasteServers, PasteServersButton } from './paste-servers.tsx';
import { ServersPanel } from './servers-panel.tsx';
import { SetUp } from './set-up.tsx';
import { toolsQuery } from './tool-queries.ts';

type Tool = FoundTools['tools'][number];

const COLUMNS: readonly Column[] = [
  { title: 'Tool', width: 'minmax(130px, 3fr)' },
  { title: 'Server', width: 'minmax(70px, 1fr)' },
  { title: 'Description', width: 'minmax(90px, 4fr)' },
  { title: 'Effect', width: '180px' },
];

const ONLY = [
  { value: '', label: 'All' },
  { value: 'read', label: 'Read-only' },
  { value: 'write', label: 'May make changes' },
];

/** Milliseconds from the last key to the search, because every search asks the servers. */
const PAUSE = 250;

export function ToolsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/tools' });
  const [isPasting, setPasting] = useState(false);
  // Beside both forms of the page: the first server that is added changes the form, and the dialog stays.
  return (
    <>
      <ToolsOfPlaybook playbook={playbook} onPaste={() => setPasting(true)} />
      {isPasting && <PasteServers playbook={playbook} onClose={() => setPasting(false)} />}
    </>
  );
}

function ToolsOfPlaybook({ playbook, onPaste }: { playbook: string; onPaste: () => void }) {
  const search = useSearch({ from: '/playbooks/$playbook/tools' });
  const client = useQueryClient();
  const found = useQuery(toolsQuery(playbook, search));
  const change = useChangeSearch(search);
  // Filters apply to tools, not to the list of servers.
  const every = useQuery(toolsQuery(playbook, {}));
  const servers = every.data?.servers ?? [];
  const isFiltered = Object.keys(search).length > 0;

  if (every.data?.servers.length === 0) return <NoServers playbook={playbook} onPaste={onPaste} />;
  return (
    <div className="filled-page">
      <PageTitle title="Tools" about="Tools that functions, workflows and agents of this playbook can call.">
        <CopyAs copies={callCopies('search', { playbook, ...search })} />
      </PageTitle>
      <div className="with-side tools">
        <section aria-label="Tools" className="with-side-list">
          <Group gap="sm" mb="sm">
            <Terms given={search.terms} onTerms={(terms) => change({ terms })} />
            <SegmentedControl
              aria-label="Effect"
              data={ONLY}
              value={search.only ?? ''}
              onChange={(value) => change({ only: (value === '' ? undefined : value) as typeof search.only })}
            />
          </Group>
          {found.error !== null && (
            <Stack gap="xs" align="flex-start">
              <ProblemView error={found.error} />
              {search.server !== undefined && (
                <Button variant="default" size="xs" onClick={() => change({ server: undefined })}>
                  Any server
                </Button>
              )}
            </Stack>
          )}
          {found.isPending && <Skeleton height={320} />}
          {found.data !== undefined && found.error === null && (
            <FoundList
              playbook={playbook}
              found={found.data}
              isFiltered={isFiltered}
              hasTerms={search.terms !== undefined}
              onShowAll={() => change({ terms: undefined, server: undefined, only: undefined })}
            />
          )}
        </section>
        <section aria-label="Servers" className="with-side-column">
          <Group justify="space-between" mb={4}>
            <Text component="h2" fw={650}>
              Servers
            </Text>
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<RefreshCw size={12} aria-hidden />}
              loading={every.isFetching && !every.isPending}
              onClick={() => void client.invalidateQueries({ queryKey: [playbook, 'tools'] })}
            >
              Check again
            </Button>
          </Group>
          {every.isPending ? (
            <Skeleton height={160} />
          ) : (
            <ServersPanel
              playbook={playbook}
              servers={servers}
              chosen={search.server}
              onChoose={(server) => change({ server })}
            />
          )}
          <details className="own-servers">
            <summary>Add another server</summary>
            <Group gap="xs" mt={8}>
              <ConnectionsButton playbook={playbook} size="xs" />
              <PasteServersButton onPaste={onPaste} size="xs" />
            </Group>
            <div style={{ marginTop: 12 }}>
              <SetUp />
            </div>
          </details>
        </section>
      </div>
    </div>
  );
}

function NoServers({ playbook, onPaste }: { playbook: string; onPaste: () => void }) {
  return (
    <div className="page">
      <div className="page-inner">
        <PageTitle title="Tools" />
        <EmptyState
          icon={Wrench}
          title="No tool servers yet"
          action={
            <Group gap="xs" justify="center">
              <ConnectionsButton playbook={playbook} />
              <PasteServersButton onPaste={onPaste} />
            </Group>
          }
        >
          A tool server provides tools to functions, workflows and agents. Add one as a connection: you approve it in
          the studio, and agents never see its credential. Or paste the configuration of another client.
        </EmptyState>
        <div className="tool-set-up">
          <SetUp />
        </div>
      </div>
    </div>
  );
}

/** Updates the address once a person pauses. */
function Terms({ given, onTerms }: { given: string | undefined; onTerms: (terms: string | undefined) => void }) {
  const [written, setWritten] = useState(given ?? '');
  const sent = useRef(given);
  // The filter may be cleared elsewhere.
  useEffect(() => {
    if (given === sent.current) return;
    sent.current = given;
    setWritten(given ?? '');
  }, [given]);
  useEffect(() => {
    const terms = written.trim().replaceAll(/\s+/g, ' ') || undefined;
    if (terms === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = terms;
      onTerms(terms);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [written, onTerms]);
  return (
    <TextInput
      aria-label="Search tools"
      placeholder="Name or purpose"
      leftSection={<Search size={15} aria-hidden />}
      w={{ base: '100%', xs: 300 }}
      value={written}
      onChange={({ currentTarget }) => setWritten(currentTarget.value)}
    />
  );
}

interface FoundListProps {
  playbook: string;
  found: FoundTools;
  isFiltered: boolean;
  hasTerms: boolean;
  onShowAll: () => void;
}

function FoundList({ playbook, found: { tools, servers }, isFiltered, hasTerms, onShowAll }: FoundListProps) {
  if (tools.length > 0) {
    return (
      <LiveList<Tool>
        label="Tools"
        columns={COLUMNS}
        items={tools}
        keyOf={({ server, tool }) => `${server}/${tool}`}
        cells={(tool) => toolCells(playbook, tool)}
      />
    );
  }
  const offered = servers.reduce((sum, { tool_count: count = 0 }) => sum + count, 0);
  if (!hasTerms && offered > 0) {
    return (
      <EmptyState icon={Search} title={`${offered.toLocaleString()} tools`}>
        Too many tools to list. Search for a tool, or choose a server.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Wrench}
      title={isFiltered ? 'No matching tools' : 'No server is available'}
      action={
        isFiltered ? (
          <Button variant="default" onClick={onShowAll}>
            Show all tools
          </Button>
        ) : undefined
      }
    >
      {isFiltered
        ? 'The search covers names, arguments and descriptions. Remove a filter to see more.'
        : 'The reasons are shown under Servers.'}
    </EmptyState>
  );
}

function toolCells(playbook: string, { server, tool, summary, read_only: readOnly }: Tool): ReactNode[] {
  return [
    <RowLink
      key="tool"
      to="/playbooks/$playbook/tools/$server/$tool"
      params={{ playbook, server, tool }}
      className="tool-name"
    >
      {tool}
    </RowLink>,
    server,
    <span key="summary" className="quiet-cell">
      {summary}
    </span>,
    <Effect key="effect" readOnly={readOnly} />,
  ];
}

function Effect({ readOnly }: { readOnly: boolean }) {
  return readOnly ? (
    <Mark sense="quiet" icon={Eye}>
      Read-only
    </Mark>
  ) : (
    <Mark sense="warn" icon={PencilLine}>
      May make changes
    </Mark>
  );
}

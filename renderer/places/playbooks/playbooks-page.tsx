import './playbooks.css';
import { Badge, Button, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { LayoutGrid, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Playbook } from '../../../shared/api/index.ts';
import { lastEventQuery, playbooksQuery } from '../../api/queries.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { ExportIcon, ImportButton } from './archive-buttons.tsx';
import { FirstRun } from './first-run.tsx';
import { IfMay, MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';

const NewPlaybook = lazy(async () => ({ default: (await import('./new-playbook.tsx')).NewPlaybook }));
const ImportPlaybook = lazy(async () => ({ default: (await import('./import-playbook.tsx')).ImportPlaybook }));

export function PlaybooksPage() {
  const { data, error } = useQuery({ ...playbooksQuery, refetchInterval: 5_000 });
  const mayCreate = useMayCall('create_playbook');
  const mayImport = useMayCall('plan_import');
  const [isMaking, setMaking] = useState(false);
  const { import: isImporting } = useSearch({ from: '/' });
  const navigate = useNavigate();
  return (
    <div className="page">
      <div className="page-inner">
        {data?.length === 0 && mayCreate ? (
          <FirstRun onNew={() => setMaking(true)} />
        ) : (
          <>
            <PageTitle
              title="Playbooks"
              about="A playbook is a set of definitions with its runs, events and analytics."
            >
              <ImportButton />
              <IfMay call="create_playbook">
                <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setMaking(true)}>
                  New playbook
                </Button>
              </IfMay>
            </PageTitle>
            {error !== null && <ProblemView error={error} />}
            {data?.length === 0 && (
              <MissingPermission call="create_playbook" to="create a playbook. There are none yet" />
            )}
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {data === undefined && error === null && [0, 1, 2].map((key) => <Skeleton key={key} height={130} />)}
              {data?.map((playbook) => (
                <PlaybookCard key={playbook.id} playbook={playbook} />
              ))}
            </SimpleGrid>
          </>
        )}
      </div>
      <Suspense>{isMaking && <NewPlaybook onClose={() => setMaking(false)} />}</Suspense>
      <Suspense>
        {isImporting === true && mayCreate && mayImport && (
          <ImportPlaybook
            onClose={() => void navigate({ to: '/', replace: true })}
            onImported={(playbook) =>
              void navigate({ to: '/playbooks/$playbook', params: { playbook }, replace: true })
            }
          />
        )}
      </Suspense>
    </div>
  );
}

function PlaybookCard({ playbook }: { playbook: Playbook }) {
  return (
    <article className="card lift playbook-card">
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
          <LayoutGrid size={17} aria-hidden style={{ color: 'var(--mantine-color-anchor)', flexShrink: 0 }} />
          <Text fw={650} truncate>
            <Link to="/playbooks/$playbook" params={{ playbook: playbook.id }} className="plain playbook-link">
              {playbook.name}
            </Link>
          </Text>
        </Group>
        <Group gap={4} wrap="nowrap" className="playbook-controls">
          {playbook.status === 'retired' && (
            <Badge color="gray" variant="outline" tt="none">
              Retired
            </Badge>
          )}
          <ExportIcon playbook={playbook} />
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mt={6} lineClamp={2} mih={42}>
        {playbook.description === '' ? 'No description' : <InlineCode>{playbook.description}</InlineCode>}
      </Text>
      <Group justify="space-between" mt="sm">
        <Text size="xs" c="dimmed" ff="monospace">
          {playbook.id}
        </Text>
        <Text size="xs" c="dimmed">
          <LastActivity playbook={playbook} />
        </Text>
      </Group>
    </article>
  );
}

/** When anything was last recorded. `updated_at` changes only with the name and description. */
function LastActivity({ playbook }: { playbook: Playbook }) {
  const { data } = useQuery(lastEventQuery(playbook.id));
  if (data === undefined) return null;
  return data === null ? (
    <>
      Created <RelativeTime at={playbook.created_at} />
    </>
  ) : (
    <>
      Updated <RelativeTime at={data.metadata.at} />
    </>
  );
}

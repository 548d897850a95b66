import './versions.css';
import { Button, Group, Radio, Skeleton, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { type DefinitionKey, definitionQuery, versionQuery, versionsQuery } from '../../api/queries.ts';
import { RelativeTime } from '../../ui/times.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useMayCall } from '../../api/session/use-session.ts';

const DiffView = lazy(async () => ({ default: (await import('../../editor/diff-view.tsx')).DiffView }));

/** A comparison of two versions. Both are in the address. */
export function VersionsTab({ definitionKey, definition }: { definitionKey: DefinitionKey; definition: Definition }) {
  const search = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  const navigate = useNavigate();
  const versions = useInfiniteQuery(versionsQuery(definitionKey));
  const after = search.version ?? definition.version;
  const before = search.against ?? Math.max(1, after - 1);
  const isOnly = definition.version === 1;
  const choose = (chosen: { version: number; against: number }): void =>
    void navigate({
      to: '/playbooks/$playbook/definitions/$type/$name',
      params: definitionKey,
      search: { tab: 'versions', ...chosen },
      replace: true,
    });

  return (
    <div className="versions">
      <div className="versions-list">
        {versions.isPending && <Skeleton height={160} />}
        {versions.error !== null && <ProblemView error={versions.error} />}
        <Table verticalSpacing={6} fz="sm">
          <Table.Thead>
            <Table.Tr>
              {!isOnly && (
                <>
                  <Table.Th>Before</Table.Th>
                  <Table.Th>After</Table.Th>
                </>
              )}
              <Table.Th>Version</Table.Th>
              <Table.Th>Saved</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {versions.data?.pages
              .flatMap((page) => page.versions)
              .map(({ version, saved_at, saved_by }) => (
                <Table.Tr key={version}>
                  {!isOnly && (
                    <>
                      <Table.Td>
                        <Radio
                          name="before"
                          aria-label={`Version ${version} before`}
                          checked={version === before}
                          onChange={() => choose({ version: after, against: version })}
                        />
                      </Table.Td>
                      <Table.Td>
                        <Radio
                          name="after"
                          aria-label={`Version ${version} after`}
                          checked={version === after}
                          onChange={() => choose({ version, against: before })}
                        />
                      </Table.Td>
                    </>
                  )}
                  <Table.Td className="number">{version}</Table.Td>
                  <Table.Td>
                    <RelativeTime at={saved_at} />
                    <Text size="xs" c="dimmed">
                      {saved_by}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
        {versions.hasNextPage && (
          <Group justify="center" mt="xs">
            <Button variant="subtle" size="xs" onClick={() => void versions.fetchNextPage()}>
              Earlier versions
            </Button>
          </Group>
        )}
      </div>
      <div className="versions-diff">
        {isOnly ? (
          <Text size="sm" c="dimmed" className="versions-only">
            This is the only version. After the next save, the changes appear here.
          </Text>
        ) : (
          <>
            <DiffHead definitionKey={definitionKey} definition={definition} before={before} after={after} />
            <div className="versions-diff-body">
              <Compared definitionKey={definitionKey} before={before} after={after} />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

/** The compared versions, and a button to restore the older one. */
function DiffHead({
  definitionKey,
  definition,
  before,
  after,
}: {
  definitionKey: DefinitionKey;
  definition: Definition;
  before: number;
  after: number;
}) {
  const client = useQueryClient();
  const mayRestore = useMayCall('update_definition');
  const old = useQuery(versionQuery(definitionKey, before));
  const restoring = useMutation({
    mutationFn: (source: string) => call('update_definition', { ...definitionKey, source }),
    async onSuccess(saved) {
      client.setQueryData(definitionQuery(definitionKey).queryKey, saved);
      await client.invalidateQueries({ queryKey: versionsQuery(definitionKey).queryKey });
      notifications.show({ message: `Version ${before} restored as version ${saved.version}` });
    },
  });
  const { data } = old;
  return (
    <div className="versions-diff-head">
      <Group justify="space-between">
        <Text size="sm">
          {before === after ? `Version ${after} compared with itself` : `From version ${before} to version ${after}`}
        </Text>
        {before !== definition.version && definition.status === 'active' && mayRestore && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Undo2 size={14} aria-hidden />}
            disabled={data === undefined}
            loading={restoring.isPending}
            onClick={() => data !== undefined && restoring.mutate(data.source)}
          >
            Restore version {before}
          </Button>
        )}
      </Group>
      {restoring.error !== null && <ProblemView error={restoring.error} />}
    </div>
  );
}

function Compared({ definitionKey, before, after }: { definitionKey: DefinitionKey; before: number; after: number }) {
  const one = useQuery(versionQuery(definitionKey, before));
  const other = useQuery(versionQuery(definitionKey, after));
  const error = one.error ?? other.error;
  if (error !== null) return <ProblemView error={error} />;
  if (one.data === undefined || other.data === undefined) return <Skeleton height="100%" />;
  return (
    <Suspense fallback={<Skeleton height="100%" />}>
      <DiffView type={definitionKey.type} before={one.data.source} after={other.data.source} />
    </Suspense>
  );
}

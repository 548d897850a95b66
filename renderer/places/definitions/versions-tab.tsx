import { Button, Group, Radio, Skeleton, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Definition } from '../../../shared/schemas/index.ts';
import type { DefinitionKey } from '../../api/operations.ts';
import { versionQuery, versionsQuery } from '../../api/queries.ts';
import { Moment } from '../../ui/moment.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';

const DiffView = lazy(async () => ({ default: (await import('../../editor/diff-view.tsx')).DiffView }));

/** Two versions beside each other. Both stand in the address. */
export function VersionsTab({ definitionKey, definition }: { definitionKey: DefinitionKey; definition: Definition }) {
  const search = useSearch({ from: '/playbooks/$playbook/definitions/$type/$name' });
  const navigate = useNavigate();
  const versions = useInfiniteQuery(versionsQuery(definitionKey));
  const after = search.version ?? definition.version;
  const before = search.against ?? Math.max(1, after - 1);
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
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
              <Table.Th>Version</Table.Th>
              <Table.Th>Saved</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {versions.data?.pages
              .flatMap((page) => page.versions)
              .map(({ version, saved_at, saved_by }) => (
                <Table.Tr key={version}>
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
                  <Table.Td className="number">{version}</Table.Td>
                  <Table.Td>
                    <Moment at={saved_at} />
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
        <Compared definitionKey={definitionKey} before={before} after={after} />
      </div>
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

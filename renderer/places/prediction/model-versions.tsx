import './prediction.css';
import { Button, Group, Skeleton, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AnchorLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { ActivateVersion } from './activate-version.tsx';
import { Builds } from './builds.tsx';
import { figureWords, SCORE_COLUMNS } from './score-table.tsx';
import {
  type ModelVersion,
  modelVersionsQuery,
  type PredictionTabProps,
  type Standing,
  standingOf,
} from './queries.ts';
import { useMayCall } from '../../api/session/use-session.ts';

/** What activated a version. */
const RULES = {
  gate: 'it passed the gate',
  approval: 'it was approved',
  shadow: 'it passed its shadow evaluation',
  caller: 'a caller activated it',
} as const;

/** What a pending version waits for. */
const PENDING = { shadow: 'Pending: shadow evaluation', approval: 'Pending: approval' } as const;

function ModelVersions({ definitionKey: key, definition }: PredictionTabProps) {
  const mayActivate = useMayCall('activate_version');
  const versions = useInfiniteQuery({ ...modelVersionsQuery(key), enabled: definition.status === 'active' });
  const [activating, setActivating] = useState<ModelVersion>();
  const standing = standingOf(definition);
  const listed = versions.data?.pages.flatMap((page) => page.versions) ?? [];
  const { playbook } = key;
  return (
    <section aria-labelledby="model-versions" className="prediction-part">
      <Text id="model-versions" component="h2" fw={650} mb={4}>
        Model versions
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        <ActiveWords standing={standing} />
      </Text>
      {versions.error !== null && <ProblemView error={versions.error} />}
      {versions.isLoading && <Skeleton height={120} />}
      {versions.data !== undefined && listed.length === 0 && (
        <Text size="sm">There is no version yet. A build that finds a usable model creates one.</Text>
      )}
      {listed.length > 0 && (
        <div className="prediction-table" tabIndex={0} role="group" aria-labelledby="model-versions">
          <Table className="number" fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Version</Table.Th>
                <Table.Th>State</Table.Th>
                {SCORE_COLUMNS.map(({ title, about }) => (
                  <Table.Th key={title} title={about} ta="end">
                    {title}
                  </Table.Th>
                ))}
                <Table.Th>Build</Table.Th>
                <Table.Th className="prediction-wide">Model</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {listed.map((one) => (
                <Table.Tr key={one.version}>
                  <Table.Td>{one.version}</Table.Td>
                  <Table.Td>
                    <Group gap="xs" wrap="nowrap">
                      <VersionState version={one} standing={standing} />
                      {!one.active && definition.status === 'active' && mayActivate && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={`Activate version ${one.version}…`}
                          onClick={() => setActivating(one)}
                        >
                          Activate…
                        </Button>
                      )}
                    </Group>
                  </Table.Td>
                  {SCORE_COLUMNS.map(({ name, isShare }) => (
                    <Table.Td key={name} ta="end">
                      {figureWords(one.scores[name], isShare)}
                    </Table.Td>
                  ))}
                  <Table.Td>
                    <AnchorLink to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId: one.run_id }}>
                      {one.run_id.slice(0, 8)}
                    </AnchorLink>
                  </Table.Td>
                  <Table.Td className="prediction-wide">
                    <code title={one.candidate}>{one.candidate.slice(0, 12)}</code>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {versions.hasNextPage && (
        <Button variant="subtle" size="xs" onClick={() => void versions.fetchNextPage()}>
          Earlier versions
        </Button>
      )}
      <ActivateVersion
        definitionKey={key}
        version={activating}
        active={standing?.active ?? undefined}
        onClose={() => setActivating(undefined)}
      />
    </section>
  );
}

function ActiveWords({ standing }: { standing: Standing | undefined }) {
  if (standing === undefined) return 'The function is retired: it answers no questions.';
  if (standing.active === null) {
    return 'No version is active, so questions are not answered yet. The scores are those of the judge windows.';
  }
  const { version, activated_at: at, rule } = standing.active;
  return (
    <>
      Version {version} answers questions. It was activated <RelativeTime at={at} />: {RULES[rule]}. The scores are
      those of the judge windows.
    </>
  );
}

function VersionState({ version, standing }: { version: ModelVersion; standing: Standing | undefined }) {
  if (version.active) return <Mark sense="good">Active</Mark>;
  const pending = standing?.pending;
  return pending?.version === version.version ? <Mark sense="warn">{PENDING[pending.for]}</Mark> : null;
}

/** The model versions of a function and the builds that make them. */
export function ModelsTab(props: PredictionTabProps) {
  return (
    <div className="prediction-tab">
      <ModelVersions {...props} />
      <Builds {...props} />
    </div>
  );
}

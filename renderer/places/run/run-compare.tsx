import { Group, SegmentedControl, Select, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { lazy, Suspense, useState } from 'react';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import type { Json } from '../../../shared/json.ts';
import { differencesOf } from '../../../shared/json-differences.ts';
import { statusText } from '../../../shared/status-label.ts';
import { eventQuery, latestRunsQuery, runQuery, runStartQuery } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { GitCompare } from 'lucide-react';
import { TableHead } from '../../ui/table-head.tsx';

const TextDiff = lazy(async () => ({ default: (await import('../../editor/diff-view.tsx')).TextDiff }));

/** Runs that are offered. */
const OFFERED = 50;
/** Differences that are listed. */
const MOST = 200;
/** Characters of a value in the list. */
const SHOWN = 300;
const VIEWS = ['By path', 'Side by side'];

export interface RunCompareProps {
  playbook: string;
  run: RunWithRecord;
  /** The run that it is compared with. */
  against: string | undefined;
  onAgainst: (runId: string) => void;
}

/** The input and output of two runs of one definition. */
export function RunCompare({ playbook, run, against, onAgainst }: RunCompareProps) {
  const [view, setView] = useState('By path');
  const latest = useQuery(latestRunsQuery(playbook, { type: run.type, name: run.name }, OFFERED));
  const others = (latest.data ?? []).filter(({ run_id: id }) => id !== run.run_id);
  const earlier = others.find(({ started_at: at }) => at < run.started_at) ?? others[0];
  const otherId = against ?? run.origin?.run_id ?? earlier?.run_id;
  if (latest.isPending) return <Skeleton height={200} />;
  if (otherId === undefined) {
    return (
      <EmptyState icon={GitCompare} title="Nothing to compare">
        This is the only run of {run.type}/{run.name}.
      </EmptyState>
    );
  }
  const options = others.map((one) => ({
    value: one.run_id,
    label: `${dayjs(one.started_at).format('D MMM, HH:mm:ss')} · version ${one.definition_version} · ${statusText(one)}`,
  }));
  const isListed = options.some(({ value }) => value === otherId);
  return (
    <Stack>
      <Group align="end" gap="md">
        <Select
          label="Compare with"
          w={380}
          maw="100%"
          searchable
          allowDeselect={false}
          data={isListed ? options : [{ value: otherId, label: `run ${otherId.slice(0, 8)}` }, ...options]}
          value={otherId}
          onChange={(value) => value !== null && onAgainst(value)}
        />
        <SegmentedControl aria-label="View" data={VIEWS} value={view} onChange={setView} />
        <AnchorLink size="sm" pb={8} to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId: otherId }}>
          Open the other run
        </AnchorLink>
      </Group>
      <Compared playbook={playbook} runId={run.run_id} otherId={otherId} isSideBySide={view !== 'By path'} />
    </Stack>
  );
}

interface RunValues {
  input: Json | undefined;
  output: Json | undefined;
}

/** The input and output of a run, in full. */
function useValues(playbook: string, runId: string): { values: RunValues | undefined; error: Error | null } {
  const run = useQuery(runQuery(playbook, runId));
  const start = useQuery(runStartQuery(playbook, runId));
  const event = useQuery({ ...eventQuery(playbook, start.data?.id ?? ''), enabled: start.data !== undefined });
  const values =
    run.data === undefined || event.data === undefined
      ? undefined
      : { input: event.data.data['input'], output: run.data.output };
  return { values, error: run.error ?? start.error ?? event.error };
}

function Compared({
  playbook,
  runId,
  otherId,
  isSideBySide,
}: {
  playbook: string;
  runId: string;
  otherId: string;
  isSideBySide: boolean;
}) {
  const own = useValues(playbook, runId);
  const other = useValues(playbook, otherId);
  const error = own.error ?? other.error;
  if (error !== null) return <ProblemView error={error} />;
  if (own.values === undefined || other.values === undefined) return <Skeleton height={200} />;
  return (
    <>
      {(['input', 'output'] as const).map((member) => (
        <section key={member} aria-label={`Compared ${member}`}>
          <Text component="h2" fw={650} size="sm" mb={6}>
            {member === 'input' ? 'Input' : 'Output'}
          </Text>
          <Values before={other.values?.[member]} after={own.values?.[member]} isSideBySide={isSideBySide} />
        </section>
      ))}
    </>
  );
}

function Values({
  before,
  after,
  isSideBySide,
}: {
  before: Json | undefined;
  after: Json | undefined;
  isSideBySide: boolean;
}) {
  if (before === undefined && after === undefined) return <Quiet>Neither run has one.</Quiet>;
  if (isSideBySide) {
    return (
      <div className="run-diff">
        <Suspense fallback={<Skeleton height="100%" />}>
          <TextDiff language="yaml" before={pretty(before)} after={pretty(after)} labels={SIDES} />
        </Suspense>
      </div>
    );
  }
  if (before === undefined) return <Quiet>Only this run has one.</Quiet>;
  if (after === undefined) return <Quiet>Only the other run has one.</Quiet>;
  const differences = differencesOf(before, after, MOST);
  if (differences.length === 0) return <Quiet>Equal in both runs.</Quiet>;
  return (
    <div className="card" style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label="Differences">
      <Table fz="sm" verticalSpacing={5}>
        <TableHead titles={['Path', 'Other run', 'This run']} />
        <Table.Tbody>
          {differences.map(({ pointer, expected, returned }) => (
            <Table.Tr key={pointer}>
              <Table.Td ff="monospace">{pointer === '' ? 'The whole value' : pointer}</Table.Td>
              <Table.Td className="run-diff-value">{short(expected)}</Table.Td>
              <Table.Td className="run-diff-value">{short(returned)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {differences.length === MOST && <Quiet>{`The first ${MOST} differences.`}</Quiet>}
    </div>
  );
}

const SIDES = ['The other run', 'This run'] as const;

function Quiet({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function pretty(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, undefined, 2);
}

function short(value: Json | undefined): string {
  if (value === undefined) return '–';
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

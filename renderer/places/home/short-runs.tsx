import { Anchor, Group, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RunListEntry } from '../../../shared/schemas/index.ts';
import type { RunStatus } from '../../api/operations.ts';
import { Moment } from '../../ui/moment.tsx';
import { Status } from '../../ui/status.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';

export interface ShortRunsProps {
  playbook: string;
  title: string;
  runs: readonly RunListEntry[] | undefined;
  search: { status: RunStatus };
  nothing: string;
}

export function ShortRuns({ playbook, title, runs, search, nothing }: ShortRunsProps) {
  return (
    <section className="card" aria-label={title} style={{ height: '100%' }}>
      <Group justify="space-between" mb={6}>
        <Text fw={650} component="h2">
          {title}
        </Text>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/playbooks/$playbook/runs" params={{ playbook }} search={search} />
          )}
        >
          All
        </Anchor>
      </Group>
      {runs === undefined && <Skeleton height={90} />}
      {runs?.length === 0 && (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      )}
      {runs?.map((run) => (
        <Link
          key={run.run_id}
          to="/playbooks/$playbook/runs/$runId"
          params={{ playbook, runId: run.run_id }}
          className="short-run plain"
        >
          <Group gap={8} wrap="nowrap" style={{ minWidth: 0, flex: 1 }}>
            <TypeIcon type={run.type} />
            <Text size="sm" truncate>
              {run.name}
            </Text>
          </Group>
          <Text size="sm" component="span">
            <Status status={run.status} reason={run.kind ?? run.reason} />
          </Text>
          <Text size="xs" c="dimmed" w={118} ta="end" component="span">
            <Moment at={run.started_at} />
          </Text>
        </Link>
      ))}
    </section>
  );
}

import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RunListEntry } from '../../shared/api/index.ts';
import type { StatusFilter } from '../../shared/status-label.ts';
import { AnchorLink } from './links.tsx';
import { RelativeTime } from './times.tsx';
import { Status } from './status.tsx';
import { ShortList, ShortName } from './short-list.tsx';

export interface ShortRunsProps {
  playbook: string;
  title: string;
  runs: readonly RunListEntry[] | undefined;
  /** Links to the full lists. */
  all: readonly { label: string; status: StatusFilter }[];
  nothing: string;
}

export function ShortRuns({ playbook, title, runs, all, nothing }: ShortRunsProps) {
  const lists = (
    <Group gap="sm">
      {all.map(({ label, status }) => (
        <AnchorLink key={status} size="sm" to="/playbooks/$playbook/runs" params={{ playbook }} search={{ status }}>
          {label}
        </AnchorLink>
      ))}
    </Group>
  );
  return (
    <ShortList title={title} all={lists} items={runs} height={90} nothing={nothing}>
      {(run) => (
        <Link
          key={run.run_id}
          to="/playbooks/$playbook/runs/$runId"
          params={{ playbook, runId: run.run_id }}
          className="short-run plain"
        >
          <ShortName type={run.type}>{run.name}</ShortName>
          <Text size="sm" component="span">
            <Status run={run} />
          </Text>
          <Text size="xs" c="dimmed" className="short-time" component="span">
            <RelativeTime at={run.started_at} />
          </Text>
        </Link>
      )}
    </ShortList>
  );
}

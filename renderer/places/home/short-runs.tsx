import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RunListEntry } from '../../../shared/schemas/index.ts';
import type { RunStatus } from '../../api/operations.ts';
import { Moment } from '../../ui/moment.tsx';
import { Status } from '../../ui/status.tsx';
import { ShortList, ShortName } from './short-list.tsx';

export interface ShortRunsProps {
  playbook: string;
  title: string;
  runs: readonly RunListEntry[] | undefined;
  search: { status: RunStatus };
  nothing: string;
}

export function ShortRuns({ playbook, title, runs, search, nothing }: ShortRunsProps) {
  const all = (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/runs" params={{ playbook }} search={search} />}
    >
      All
    </Anchor>
  );
  return (
    <ShortList title={title} all={all} items={runs} height={90} nothing={nothing}>
      {(run) => (
        <Link
          key={run.run_id}
          to="/playbooks/$playbook/runs/$runId"
          params={{ playbook, runId: run.run_id }}
          className="short-run plain"
        >
          <ShortName type={run.type}>{run.name}</ShortName>
          <Text size="sm" component="span">
            <Status status={run.status} reason={run.kind ?? run.reason} />
          </Text>
          <Text size="xs" c="dimmed" w={118} ta="end" component="span">
            <Moment at={run.started_at} />
          </Text>
        </Link>
      )}
    </ShortList>
  );
}

import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunListEntry } from '../../../shared/api/index.ts';
import { RelativeTime, RunDuration } from '../../ui/times.tsx';
import { RowLink } from '../../ui/list-row.tsx';
import { Status } from '../../ui/status.tsx';
import { TypeIcon } from '../../ui/type-icon.tsx';

export function runCells(playbook: string, run: RunListEntry): ReactNode[] {
  return [
    <Group key="definition" gap={8} wrap="nowrap">
      <TypeIcon type={run.type} />
      <RowLink to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId: run.run_id }} className="cell">
        {run.name}
      </RowLink>
      <Text span size="xs" c="dimmed">
        v{run.definition_version}
      </Text>
    </Group>,
    <Status key="status" run={run} />,
    <RelativeTime key="started" at={run.started_at} />,
    <RunDuration key="took" run={run} />,
    <Text key="by" span size="sm" c="dimmed">
      {startedBy(run)}
    </Text>,
  ];
}

function startedBy({ called_by, trigger, started_by }: RunListEntry): string {
  if (called_by !== undefined) return called_by.run.split('/').at(-1) ?? called_by.run;
  return trigger === undefined ? started_by : `trigger: ${trigger.kind}`;
}

import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import dayjs from 'dayjs';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { RunStatus } from '../../api/operations.ts';
import { durationWords } from '../../ui/durations.ts';
import type { Days } from './day-chart.tsx';

const TITLES = ['Day', 'Succeeded', 'Rejected', 'Failed', 'p50', 'p95', 'Tokens'];
const STATUSES = ['succeeded', 'rejected', 'failed'] as const;

interface RunsOfDay {
  day: string;
  status?: RunStatus;
  type?: DefinitionType;
}

export interface DayTableProps {
  playbook: string;
  days: Days;
  runsOf: (day: string, status?: RunStatus) => RunsOfDay;
}

/** The days on which runs ended; a day and each of its counts opens those runs. */
export function DayTable({ playbook, days, runsOf }: DayTableProps) {
  const words = (milliseconds: number | null): string => (milliseconds === null ? '–' : durationWords(milliseconds));
  const opens = (label: string, text: string, search: RunsOfDay) => (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link
          {...props}
          to="/playbooks/$playbook/runs"
          params={{ playbook }}
          search={search}
          {...(label === text ? {} : { 'aria-label': label })}
        />
      )}
    >
      {text}
    </Anchor>
  );
  return (
    <Table mt="xs" className="number">
      <Table.Thead>
        <Table.Tr>
          {TITLES.map((title) => (
            <Table.Th key={title}>{title}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days
          .filter(({ runs }) => runs.total > 0)
          .map(({ day, runs, duration_ms, tokens }) => {
            const title = dayjs(day).format('D MMM YYYY');
            return (
              <Table.Tr key={day}>
                <Table.Td>{opens(title, title, runsOf(day))}</Table.Td>
                {STATUSES.map((status) => (
                  <Table.Td key={status}>
                    {runs[status] === 0
                      ? 0
                      : opens(
                          `${runs[status]} ${status} on ${title}`,
                          runs[status].toLocaleString(),
                          runsOf(day, status),
                        )}
                  </Table.Td>
                ))}
                <Table.Td>{words(duration_ms.p50)}</Table.Td>
                <Table.Td>{words(duration_ms.p95)}</Table.Td>
                <Table.Td>{(tokens.input + tokens.output).toLocaleString()}</Table.Td>
              </Table.Tr>
            );
          })}
      </Table.Tbody>
    </Table>
  );
}

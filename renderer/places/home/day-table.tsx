import { Table } from '@mantine/core';
import dayjs from 'dayjs';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { RUN_OUTCOME_NAMES, RUN_OUTCOMES, type RunOutcome, type StatusFilter } from '../../../shared/status-label.ts';
import { durationWords } from '../../../shared/duration-words.ts';
import { AnchorLink } from '../../ui/links.tsx';
import type { Days } from './day-chart.tsx';
import { TableHead } from '../../ui/table-head.tsx';

interface RunsOfDay {
  day: string;
  status?: StatusFilter;
  outcome?: RunOutcome;
  type?: DefinitionType;
}

export interface DayTableProps {
  playbook: string;
  days: Days;
  runsOf: (day: string, outcome?: RunOutcome) => RunsOfDay;
}

/** The days on which runs ended. Each day and each count links to its runs. */
export function DayTable({ playbook, days, runsOf }: DayTableProps) {
  const shown = RUN_OUTCOME_NAMES.filter((outcome) => days.some(({ outcomes }) => outcomes[outcome] > 0));
  const titles = ['Day', ...shown.map((outcome) => RUN_OUTCOMES[outcome]), 'p50', 'p95', 'Tokens'];
  const words = (milliseconds: number | null): string => (milliseconds === null ? '–' : durationWords(milliseconds));
  const opens = (label: string, text: string, search: RunsOfDay) => (
    <AnchorLink
      to="/playbooks/$playbook/runs"
      params={{ playbook }}
      search={search}
      {...(label === text ? {} : { 'aria-label': label })}
    >
      {text}
    </AnchorLink>
  );
  return (
    <div className="day-table">
      <Table mt="xs" className="number">
        <TableHead titles={titles} />
        <Table.Tbody>
          {days
            .filter(({ runs }) => runs.total > 0)
            .map(({ day, outcomes, duration_ms, tokens }) => {
              const title = dayjs(day).format('D MMM YYYY');
              return (
                <Table.Tr key={day}>
                  <Table.Td>{opens(title, title, runsOf(day))}</Table.Td>
                  {shown.map((outcome) => (
                    <Table.Td key={outcome}>
                      {outcomes[outcome] === 0
                        ? 0
                        : opens(
                            `${outcomes[outcome]} ${RUN_OUTCOMES[outcome].toLowerCase()} on ${title}`,
                            outcomes[outcome].toLocaleString(),
                            runsOf(day, outcome),
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
    </div>
  );
}

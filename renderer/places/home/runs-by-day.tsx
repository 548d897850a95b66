import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Anchor, Table } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import dayjs from 'dayjs';
import type { Analytics } from '../../../shared/schemas/index.ts';
import { durationWords } from '../../ui/durations.ts';

type Days = Analytics['by_day'];

const SERIES = [
  { name: 'succeeded', label: 'Succeeded', color: 'teal.6' },
  { name: 'rejected', label: 'Rejected', color: 'yellow.6' },
  { name: 'failed', label: 'Failed', color: 'red.6' },
] as const;

/** A bar opens the runs of its day; the table below is its twin for the keyboard and for reading aloud. */
export function RunsByDay({ playbook, days }: { playbook: string; days: Days }) {
  const navigate = useNavigate();
  const open = (day: string, status?: 'succeeded' | 'rejected' | 'failed'): void =>
    void navigate({
      to: '/playbooks/$playbook/runs',
      params: { playbook },
      search: { day, ...(status === undefined ? {} : { status }) },
    });
  return (
    <>
      <div aria-hidden>
        <BarChart
          h={262}
          data={days.map(({ day, runs }) => ({ day, ...runs }))}
          dataKey="day"
          type="stacked"
          series={[...SERIES]}
          withLegend
          legendProps={{ verticalAlign: 'bottom', height: 30 }}
          tickLine="none"
          valueFormatter={(value) => value.toLocaleString()}
          xAxisProps={{ tickFormatter: (day: string) => dayjs(day).format('D MMM'), minTickGap: 24 }}
          yAxisProps={{ allowDecimals: false, width: 36 }}
          barProps={({ name }) => ({
            isAnimationActive: false,
            maxBarSize: 36,
            cursor: 'pointer',
            onClick: (bar: { payload?: { day?: string } }) => {
              if (bar.payload?.day !== undefined) open(bar.payload.day, name as 'succeeded');
            },
          })}
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <details>
        <summary>As a table</summary>
        <Table mt="xs" className="number">
          <Table.Thead>
            <Table.Tr>
              {['Day', 'Succeeded', 'Rejected', 'Failed', 'p50', 'p95', 'Tokens'].map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days
              .filter(({ runs }) => runs.total > 0)
              .map(({ day, runs, duration_ms, tokens }) => (
                <Table.Tr key={day}>
                  <Table.Td>
                    <Anchor
                      component={Link}
                      to="/playbooks/$playbook/runs"
                      params={{ playbook } as never}
                      search={{ day } as never}
                    >
                      {dayjs(day).format('D MMM YYYY')}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{runs.succeeded}</Table.Td>
                  <Table.Td>{runs.rejected}</Table.Td>
                  <Table.Td>{runs.failed}</Table.Td>
                  <Table.Td>{duration_ms.p50 === null ? '–' : durationWords(duration_ms.p50)}</Table.Td>
                  <Table.Td>{duration_ms.p95 === null ? '–' : durationWords(duration_ms.p95)}</Table.Td>
                  <Table.Td>{tokens.input + tokens.output}</Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </details>
    </>
  );
}

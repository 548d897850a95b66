import '@mantine/charts/styles.layer.css';
import { LineChart } from '@mantine/charts';
import { Table } from '@mantine/core';
import type { ShapeOutput } from '../../shared/shapes/index.ts';

type Series = ShapeOutput<'series'>;

const COLOURS = ['indigo.5', 'teal.6', 'orange.6', 'grape.5', 'cyan.7', 'pink.5', 'lime.8', 'red.5'];

/** A line chart, and a table with the same data and the intervals for screen readers. */
export function SeriesView({ output }: { output: Series }) {
  const rows = rowsOf(output);
  const { unit, lines } = output;
  return (
    <div className="card">
      <div aria-hidden>
        <LineChart
          h={300}
          data={rows}
          dataKey="at"
          curveType="linear"
          withLegend={lines.length > 1}
          withDots={rows.length < 60}
          connectNulls={false}
          series={lines.map(({ name }, index) => ({ name, color: COLOURS[index % COLOURS.length] ?? 'indigo.5' }))}
          valueFormatter={(value) =>
            unit === undefined ? value.toLocaleString() : `${value.toLocaleString()} ${unit}`
          }
          yAxisProps={{ width: 56, tickFormatter: (value: number) => value.toLocaleString() }}
          {...(unit === undefined ? {} : { yAxisLabel: unit })}
          xAxisProps={{ minTickGap: 30 }}
          lineProps={{ isAnimationActive: false }}
          lineChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <details>
        <summary>As a table</summary>
        <Table mt="xs" className="number">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              {lines.map(({ name }) => (
                <Table.Th key={name}>{unit === undefined ? name : `${name}, ${unit}`}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={String(row['at'])}>
                <Table.Td>{row['at']}</Table.Td>
                {lines.map((line) => (
                  <Table.Td key={line.name}>{pointWords(line, String(row['at']))}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </div>
  );
}

type Row = Record<string, string | number | null>;

function rowsOf({ lines }: Series): Row[] {
  const rows = new Map<string, Row>();
  for (const { name, points } of lines) {
    for (const { at, value } of points) {
      const row = rows.get(at) ?? { at };
      row[name] = value;
      rows.set(at, row);
    }
  }
  return [...rows.values()].toSorted((a, b) => String(a['at']).localeCompare(String(b['at'])));
}

function pointWords({ points }: Series['lines'][number], at: string): string {
  const point = points.find((one) => one.at === at);
  if (point === undefined || point.value === null) return '';
  const { value, low, high } = point;
  const words = value.toLocaleString();
  return low === undefined || high === undefined
    ? words
    : `${words} (${low.toLocaleString()} to ${high.toLocaleString()})`;
}

import '@mantine/charts/styles.layer.css';
import { CompositeChart } from '@mantine/charts';
import { Paper, Table, Text } from '@mantine/core';
import { bandName, hasInterval, pointWords, type Series, seriesRows } from './series-rows.ts';

const COLOURS = ['indigo.5', 'teal.6', 'orange.6', 'grape.5', 'cyan.7', 'pink.5', 'lime.8', 'red.5'];

/** More points are drawn without dots. */
const MOST_DOTS = 60;

/** A line chart with the intervals as bands, and a table with the same data for screen readers. */
export function SeriesView({ output, isPart = false }: { output: Series /** Set inside a card. */; isPart?: boolean }) {
  const rows = seriesRows(output);
  const { unit, lines } = output;
  const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? 'indigo.5';
  const banded = new Set(lines.filter(hasInterval).map(({ name }) => name));
  const bands = lines.flatMap(({ name }, index) =>
    banded.has(name) ? [{ name: bandName(name), color: colourOf(index), type: 'area' as const }] : [],
  );
  const drawn = lines.map(({ name }, index) => ({ name, color: colourOf(index), type: 'line' as const }));
  return (
    <div className={isPart ? undefined : 'card'}>
      <div aria-hidden>
        <CompositeChart
          h={300}
          data={rows}
          dataKey="at"
          curveType="linear"
          withLegend={bands.length + drawn.length > 1}
          withDots={rows.length < MOST_DOTS}
          connectNulls={false}
          series={[...bands, ...drawn]}
          // A forecast of one period is a dot.
          lineProps={({ name }) => (banded.has(name) && rows.length >= MOST_DOTS ? { dot: { r: 2 } } : {})}
          areaProps={{ dot: false, activeDot: false, strokeOpacity: 0, fillOpacity: 0.25 }}
          tooltipProps={{ content: ({ label }) => <PointTooltip output={output} at={String(label)} /> }}
          yAxisProps={{ width: 56, tickFormatter: (value: number) => value.toLocaleString() }}
          {...(unit === undefined ? {} : { yAxisLabel: unit })}
          xAxisProps={{ minTickGap: 30 }}
          composedChartProps={{ accessibilityLayer: false }}
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
            {rows.map(({ at }) => (
              <Table.Tr key={at}>
                <Table.Td>{at}</Table.Td>
                {lines.map((line) => (
                  <Table.Td key={line.name}>{pointWords(line, at)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </div>
  );
}

function PointTooltip({ output: { lines, unit }, at }: { output: Series; at: string }) {
  return (
    <Paper withBorder shadow="md" px="sm" py={6} className="number">
      <Text size="xs" fw={600}>
        {at}
      </Text>
      {lines.map((line) => {
        const words = pointWords(line, at);
        return (
          words !== '' && (
            <Text key={line.name} size="xs">
              {line.name}: {words} {unit}
            </Text>
          )
        );
      })}
    </Paper>
  );
}

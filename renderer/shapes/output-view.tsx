import { Group, SegmentedControl, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import { Circle, CircleCheck } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { assertNever } from '../../shared/assert-never.ts';
import type { ShapeName, ShapeOutput } from '../../shared/shapes/index.ts';
import { JsonView } from '../ui/json/json-view.tsx';
import { rowsTable, TableView } from './table-view.tsx';

const SeriesView = lazy(async () => ({ default: (await import('./series-view.tsx')).SeriesView }));
const Markdown = lazy(async () => ({ default: (await import('../ui/markdown.tsx')).Markdown }));

const SHAPE_NAMES: Readonly<Record<ShapeName, true>> = {
  series: true,
  table: true,
  metric: true,
  markdown: true,
  choice: true,
  timeline: true,
};

export interface OutputViewProps {
  output: unknown;
  shape: string | undefined;
  /** Shown in one line with the controls. */
  heading?: ReactNode;
}

/** Renders an output according to its shape, if it has one, and a list of records as a table. The service has already checked the output. */
export function OutputView({ output, shape, heading }: OutputViewProps) {
  const [asJson, setAsJson] = useState(false);
  const name = shape !== undefined && Object.hasOwn(SHAPE_NAMES, shape) ? (shape as ShapeName) : undefined;
  const text = name === undefined ? modelText(output) : undefined;
  const table = name === undefined ? rowsTable(output) : undefined;
  const isPlain = name === undefined && text === undefined && table === undefined;
  if (isPlain) return <JsonView value={output} label="Output" heading={heading} />;
  const formatted = table === undefined ? 'Formatted' : 'Table';
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <div>{heading}</div>
        <SegmentedControl
          size="xs"
          aria-label="Show the output as"
          data={[formatted, 'JSON']}
          value={asJson ? 'JSON' : formatted}
          onChange={(value) => setAsJson(value === 'JSON')}
        />
      </Group>
      {asJson ? (
        <JsonView value={output} label="Output" />
      ) : (
        <Suspense fallback={<Skeleton height={200} />}>
          {table !== undefined && <TableView output={table} />}
          {text !== undefined && render('markdown', { markdown: text })}
          {name !== undefined && render(name, output)}
        </Suspense>
      )}
    </Stack>
  );
}

/** The text of the model, if the output is that of a reasoning function without an output schema. */
function modelText(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || Object.keys(output).length !== 1) return undefined;
  const { text } = output as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

function render(name: ShapeName, output: unknown): ReactNode {
  switch (name) {
    case 'series':
      return <SeriesView output={output as ShapeOutput<'series'>} />;
    case 'table':
      return <TableView output={output as ShapeOutput<'table'>} />;
    case 'metric':
      return <MetricView output={output as ShapeOutput<'metric'>} />;
    case 'markdown':
      return (
        <div className="card">
          <Markdown text={(output as ShapeOutput<'markdown'>).markdown} />
        </div>
      );
    case 'choice':
      return <ChoiceView output={output as ShapeOutput<'choice'>} />;
    case 'timeline':
      return <TimelineView output={output as ShapeOutput<'timeline'>} />;
    default:
      return assertNever(name);
  }
}

function ChoiceView({ output: { options, chosen } }: { output: ShapeOutput<'choice'> }) {
  return (
    <Stack gap={6} className="card">
      {options.map(({ id, label }) => (
        <Group key={id} gap={8}>
          {id === chosen ? (
            <CircleCheck size={18} style={{ color: 'var(--cue-good)' }} role="img" aria-label="Chosen" />
          ) : (
            <Circle size={18} style={{ color: 'var(--cue-quiet)' }} role="img" aria-label="Not chosen" />
          )}
          <Text size="sm" fw={id === chosen ? 600 : 400}>
            {label}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

function MetricView({ output: { label, value, unit } }: { output: ShapeOutput<'metric'> }) {
  return (
    <div className="card">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={36} fw={650} lts="-0.02em" className="number">
        {typeof value === 'number' ? value.toLocaleString() : value}
        {unit !== undefined && (
          <Text span c="dimmed" fz="lg" ml={8}>
            {unit}
          </Text>
        )}
      </Text>
    </div>
  );
}

function TimelineView({ output: { entries } }: { output: ShapeOutput<'timeline'> }) {
  return (
    <div className="card">
      <Timeline bulletSize={14} lineWidth={2} active={entries.length}>
        {entries.map(({ at, title, detail }, index) => (
          <Timeline.Item key={index} title={title}>
            {detail !== undefined && <Text size="sm">{detail}</Text>}
            <Text size="xs" c="dimmed">
              {at}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </div>
  );
}

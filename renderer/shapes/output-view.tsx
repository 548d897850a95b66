import { Group, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { assertNever } from '../../shared/assert-never.ts';
import type { ShapeName, ShapeOutput } from '../../shared/shapes/index.ts';
import { JsonView } from '../ui/json-view.tsx';
import { ChoiceView } from './choice-view.tsx';
import { MetricView } from './metric-view.tsx';
import { TableView } from './table-view.tsx';
import { TimelineView } from './timeline-view.tsx';

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

/** An output, drawn by its shape where it has one. The service has checked that it fits. */
export function OutputView({ output, shape }: { output: unknown; shape: string | undefined }) {
  const [asJson, setAsJson] = useState(false);
  const name = shape !== undefined && Object.hasOwn(SHAPE_NAMES, shape) ? (shape as ShapeName) : undefined;
  const text = textAlone(output);
  if (name === undefined && text === undefined) return <JsonView value={output} label="Output" />;
  return (
    <Stack gap="xs">
      <Group justify="flex-end">
        <SegmentedControl
          size="xs"
          aria-label="How the output is shown"
          data={['Drawn', 'JSON']}
          value={asJson ? 'JSON' : 'Drawn'}
          onChange={(value) => setAsJson(value === 'JSON')}
        />
      </Group>
      {asJson ? (
        <JsonView value={output} label="Output" />
      ) : (
        <Suspense fallback={<Skeleton height={200} />}>
          {name === undefined ? drawn('markdown', { markdown: text }) : drawn(name, output)}
        </Suspense>
      )}
    </Stack>
  );
}

/** What a reasoning function without an output schema gives: the model's words. */
function textAlone(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || Object.keys(output).length !== 1) return undefined;
  const { text } = output as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

function drawn(name: ShapeName, output: unknown): ReactNode {
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

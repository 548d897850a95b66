import { Text, Timeline } from '@mantine/core';
import type { ShapeOutput } from '../../shared/shapes/index.ts';

export function TimelineView({ output: { entries } }: { output: ShapeOutput<'timeline'> }) {
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

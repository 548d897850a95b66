import { Text } from '@mantine/core';
import type { ShapeOutput } from '../../shared/shapes/index.ts';

export function MetricView({ output: { label, value, unit } }: { output: ShapeOutput<'metric'> }) {
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

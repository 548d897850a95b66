import { Group, Stack, Text } from '@mantine/core';
import { Circle, CircleCheck } from 'lucide-react';
import type { ShapeOutput } from '../../shared/shapes/index.ts';

export function ChoiceView({ output: { options, chosen } }: { output: ShapeOutput<'choice'> }) {
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

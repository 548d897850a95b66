import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';

/** A filter that came with the address, and the way out of it. */
export function FilterChip({ all, onAll, children }: { all: string; onAll: () => void; children: string }) {
  return (
    <Group gap={4} className="chip">
      <Text size="sm">{children}</Text>
      <Tooltip label={all}>
        <ActionIcon size="xs" variant="subtle" color="gray" aria-label={all} onClick={onAll}>
          <X size={14} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

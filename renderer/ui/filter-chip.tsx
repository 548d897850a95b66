import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';

/** An active filter, with a button that removes it. */
export function FilterChip({
  clearLabel,
  onClear,
  children,
}: {
  clearLabel: string;
  onClear: () => void;
  children: string;
}) {
  return (
    <Group gap={4} className="chip">
      <Text size="sm">{children}</Text>
      <Tooltip label={clearLabel}>
        <ActionIcon size="xs" variant="subtle" color="gray" aria-label={clearLabel} onClick={onClear}>
          <X size={14} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

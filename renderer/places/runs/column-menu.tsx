import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { DEFAULT_RUN_COLUMNS, isRunColumn, RUN_COLUMN_IDS, type RunColumnId, titleOfColumn } from './run-columns.tsx';

export interface ColumnMenuProps {
  chosen: readonly RunColumnId[];
  onChange: (chosen: readonly RunColumnId[]) => void;
}

/** Chooses the columns of the list of runs. */
export function ColumnMenu({ chosen, onChange }: ColumnMenuProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus width={190} position="bottom-end" shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Columns3 size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Checkbox.Group
          aria-label="Columns"
          value={[...chosen]}
          onChange={(ids) => onChange(ids.filter((id) => isRunColumn(id)))}
        >
          <Stack gap={10}>
            {RUN_COLUMN_IDS.map((id) => (
              <Checkbox key={id} size="xs" value={id} label={titleOfColumn(id)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button mt="sm" size="compact-sm" variant="default" onClick={() => onChange(DEFAULT_RUN_COLUMNS)}>
          Default columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

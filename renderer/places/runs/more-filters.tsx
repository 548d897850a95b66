import { Button, Popover, Stack, Switch, TextInput, type TextInputProps } from '@mantine/core';
import dayjs from 'dayjs';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { RunFilters } from '../../api/queries.ts';

export interface SeldomFilters extends Pick<RunFilters, Exclude<(typeof MORE_FILTERS)[number], 'top_level'>> {
  top_level?: true;
}

const MORE_FILTERS = ['since', 'until', 'started_by', 'event', 'called_by', 'top_level'] as const;

interface MoreFiltersProps {
  filters: SeldomFilters;
  onChange: (changed: { [Name in keyof SeldomFilters]?: SeldomFilters[Name] | undefined }) => void;
}

/** The filters of runs that are seldom needed. */
export function MoreFilters({ filters, onChange }: MoreFiltersProps) {
  const [opened, setOpened] = useState(false);
  const active = MORE_FILTERS.filter((name) => filters[name] !== undefined).length;
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus width={320} position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<SlidersHorizontal size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {active === 0 ? 'More filters' : `More filters (${active})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="More filters">
        <Stack gap="sm">
          <TextInput
            label="Started from"
            type="datetime-local"
            value={localTime(filters.since)}
            onChange={({ currentTarget }) => onChange({ since: isoTime(currentTarget.value) })}
          />
          <TextInput
            label="Started before"
            type="datetime-local"
            value={localTime(filters.until)}
            onChange={({ currentTarget }) => onChange({ until: isoTime(currentTarget.value) })}
          />
          <LateField
            label="Started by"
            placeholder="developer or key:NAME"
            value={filters.started_by}
            onChange={(value) => onChange({ started_by: value })}
          />
          <LateField
            label="Event ID"
            description="Runs that the event started"
            value={filters.event}
            onChange={(value) => onChange({ event: value })}
          />
          <LateField
            label="Calling run"
            description="Runs that the run with this ID called"
            value={filters.called_by}
            onChange={(value) => onChange({ called_by: value })}
          />
          <Switch
            label="Top-level runs only"
            checked={filters.top_level === true}
            onChange={({ currentTarget }) => onChange({ top_level: currentTarget.checked ? true : undefined })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface LateFieldProps {
  label?: string;
  'aria-label'?: string;
  description?: string;
  placeholder?: string;
  w?: TextInputProps['w'];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A text that filters once it is complete: by Enter, or when the field loses the focus. */
export function LateField({ value, onChange, ...props }: LateFieldProps) {
  const change = (text: string): void => {
    const changed = text.trim() || undefined;
    if (changed !== value) onChange(changed);
  };
  return (
    <TextInput
      {...props}
      key={value ?? ''}
      defaultValue={value ?? ''}
      onBlur={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') change(currentTarget.value);
      }}
    />
  );
}

function localTime(time: string | undefined): string {
  return time === undefined || !dayjs(time).isValid() ? '' : dayjs(time).format('YYYY-MM-DDTHH:mm');
}

function isoTime(local: string): string | undefined {
  return local === '' || !dayjs(local).isValid() ? undefined : dayjs(local).toISOString();
}

import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { ButtonLink } from '../../ui/links.tsx';
import { readStored, writeStored } from '../../ui/browser-storage.ts';

type Filters = Readonly<Record<string, unknown>>;

interface SavedFilter {
  name: string;
  search: Filters;
}

const keyOf = (playbook: string): string => `run-filters ${playbook}`;

/** Filters of a playbook's runs under names, in the browser's storage. */
export function SavedFilters({ playbook, search }: { playbook: string; search: Filters }) {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const [saved, setSaved] = useState(() => savedFilters(readStored('localStorage', keyOf(playbook))));
  const store = (filters: SavedFilter[]): void => {
    writeStored('localStorage', keyOf(playbook), filters);
    setSaved(filters);
  };
  const save = (): void => {
    store([...saved.filter((one) => one.name !== name.trim()), { name: name.trim(), search }]);
    setName('');
  };
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus width={300} position="bottom-start" shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<Bookmark size={14} aria-hidden />} onClick={() => setOpened(!opened)}>
          Saved filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved filters">
        <Stack gap="xs">
          {saved.map((one) => (
            <Group key={one.name} gap={4} wrap="nowrap" justify="space-between">
              <ButtonLink
                size="compact-sm"
                variant="subtle"
                onClick={() => setOpened(false)}
                to="/playbooks/$playbook/runs"
                params={{ playbook }}
                search={one.search}
              >
                {one.name}
              </ButtonLink>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={`Remove ${one.name}`}
                onClick={() => store(saved.filter((other) => other !== one))}
              >
                <X size={14} />
              </ActionIcon>
            </Group>
          ))}
          {!isFiltered && saved.length === 0 && <Text size="sm">Choose filters, then save them here.</Text>}
          {isFiltered && (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                if (name.trim() !== '') save();
              }}
            >
              <Group gap="xs" wrap="nowrap" align="end">
                <TextInput
                  label="Name"
                  flex={1}
                  miw={0}
                  maxLength={60}
                  value={name}
                  onChange={({ currentTarget }) => setName(currentTarget.value)}
                />
                <Button type="submit" flex="none" disabled={name.trim() === ''}>
                  Save
                </Button>
              </Group>
            </form>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function savedFilters(stored: unknown): SavedFilter[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Partial<SavedFilter>[]).flatMap((one) =>
    typeof one?.name === 'string' && typeof one.search === 'object' && one.search !== null
      ? [{ name: one.name, search: one.search }]
      : [],
  );
}

import '@mantine/spotlight/styles.layer.css';
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { LayoutGrid, Moon, Plus, Sun } from 'lucide-react';
import { useEffect } from 'react';
import { definitionsQuery, playbooksQuery } from '../api/queries.ts';
import { TypeIcon } from '../ui/type-icon.tsx';
import { usePaletteGroups } from './palette-groups.ts';
import { PLACES } from './places.ts';

export interface PaletteProps {
  playbook: string | undefined;
  /** How often it was asked for: it opens whenever that grows, and closes where it is open. */
  asked: number;
  /** The id of the field that is written in. */
  fieldId: string;
}

/** Everything that has an address, under Ctrl-K. */
export function Palette({ playbook, asked, fieldId }: PaletteProps) {
  useEffect(() => {
    if (asked > 0) spotlight.toggle();
  }, [asked]);
  const router = useRouter();
  // It belongs to the page it was opened on: the back key leads out of both.
  useEffect(() => router.subscribe('onBeforeNavigate', spotlight.close), [router]);
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const playbooks = useQuery(playbooksQuery);
  const definitions = useQuery({ ...definitionsQuery(playbook ?? ''), enabled: playbook !== undefined });
  const more = usePaletteGroups();

  const groups: SpotlightActionGroupData[] = [];
  if (playbook !== undefined) {
    groups.push({
      group: 'Places',
      actions: [
        ...PLACES.map(({ title, icon: Icon, to }) => ({
          id: `place ${title}`,
          label: title,
          leftSection: <Icon size={18} aria-hidden />,
          onClick: () => void navigate({ to, params: { playbook } }),
        })),
        {
          id: 'new',
          label: 'New definition',
          leftSection: <Plus size={18} aria-hidden />,
          onClick: () => void navigate({ to: '/playbooks/$playbook/definitions/new', params: { playbook } }),
        },
      ],
    });
    groups.push(...more);
    groups.push({
      group: 'Definitions',
      actions: (definitions.data ?? []).map(({ type, name, description }) => ({
        id: `definition ${type}/${name}`,
        label: name,
        description: description ?? type,
        keywords: [type],
        leftSection: <TypeIcon type={type} />,
        onClick: () =>
          void navigate({ to: '/playbooks/$playbook/definitions/$type/$name', params: { playbook, type, name } }),
      })),
    });
  }
  groups.push({
    group: 'Playbooks',
    actions: (playbooks.data ?? []).map(({ id, name }) => ({
      id: `playbook ${id}`,
      label: name,
      description: id,
      leftSection: <LayoutGrid size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/playbooks/$playbook', params: { playbook: id } }),
    })),
  });
  groups.push({
    group: 'Look',
    actions: [
      {
        id: 'light',
        label: 'Light',
        leftSection: <Sun size={18} aria-hidden />,
        onClick: () => setColorScheme('light'),
      },
      { id: 'dark', label: 'Dark', leftSection: <Moon size={18} aria-hidden />, onClick: () => setColorScheme('dark') },
      {
        id: 'auto',
        label: 'As the system',
        leftSection: <Sun size={18} aria-hidden />,
        onClick: () => setColorScheme('auto'),
      },
    ],
  });
  return (
    <Spotlight
      actions={groups}
      highlightQuery
      shortcut={null}
      nothingFound="Nothing of that name"
      scrollable
      maxHeight={420}
      // Read aloud, not shown: the field says it already.
      title="Search"
      classNames={{ header: 'visually-hidden' }}
      // On the colour of what is chosen, a paler description could not be read.
      styles={{ actionDescription: { opacity: 1 } }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Found' } }}
      searchProps={{ id: fieldId, placeholder: 'Go to a place, a definition, a playbook', 'aria-label': 'Search' }}
    />
  );
}

import '@mantine/spotlight/styles.layer.css';
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { DEFINITION_TYPES } from '../../shared/definition-types.ts';
import { Download, LayoutGrid, Moon, Plus, Sun, Upload } from 'lucide-react';
import { useEffect } from 'react';
import { definitionsQuery, playbooksQuery } from '../api/queries.ts';
import { exportPlaybook } from '../places/playbooks/export-playbook.ts';
import { useMayCall } from '../api/session/use-session.ts';
import { TypeIcon } from '../ui/type-icon.tsx';
import { usePaletteGroups } from '../ui/palette-groups.ts';
import { usePlaces } from './use-places.ts';

export interface PaletteProps {
  playbook: string | undefined;
  /** How often the palette was requested. Each increment opens it, or closes it if it is open. */
  openCount: number;
  /** The id of its text field. */
  fieldId: string;
}

/** The command palette (Ctrl-K): finds pages, definitions and playbooks. */
export function Palette({ playbook, openCount, fieldId }: PaletteProps) {
  useEffect(() => {
    if (openCount > 0) spotlight.toggle();
  }, [openCount]);
  const router = useRouter();
  // It closes on navigation, for example with the back button.
  useEffect(() => router.subscribe('onBeforeNavigate', spotlight.close), [router]);
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const playbooks = useQuery(playbooksQuery);
  const definitions = useQuery({ ...definitionsQuery(playbook ?? ''), enabled: playbook !== undefined });
  const places = usePlaces();
  const mayCreate = useMayCall('create_definition');
  const mayMake = useMayCall('create_playbook');
  const mayExport = useMayCall('export_playbook');
  const mayImport = useMayCall('plan_import');
  const addedGroups = usePaletteGroups();

  const groups: SpotlightActionGroupData[] = [];
  if (playbook !== undefined) {
    groups.push({
      group: 'Pages',
      actions: [
        ...places.map(({ title, icon: Icon, to }) => ({
          id: `place ${title}`,
          label: title,
          leftSection: <Icon size={18} aria-hidden />,
          onClick: () => void navigate({ to, params: { playbook } }),
        })),
        ...(mayCreate
          ? [
              {
                id: 'new',
                label: 'New definition',
                leftSection: <Plus size={18} aria-hidden />,
                onClick: () => void navigate({ to: '/playbooks/$playbook/definitions/new', params: { playbook } }),
              },
              ...DEFINITION_TYPES.map((type) => ({
                id: `new ${type}`,
                label: `New ${type}`,
                leftSection: <TypeIcon type={type} size={18} />,
                onClick: () =>
                  void navigate({ to: '/playbooks/$playbook/definitions/new', params: { playbook }, search: { type } }),
              })),
            ]
          : []),
      ],
    });
    groups.push(...addedGroups);
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
    actions: [
      ...(playbooks.data ?? []).map(({ id, name }) => ({
        id: `playbook ${id}`,
        label: name,
        description: id,
        leftSection: <LayoutGrid size={18} aria-hidden />,
        onClick: () => void navigate({ to: '/playbooks/$playbook', params: { playbook: id } }),
      })),
      ...(playbook !== undefined && mayExport
        ? [
            {
              id: 'export',
              label: 'Export this playbook',
              description: 'As a zip archive',
              leftSection: <Download size={18} aria-hidden />,
              onClick: () => void exportPlaybook(playbook),
            },
          ]
        : []),
      ...(playbook !== undefined && mayImport
        ? [
            {
              id: 'import into',
              label: 'Import into this playbook…',
              description: 'Adds and changes definitions from a zip archive',
              leftSection: <Upload size={18} aria-hidden />,
              onClick: () =>
                void navigate({ to: '/playbooks/$playbook', params: { playbook }, search: { import: true } }),
            },
          ]
        : []),
      ...(mayImport && mayMake
        ? [
            {
              id: 'import',
              label: 'Import a playbook…',
              description: 'Creates one from a zip archive',
              leftSection: <Upload size={18} aria-hidden />,
              onClick: () => void navigate({ to: '/', search: { import: true } }),
            },
          ]
        : []),
    ],
  });
  groups.push({
    group: 'Color scheme',
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
        label: 'Match system',
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
      nothingFound="No results"
      scrollable
      maxHeight={420}
      // For screen readers only: the placeholder of the field is visible.
      title="Search"
      classNames={{ header: 'visually-hidden' }}
      // A paler description would be unreadable on the colour of the selected action.
      styles={{ actionDescription: { opacity: 1 } }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': 'Results' } }}
      searchProps={{ id: fieldId, placeholder: 'Search pages, definitions and playbooks', 'aria-label': 'Search' }}
    />
  );
}

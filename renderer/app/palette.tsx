import '@mantine/spotlight/styles.layer.css';
import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { DEFINITION_TYPES, type DefinitionType } from '../../shared/definition-types.ts';
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
  const ofPlaybook = usePlaybookGroups(playbook);
  const playbooks = usePlaybooks(playbook);
  const groups = [...ofPlaybook, playbooks, useColorSchemes()];
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

type Action = SpotlightActionGroupData['actions'][number];

/** The pages and definitions of a playbook, and what its pages add. */
function usePlaybookGroups(playbook: string | undefined): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const definitions = useQuery({ ...definitionsQuery(playbook ?? ''), enabled: playbook !== undefined });
  const places = usePlaces();
  const mayCreate = useMayCall('create_definition');
  const added = usePaletteGroups();
  if (playbook === undefined) return [];
  const pages = places.map(
    ({ title, icon: Icon, to }): Action => ({
      id: `place ${title}`,
      label: title,
      leftSection: <Icon size={18} aria-hidden />,
      onClick: () => void navigate({ to, params: { playbook } }),
    }),
  );
  const create = (type?: DefinitionType): void =>
    void navigate({
      to: '/playbooks/$playbook/definitions/new',
      params: { playbook },
      search: type === undefined ? {} : { type },
    });
  const news = [
    { id: 'new', label: 'New definition', leftSection: <Plus size={18} aria-hidden />, onClick: () => create() },
    ...DEFINITION_TYPES.map((type) => ({
      id: `new ${type}`,
      label: `New ${type}`,
      leftSection: <TypeIcon type={type} size={18} />,
      onClick: () => create(type),
    })),
  ];
  const existing = (definitions.data ?? []).map(({ type, name, description }) => ({
    id: `definition ${type}/${name}`,
    label: name,
    description: description ?? type,
    keywords: [type],
    leftSection: <TypeIcon type={type} />,
    onClick: () =>
      void navigate({ to: '/playbooks/$playbook/definitions/$type/$name', params: { playbook, type, name } }),
  }));
  return [
    { group: 'Pages', actions: [...pages, ...(mayCreate ? news : [])] },
    ...added,
    { group: 'Definitions', actions: existing },
  ];
}

/** All playbooks, and what can be done with the open one. */
function usePlaybooks(playbook: string | undefined): SpotlightActionGroupData {
  const navigate = useNavigate();
  const { data = [] } = useQuery(playbooksQuery);
  const mayMake = useMayCall('create_playbook');
  const mayExport = useMayCall('export_playbook');
  const mayImport = useMayCall('plan_import');
  const actions = data.map(
    ({ id, name }): Action => ({
      id: `playbook ${id}`,
      label: name,
      description: id,
      leftSection: <LayoutGrid size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/playbooks/$playbook', params: { playbook: id } }),
    }),
  );
  if (playbook !== undefined && mayExport) {
    actions.push({
      id: 'export',
      label: 'Export this playbook',
      description: 'As a zip archive',
      leftSection: <Download size={18} aria-hidden />,
      onClick: () => void exportPlaybook(playbook),
    });
  }
  if (playbook !== undefined && mayImport) {
    actions.push({
      id: 'import into',
      label: 'Import into this playbook…',
      description: 'Adds and changes definitions from a zip archive',
      leftSection: <Upload size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/playbooks/$playbook', params: { playbook }, search: { import: true } }),
    });
  }
  if (mayImport && mayMake) {
    actions.push({
      id: 'import',
      label: 'Import a playbook…',
      description: 'Creates one from a zip archive',
      leftSection: <Upload size={18} aria-hidden />,
      onClick: () => void navigate({ to: '/', search: { import: true } }),
    });
  }
  return { group: 'Playbooks', actions };
}

const SCHEMES = [
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
  ['auto', 'Match system', Sun],
] as const;

function useColorSchemes(): SpotlightActionGroupData {
  const { setColorScheme } = useMantineColorScheme();
  const actions = SCHEMES.map(([id, label, Icon]) => ({
    id,
    label,
    leftSection: <Icon size={18} aria-hidden />,
    onClick: () => setColorScheme(id),
  }));
  return { group: 'Color scheme', actions };
}

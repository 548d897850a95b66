import { Menu, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Download, LayoutGrid, Upload } from 'lucide-react';
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import type { Playbook } from '../../shared/api/index.ts';
import { exportPlaybook } from '../places/playbooks/export-playbook.ts';
import { useMayCall } from '../api/session/use-session.ts';

export interface PlaybookListProps {
  playbook: string | undefined;
  playbooks: readonly Playbook[];
  /** The button that opens the menu. */
  target: ReactElement;
  button: RefObject<HTMLButtonElement | null>;
}

/** The menu of playbooks. It opens as soon as it is loaded. */
export function PlaybookList({ playbook, playbooks, target, button }: PlaybookListProps) {
  const navigate = useNavigate();
  const mayExport = useMayCall('export_playbook');
  const mayImport = useMayCall('plan_import');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // This button has replaced the one that was pressed. It needs the focus, so that the menu returns the focus to it.
    button.current?.focus({ preventScroll: true });
    setOpen(true);
  }, [button]);
  return (
    <Menu width={240} position="bottom-start" shadow="md" opened={isOpen} onChange={setOpen}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {playbooks.map((one) => (
          <Menu.Item
            key={one.id}
            onClick={() => void navigate({ to: '/playbooks/$playbook', params: { playbook: one.id } })}
          >
            <Text fz="sm" fw={one.id === playbook ? 600 : 400}>
              {one.name}
            </Text>
            <Text fz="xs" c="dimmed">
              {one.id}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {playbook !== undefined && mayExport && (
          <Menu.Item leftSection={<Download size={15} aria-hidden />} onClick={() => void exportPlaybook(playbook)}>
            Export this playbook
          </Menu.Item>
        )}
        {playbook !== undefined && mayImport && (
          <Menu.Item
            leftSection={<Upload size={15} aria-hidden />}
            onClick={() =>
              void navigate({ to: '/playbooks/$playbook', params: { playbook }, search: { import: true } })
            }
          >
            Import into this playbook…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<LayoutGrid size={15} aria-hidden />} onClick={() => void navigate({ to: '/' })}>
          All playbooks
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

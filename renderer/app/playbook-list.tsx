import { Menu, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { LayoutGrid } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Playbook } from '../../shared/schemas/index.ts';

export interface PlaybookListProps {
  playbook: string | undefined;
  playbooks: readonly Playbook[];
  /** The button that opens it. */
  target: ReactElement;
}

/** The playbooks to change to, open from the beginning. */
export function PlaybookList({ playbook, playbooks, target }: PlaybookListProps) {
  const navigate = useNavigate();
  return (
    <Menu width={240} position="bottom-start" shadow="md" defaultOpened>
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
        <Menu.Item leftSection={<LayoutGrid size={15} aria-hidden />} onClick={() => void navigate({ to: '/' })}>
          All playbooks
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

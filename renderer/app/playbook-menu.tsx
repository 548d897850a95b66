import { Menu, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, LayoutGrid } from 'lucide-react';
import { playbooksQuery } from '../api/queries.ts';

export function PlaybookMenu({ playbook }: { playbook: string | undefined }) {
  const navigate = useNavigate();
  const { data = [] } = useQuery(playbooksQuery);
  const active = data.filter(({ status }) => status === 'active');
  if (active.length === 0 && playbook === undefined) return null;
  const name = data.find(({ id }) => id === playbook)?.name ?? playbook ?? 'All playbooks';
  return (
    <Menu width={240} position="bottom-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className="side-link" mb={8} style={{ border: '1px solid var(--cue-line)' }}>
          <Text span fz={14} fw={600} truncate style={{ flex: 1 }}>
            {name}
          </Text>
          <ChevronsUpDown size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {active.map((one) => (
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

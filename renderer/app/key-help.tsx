import { Group, Kbd, Modal, Stack, Table, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePlaces } from './use-places.ts';

const OTHER_KEYS: readonly (readonly [keys: readonly string[], action: string])[] = [
  [['Ctrl', 'K'], 'Search pages, definitions and playbooks'],
  [['j'], 'Next entry in a list'],
  [['k'], 'Previous entry in a list'],
  [['Enter'], 'Open the selected entry'],
  [['Ctrl', 'Enter'], 'Run a definition, or send an answer'],
  [['l'], 'Skip a question in the inbox'],
  [['Ctrl', 'S'], 'Save the definition in the editor'],
  [['Esc'], 'Leave the editor, so that Tab moves to the next control'],
  [['t'], 'Switch between light and dark'],
  [['?'], 'Show keyboard shortcuts'],
];

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', onClose), [router, onClose]);
  const places = usePlaces().map(({ key, title }) => [['g', key], `Go to ${title}`] as const);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg" centered>
      <Stack gap="sm">
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {[...places, ...OTHER_KEYS].map(([keys, action]) => (
              <Table.Tr key={action}>
                <Table.Td w={130}>
                  <Group gap={4}>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
                <Table.Td>{action}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          On a Mac, press Cmd instead of Ctrl.
        </Text>
      </Stack>
    </Modal>
  );
}

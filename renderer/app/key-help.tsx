import { Group, Kbd, Modal, Stack, Table, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PLACES } from './places.ts';

const OTHERS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['Ctrl', 'K'], 'Open the palette: go anywhere, find any definition'],
  [['j'], 'Next entry of a list'],
  [['k'], 'Previous entry in a list'],
  [['Enter'], 'Open the entry'],
  [['Ctrl', 'Enter'], 'Run, or answer'],
  [['l'], 'Leave a question of the inbox for later'],
  [['Ctrl', 'S'], 'Save the document in the editor'],
  [['Esc'], 'Leave the editor; Tab continues from there'],
  [['t'], 'Light or dark'],
  [['?'], 'Show these keys'],
];

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', onClose), [router, onClose]);
  const places = PLACES.map(({ key, title }) => [['g', key], `Go to ${title}`] as const);
  return (
    <Modal opened onClose={onClose} title="Keys" size="lg" centered>
      <Stack gap="sm">
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {[...places, ...OTHERS].map(([keys, does]) => (
              <Table.Tr key={does}>
                <Table.Td w={130}>
                  <Group gap={4}>
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </Group>
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm" c="dimmed">
          On a Mac, Cmd stands for Ctrl.
        </Text>
      </Stack>
    </Modal>
  );
}

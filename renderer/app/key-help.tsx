import { Group, Kbd, Modal, Stack, Table, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Fragment, useEffect } from 'react';
import { keyCapsOf } from '../ui/shortcuts.ts';
import { keySections } from './key-list.ts';
import { usePlaces } from './use-places.ts';

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', onClose), [router, onClose]);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg" centered>
      <Stack gap="lg">
        {keySections(usePlaces()).map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <Text component="h3" size="sm" fw={650} mb={4}>
              {title}
            </Text>
            <Table verticalSpacing={4}>
              <Table.Tbody>
                {rows.map(({ keys, action }) => (
                  <Table.Tr key={action}>
                    <Table.Td w={150}>
                      <Group gap={4}>
                        {keys.map((key, index) => (
                          <Fragment key={key}>
                            {index > 0 && (
                              <Text span size="xs" c="dimmed">
                                or
                              </Text>
                            )}
                            <KeyCaps combination={key} />
                          </Fragment>
                        ))}
                      </Group>
                    </Table.Td>
                    <Table.Td>{action}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
      </Stack>
    </Modal>
  );
}

/** @param combination keys that are held down together, or pressed one after the other */
function KeyCaps({ combination }: { combination: string }) {
  const caps = combination.split(' ').flatMap((keys) => keyCapsOf(keys));
  return (
    <Group gap={3} wrap="nowrap">
      {caps.map((cap) => (
        <Kbd key={cap}>{cap}</Kbd>
      ))}
    </Group>
  );
}

import { ActionIcon, Menu, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Activity } from 'lucide-react';
import { useState } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { useMayCall } from '../../api/session/use-session.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

export function DefinitionActions({
  definitionKey,
  definition,
}: {
  definitionKey: DefinitionKey;
  definition: Definition;
}) {
  const { playbook, type, name } = definitionKey;
  const client = useQueryClient();
  const mayRetire = useMayCall('retire_definition');
  const [isAsking, setAsking] = useState(false);
  const retiring = useMutation({
    mutationFn: () => call('retire_definition', definitionKey),
    async onSuccess() {
      setAsking(false);
      await client.invalidateQueries({ queryKey: [playbook, 'definitions'] });
    },
  });
  return (
    <>
      <ButtonLink
        size="xs"
        variant="default"
        leftSection={<Activity size={14} aria-hidden />}
        to="/playbooks/$playbook/runs"
        params={{ playbook }}
        search={{ type, name }}
      >
        View runs
      </ButtonLink>
      {definition.status === 'active' && mayRetire && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon variant="default" size="md" aria-label="More">
              <EllipsisVertical size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setAsking(true)}>
              Retire…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <ActionDialog
        title={`Retire ${name}?`}
        opened={isAsking}
        action="Retire permanently"
        isDestructive
        isPending={retiring.isPending}
        error={retiring.error}
        onAction={() => retiring.mutate()}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">
          A retired definition can be read but not changed or run. This cannot be undone: the name {name} is never used
          again for this type, and calls to it fail.
        </Text>
      </ActionDialog>
    </>
  );
}

import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Connection } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { dropLink } from './connect-link.tsx';
import { connectionsKey } from './service.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

export interface RemoveConnectionProps {
  connection: Connection;
  /** Whether the form to add it again opens afterwards, with its values. */
  isReplaced: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

export function RemoveConnection({ connection, isReplaced, onClose, onRemoved }: RemoveConnectionProps) {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => call('remove_connection_by_post', { id: connection.id }),
    async onSuccess() {
      dropLink(connection.id);
      await client.invalidateQueries({ queryKey: connectionsKey });
      onRemoved();
    },
  });
  return (
    <ActionDialog
      title={`Remove ${connection.name}?`}
      action={isReplaced ? 'Remove and add again' : 'Remove'}
      isDestructive
      focus="cancel"
      isPending={removing.isPending}
      error={removing.error}
      onAction={() => removing.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Its credential is deleted and its tools become unavailable immediately. Functions that use them are rejected
        until a tool server with this name is added. Past calls stay in the history.
        {isReplaced && ' The form to add it again then opens, with everything but the credential filled in.'}
      </Text>
    </ActionDialog>
  );
}

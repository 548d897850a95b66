import { Button, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemView } from './problem-view.tsx';

export interface ActionDialogProps extends Pick<ModalProps, 'size'> {
  title: string;
  /** Open if absent. */
  opened?: boolean;
  /** The button of the action. */
  action: ReactNode;
  /** The other button. */
  cancel?: string;
  isDestructive?: boolean;
  /** Whether the action is possible with what the dialog contains. */
  isReady?: boolean;
  /** Where the focus is at first, unless a field takes it. */
  focus?: 'action' | 'cancel';
  isPending?: boolean;
  error?: Error | null;
  onAction: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with one action and a way to cancel it. The Enter key in a field starts the action. */
export function ActionDialog({
  title,
  opened = true,
  action,
  cancel = 'Cancel',
  isDestructive = false,
  isReady = true,
  focus,
  isPending = false,
  error = null,
  onAction,
  onClose,
  children,
  ...look
}: ActionDialogProps) {
  return (
    <Modal {...look} opened={opened} onClose={onClose} title={title} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onAction();
        }}
      >
        <Stack>
          {children}
          {error !== null && <ProblemView error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={focus === 'cancel' || undefined}>
              {cancel}
            </Button>
            <Button
              type="submit"
              {...(isDestructive ? { color: 'red' } : {})}
              disabled={!isReady}
              loading={isPending}
              data-autofocus={focus === 'action' || undefined}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { signOutOr } from './kept-work.ts';
import { session } from '../api/session/session.ts';
import { SignInChoices } from './sign-in-choices.tsx';
import { SignOutDialog } from './sign-out-dialog.tsx';

const close = (): void => session.setAsking(false);

/**
 * Asks for another sign-in while the page stays as it is. Requests wait, and are sent again after the sign-in. The gate closes
 * it on Escape.
 */
export function SignInDialog({ opened }: { opened: boolean }) {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <Modal opened={opened} onClose={close} closeOnEscape={false} title="Sign in again" centered>
      <Text size="sm" mb="md">
        The server no longer accepts your sign-in. What you wrote is kept, and what you sent is sent again when you have
        signed in.
      </Text>
      <SignInChoices isAgain />
      <Group justify="space-between" wrap="nowrap" mt="md">
        <Text size="xs" c="dimmed">
          Close this dialog to copy what you wrote.
        </Text>
        <Button
          flex="none"
          variant="subtle"
          size="compact-sm"
          color="gray"
          onClick={() => signOutOr(() => setLeaving(true))}
        >
          Sign out
        </Button>
      </Group>
      <SignOutDialog opened={isLeaving} onClose={() => setLeaving(false)} />
    </Modal>
  );
}

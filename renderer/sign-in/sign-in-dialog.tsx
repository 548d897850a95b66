import { Button, Group, Modal, Text } from '@mantine/core';
import { KeyForm } from './key-form.tsx';
import { session } from './session.ts';

const close = (): void => session.setAsking(false);

/**
 * Asks for another key while the page stays as it is. Requests wait, and are sent again after the sign-in. The gate closes
 * it on Escape.
 */
export function SignInDialog({ opened }: { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={close} closeOnEscape={false} title="Sign in again" centered>
      <Text size="sm" mb="md">
        The server no longer accepts your key. What you wrote is kept, and what you sent is sent again when you have
        signed in.
      </Text>
      <KeyForm />
      <Group justify="space-between" mt="md">
        <Text size="xs" c="dimmed">
          Close this dialog to copy what you wrote.
        </Text>
        <Button variant="subtle" size="compact-sm" color="gray" onClick={() => void session.signOut()}>
          Sign out
        </Button>
      </Group>
    </Modal>
  );
}

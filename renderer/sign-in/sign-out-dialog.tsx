import { Button, Group, Modal, Text } from '@mantine/core';
import { deleteWork, keptDrafts } from './kept-work.ts';
import { session } from '../api/session/session.ts';

/** Asks whether to keep the drafts, which the next person who uses this browser may be able to read. */
export function SignOutDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const count = opened ? keptDrafts().length : 0;
  return (
    <Modal opened={opened} onClose={onClose} title="Sign out" centered>
      <Text size="sm" mb="md">
        This browser has {count === 1 ? 'an unsaved draft' : `${count} unsaved drafts`}. Anyone who signs in to the same
        org in this browser can read {count === 1 ? 'it' : 'them'}.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="default"
          onClick={() => {
            deleteWork();
            void session.signOut();
          }}
        >
          Delete {count === 1 ? 'it' : 'them'} and sign out
        </Button>
        <Button data-autofocus onClick={() => void session.signOut()}>
          Keep {count === 1 ? 'it' : 'them'} and sign out
        </Button>
      </Group>
    </Modal>
  );
}

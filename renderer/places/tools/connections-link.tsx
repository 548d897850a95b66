import { Anchor, Button } from '@mantine/core';

/** Where people add tool servers. */
const addressOf = (playbook: string): string => `#/playbooks/${encodeURIComponent(playbook)}/connections`;

export function ConnectionsButton({ playbook }: { playbook: string }) {
  return (
    <Button component="a" href={addressOf(playbook)}>
      Add a connection
    </Button>
  );
}

export function ConnectionsAnchor({ playbook }: { playbook: string }) {
  return (
    <Anchor href={addressOf(playbook)} fz="inherit">
      Connections
    </Anchor>
  );
}

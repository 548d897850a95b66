import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export function ConnectionsButton({ playbook, ...look }: { playbook: string } & Pick<ButtonProps, 'size'>) {
  return (
    <Button
      {...look}
      renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/connections" params={{ playbook }} />}
    >
      Add a connection
    </Button>
  );
}

export function ConnectionsAnchor({ playbook }: { playbook: string }) {
  return (
    <Anchor
      fz="inherit"
      renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/connections" params={{ playbook }} />}
    >
      Connections
    </Anchor>
  );
}

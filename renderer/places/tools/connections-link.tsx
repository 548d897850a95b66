import { type ButtonProps } from '@mantine/core';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';

export function ConnectionsButton({ playbook, ...look }: { playbook: string } & Pick<ButtonProps, 'size'>) {
  return (
    <ButtonLink {...look} to="/playbooks/$playbook/connections" params={{ playbook }}>
      Add a connection
    </ButtonLink>
  );
}

export function ConnectionsAnchor({ playbook }: { playbook: string }) {
  return (
    <AnchorLink fz="inherit" to="/playbooks/$playbook/connections" params={{ playbook }}>
      Connections
    </AnchorLink>
  );
}

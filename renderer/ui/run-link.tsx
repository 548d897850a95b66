import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface RunLinkProps {
  playbook: string;
  runId: string;
  /** Of the text; without it, as the text around the link. */
  size?: 'sm';
  children: ReactNode;
}

/** A link to the page of a run. */
export function RunLink({ playbook, runId, size, children }: RunLinkProps) {
  return (
    <Anchor
      {...(size === undefined ? { inherit: true } : { size })}
      renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }} />}
    >
      {children}
    </Anchor>
  );
}

import type { ReactNode } from 'react';
import { AnchorLink } from './links.tsx';

export interface RunLinkProps {
  playbook: string;
  runId: string;
  /** Of the text; without it, as the text around the link. */
  size?: 'sm';
  children: ReactNode;
}

/** A link to the page of a run. */
export function RunLink({ playbook, runId, ...props }: RunLinkProps) {
  return <AnchorLink {...props} to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }} />;
}

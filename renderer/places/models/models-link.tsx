import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Causes that a person mends on the page of models. */
const CAUSES = ['provider_not_configured', 'model_not_allowed', 'credentials_rejected'];

/** Leads to the page of models where a run had none. @param because the cause of the rejection */
export function ModelsLink({ playbook, because }: { playbook: string; because: string | undefined }) {
  if (because === undefined || !CAUSES.includes(because)) return null;
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/models" params={{ playbook }} />}
    >
      Set up models
    </Anchor>
  );
}

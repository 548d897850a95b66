import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IfMay } from '../sign-in/if-may.tsx';

/** Leads to the gallery of new definitions, for those who may create one. */
export function CreateDefinitionLink({ playbook }: { playbook: string }) {
  return (
    <IfMay call="create_definition">
      <Button
        renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/definitions/new" params={{ playbook }} />}
      >
        Create a definition
      </Button>
    </IfMay>
  );
}

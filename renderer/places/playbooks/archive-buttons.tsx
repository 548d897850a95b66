// The buttons that export a playbook, and that open the dialog which imports one.
import { ActionIcon, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Upload } from 'lucide-react';
import type { Playbook } from '../../../shared/api/index.ts';
import { IfMay } from '../../sign-in/if-may.tsx';
import { exportPlaybook } from './export-playbook.ts';

/** For the card of a playbook. */
export function ExportIcon({ playbook: { id, name } }: { playbook: Pick<Playbook, 'id' | 'name'> }) {
  const exporting = useMutation({ mutationFn: exportPlaybook });
  return (
    <IfMay call="export_playbook">
      <ActionIcon
        variant="subtle"
        color="gray"
        title="Export as a zip archive"
        aria-label={`Export ${name}`}
        loading={exporting.isPending}
        onClick={() => exporting.mutate(id)}
      >
        <Download size={16} />
      </ActionIcon>
    </IfMay>
  );
}

/** @param size as that of the buttons beside it */
export function ImportButton({ playbook, size = 'sm' }: { playbook?: string; size?: 'sm' | 'md' }) {
  return (
    // Without a playbook, the import may create one.
    <IfMay call={playbook === undefined ? 'create_playbook' : 'plan_import'}>
      <Button
        size={size}
        variant="default"
        leftSection={<Upload size={15} aria-hidden />}
        renderRoot={(props) =>
          playbook === undefined ? (
            <Link {...props} to="/" search={{ import: true }} />
          ) : (
            <Link {...props} to="/playbooks/$playbook" params={{ playbook }} search={{ import: true }} />
          )
        }
      >
        Import…
      </Button>
    </IfMay>
  );
}

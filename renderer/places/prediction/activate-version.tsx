import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { type DefinitionKey, definitionQuery } from '../../api/queries.ts';
import { figureWords } from './score-table.tsx';
import type { ModelVersion, Standing } from './queries.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

export interface ActivateVersionProps {
  definitionKey: DefinitionKey;
  /** The version to activate; undefined while nothing is asked. */
  version: ModelVersion | undefined;
  active: Standing['active'] | undefined;
  onClose: () => void;
}

/** Asks for confirmation, then activates a model version. */
export function ActivateVersion({ definitionKey: key, version, active, onClose }: ActivateVersionProps) {
  const client = useQueryClient();
  const { playbook, name } = key;
  const activating = useMutation({
    mutationFn: (number: number) => call('activate_version', { playbook, name, version: number }),
    async onSuccess(activated) {
      onClose();
      notifications.show({ message: `Version ${activated.version} of ${name} is active` });
      await client.invalidateQueries({ queryKey: definitionQuery(key).queryKey });
    },
  });
  const close = (): void => {
    activating.reset();
    onClose();
  };
  return (
    <ActionDialog
      title={`Activate version ${version?.version ?? ''}?`}
      opened={version !== undefined}
      action="Activate"
      focus="action"
      isPending={activating.isPending}
      error={activating.error}
      onAction={() => version !== undefined && activating.mutate(version.version)}
      onClose={close}
    >
      <Text size="sm">
        Version {version?.version} will answer all questions to {name}
        {active == null ? '' : ` instead of version ${active.version}`}, whether or not it passed the gate. Its score is{' '}
        {figureWords(version?.scores.score)}; lower is better. You can activate an earlier version again at any time.
      </Text>
    </ActionDialog>
  );
}

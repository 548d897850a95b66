import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IfMay } from '../../../sign-in/if-may.tsx';
import { AddGateway } from './add-gateway.tsx';
import { NamesAndLimits } from './names-and-limits.tsx';
import { modelSetUpQuery } from './set-up-queries.ts';

/** Opens the forms that change the configuration of models. */
export function SetUpButtons() {
  const setUp = useQuery(modelSetUpQuery);
  const [open, setOpen] = useState<'gateway' | 'names'>();
  const close = (): void => setOpen(undefined);
  if (setUp.data === undefined) return null;
  return (
    <IfMay call="change_model_setup">
      <Group gap="xs" my="sm">
        <Button size="xs" variant="default" onClick={() => setOpen('gateway')}>
          Add a gateway…
        </Button>
        <Button size="xs" variant="default" onClick={() => setOpen('names')}>
          Aliases and limits…
        </Button>
      </Group>
      {open === 'gateway' && <AddGateway onClose={close} />}
      {open === 'names' && <NamesAndLimits setUp={setUp.data} onClose={close} />}
    </IfMay>
  );
}

import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Cloud, KeyRound, Server } from 'lucide-react';
import { useState } from 'react';
import type { ModelProviderEntry } from '../../../shared/api/index.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { Mark } from '../../ui/mark.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { modelProvidersQuery } from './model-queries.ts';
import { ProviderKey } from './provider-key.tsx';
import { providerName } from './model-rows.ts';
import { LocalModels } from './set-up/local-models.tsx';
import { SetUpButtons } from './set-up/set-up-buttons.tsx';
import { OwnServer } from './own-server.tsx';
import { session } from '../../api/session/session.ts';

export function Providers() {
  const providers = useQuery(modelProvidersQuery);
  const [chosen, setChosen] = useState<string>();
  if (providers.isPending) return <Skeleton height={320} />;
  if (providers.error !== null) {
    const isPublished = providers.error instanceof ProblemError && providers.error.problemName === 'forbidden';
    return isPublished ? (
      <Text size="sm" c="dimmed">
        Providers are configured by the operator of this server.
      </Text>
    ) : (
      <ProblemView error={providers.error} />
    );
  }
  const shown = providers.data.filter(({ kind, configured_by: by }) => kind !== 'cloud' || by !== null);
  const entry = providers.data.find(({ provider }) => provider === chosen);
  return (
    <Stack gap={0}>
      <LocalModels />
      <SetUpButtons />
      {shown.map((one) => (
        <div key={one.provider} className="provider">
          <div style={{ minWidth: 0, flex: 1 }}>
            <Text size="sm" fw={600}>
              {providerName(one.provider)}
            </Text>
            <Text size="xs" component="div">
              <State entry={one} />
            </Text>
          </div>
          {(one.takes_key || one.key_is_kept) && session.isLocal && (
            <Button
              size="compact-xs"
              variant={one.key_is_kept ? 'subtle' : 'default'}
              aria-label={`${one.key_is_kept ? 'Change' : 'Add key'}: ${providerName(one.provider)}`}
              onClick={() => setChosen(one.provider)}
            >
              {one.key_is_kept ? 'Change' : 'Add key'}
            </Button>
          )}
        </div>
      ))}
      <OwnServer isOpen={providers.data.every(({ configured_by: by }) => by === null)} />
      {entry !== undefined && <ProviderKey entry={entry} onClose={() => setChosen(undefined)} />}
    </Stack>
  );
}

function State({ entry }: { entry: ModelProviderEntry }) {
  return (
    <Stack gap={2}>
      <Configured entry={entry} />
      {entry.list_failure !== undefined && (
        <Mark sense="warn">Its model list could not be read. {entry.list_failure}</Mark>
      )}
      {entry.key_unusable !== undefined && (
        <Mark sense="bad">Its key is stored but not used. {entry.key_unusable}</Mark>
      )}
      {entry.key_is_kept && entry.configured_by === 'environment' && (
        <Mark sense="quiet">A key added in the studio is stored but not used.</Mark>
      )}
    </Stack>
  );
}

function Configured({
  entry: { kind, configured_by: by, variables, key_ends_with: end },
}: {
  entry: ModelProviderEntry;
}) {
  const ending = end === null ? '' : `, ends with ${end}`;
  switch (by) {
    case 'studio':
      return (
        <Mark sense="good" icon={KeyRound}>
          Key added in the studio{ending}
        </Mark>
      );
    case 'environment':
      return kind === 'cloud' ? (
        <Mark sense="good" icon={Cloud}>
          Configured in the environment
        </Mark>
      ) : (
        <Mark sense="good" icon={KeyRound}>
          <code>{variables[0]}</code> from the environment{ending}
        </Mark>
      );
    case 'configuration':
      return (
        <Mark sense="good" icon={Server}>
          Server in your configuration
        </Mark>
      );
    default:
      return <span style={{ color: 'var(--mantine-color-dimmed)' }}>No key</span>;
  }
}

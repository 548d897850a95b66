import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus, Server } from 'lucide-react';
import type { Answer } from '../../../../shared/api/index.ts';
import { IfMay } from '../../../sign-in/if-may.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { ProblemView } from '../../../ui/problem-view.tsx';
import { localModelsQuery, modelSetUpQuery, useChangeSetUp } from './set-up-queries.ts';
import { TestModel } from './test-model.tsx';

type LocalServer = Answer<'find_local_models'>['servers'][number];

const MOST_SHOWN = 3;

/** Servers of local models that are running, each added with one click. */
export function LocalModels() {
  const found = useQuery(localModelsQuery);
  const setUp = useQuery(modelSetUpQuery);
  const servers = found.data ?? [];
  if (servers.length === 0) return null;
  const taken = (setUp.data?.gateways ?? []).map(({ name }) => name);
  return (
    <section aria-label="Local servers" className="local-models">
      <Text component="h3" fw={650} size="sm">
        Found on this machine
      </Text>
      {servers.map((server) => (
        <Found key={server.base_url} server={server} taken={taken} />
      ))}
    </section>
  );
}

function Found({ server, taken }: { server: LocalServer; taken: readonly string[] }) {
  const { product, base_url: address, models, gateway } = server;
  const adding = useChangeSetUp();
  const name = product === 'other' ? new URL(address).host : product;
  const [first] = models;
  return (
    <Stack gap={4} className="provider" align="stretch">
      <Group justify="space-between" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="number" style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Text>
        </div>
        {gateway === undefined ? (
          <IfMay call="change_model_setup">
            <Button
              size="compact-xs"
              leftSection={<Plus size={13} aria-hidden />}
              aria-label={`Add ${name}`}
              loading={adding.isPending}
              onClick={() =>
                adding.mutate({
                  gateway: {
                    name: freeName(product, taken),
                    base_url: address,
                    structured_outputs: true,
                    // Otherwise these servers report no tokens.
                    include_usage: true,
                  },
                })
              }
            >
              Add
            </Button>
          </IfMay>
        ) : (
          <Text size="xs" component="div" style={{ flexShrink: 0 }}>
            <Mark sense="good" icon={Server}>
              Added as {gateway}
            </Mark>
          </Text>
        )}
      </Group>
      <Text size="xs">
        {models.length === 0
          ? 'It has no models yet.'
          : `${models.slice(0, MOST_SHOWN).join(', ')}${models.length > MOST_SHOWN ? ` and ${models.length - MOST_SHOWN} more` : ''}`}
      </Text>
      {adding.error !== null && <ProblemView error={adding.error} />}
      {gateway !== undefined && first !== undefined && <TestModel model={`${gateway}/${first}`} />}
    </Stack>
  );
}

function freeName(product: LocalServer['product'], taken: readonly string[]): string {
  const name = { Ollama: 'ollama', 'LM Studio': 'lmstudio', other: 'local' }[product];
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.includes(free)) return free;
    free = `${name}-${number}`;
  }
}

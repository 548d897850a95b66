// A key exists only in its field and in the request that sends it, never in component state or a cache.
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ModelProviderEntry } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { refetchEverything } from '../../api/queries.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { modelsOfQuery } from './model-queries.ts';
import { providerName } from './model-rows.ts';

/** Adds, replaces or deletes the key of a hosted provider. */
export function ProviderKey({ entry, onClose }: { entry: ModelProviderEntry; onClose: () => void }) {
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [isForgetting, setForgetting] = useState(false);
  const name = providerName(entry.provider);
  const giving = useMutation({
    // The key is not a variable of the mutation, because variables are cached. Whitespace from the clipboard is
    // removed.
    mutationFn: (todo: 'keep' | 'forget') =>
      call('set_provider_key', {
        provider: entry.provider,
        key: todo === 'keep' ? (field.current?.value.trim() ?? '') : null,
      }),
    gcTime: 0,
    onError(refused) {
      if (issueOf(refused) !== undefined) empty();
    },
    async onSuccess(_answer, done) {
      empty();
      onClose();
      await refetchEverything(client);
      notifications.show(await wordsAfter(done));
    },
  });

  function empty(): void {
    if (field.current !== null) field.current.value = '';
  }

  async function wordsAfter(done: 'keep' | 'forget') {
    if (done === 'forget') return { message: `${name} key deleted.` };
    const list = await client.fetchQuery(modelsOfQuery(entry.provider));
    if (list.catalog_status === 'complete') return { message: `${name} key saved. Its models are now listed.` };
    return {
      color: 'yellow',
      title: `${name} key saved`,
      message: `Its model list could not be read with this key. ${await failureOfList()}`,
    };
  }

  async function failureOfList(): Promise<string> {
    const { providers } = await call('list_model_providers', {});
    return providers.find(({ provider }) => provider === entry.provider)?.list_failure ?? '';
  }

  const issue = issueOf(giving.error);

  return (
    <Modal opened onClose={onClose} title={`${name} key`} centered>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          giving.mutate('keep');
        }}
      >
        <Stack>
          <PasswordInput
            ref={field}
            label="Key"
            description={`Your API key for ${name}. It is encrypted on this machine, used in every playbook, and never shown again.`}
            required
            autoComplete="off"
            data-autofocus
            error={issue}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
          />
          {giving.error !== null && issue === undefined && <ProblemView error={giving.error} />}
          {isForgetting ? (
            <Group justify="space-between">
              <Text size="sm">Functions that use its models will be rejected.</Text>
              <Group gap="xs">
                <Button variant="default" onClick={() => setForgetting(false)}>
                  Cancel
                </Button>
                <Button color="red" loading={giving.isPending} onClick={() => giving.mutate('forget')}>
                  Delete key
                </Button>
              </Group>
            </Group>
          ) : (
            <Group justify="space-between">
              {entry.key_is_kept ? (
                <Button variant="subtle" color="red" onClick={() => setForgetting(true)}>
                  Delete key…
                </Button>
              ) : (
                <span />
              )}
              <Button type="submit" loading={giving.isPending}>
                {entry.key_is_kept ? 'Replace key' : 'Save key'}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Modal>
  );
}

/** Issues with the key itself. */
function issueOf(error: unknown): string | undefined {
  const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return errors.find(({ pointer }) => pointer === '/key')?.detail;
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer, Input } from '../../../../shared/api/index.ts';
import { call } from '../../../api/call.ts';
import { refetchEverything } from '../../../api/queries.ts';

/** Milliseconds. A person may start a local server while the page is open. */
const LOOK_AGAIN = 10_000;

export const localModelsQuery = queryOptions({
  queryKey: ['local-models'],
  queryFn: async ({ signal }) => (await call('find_local_models', {}, signal)).servers,
  refetchInterval: ({ state }) => (state.error === null ? LOOK_AGAIN : false),
});

export const modelSetUpQuery = queryOptions({
  queryKey: ['model-setup'],
  queryFn: ({ signal }) => call('get_model_setup', {}, signal),
});

export type ModelSetUp = Answer<'get_model_setup'>;

export function useChangeSetUp(onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Input<'change_model_setup'>) => call('change_model_setup', change),
    async onSuccess() {
      onDone?.();
      await refetchEverything(client);
    },
  });
}

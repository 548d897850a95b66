import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** Milliseconds. No event reports changes of the configuration; the server caches the lists. */
const LOOK_AGAIN = 4_000;

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => call('list_models', {}, signal),
  refetchInterval: LOOK_AGAIN,
});

/** The models of one provider, to learn whether its list can be read. */
export function modelsOfQuery(provider: string) {
  return queryOptions({
    queryKey: ['models', provider],
    queryFn: ({ signal }) => call('list_models', { provider }, signal),
  });
}

export const modelProvidersQuery = queryOptions({
  queryKey: ['model-providers'],
  queryFn: async ({ signal }) => (await call('list_model_providers', {}, signal)).providers,
  refetchInterval: ({ state }) => (state.error === null ? LOOK_AGAIN : false),
});

import { queryOptions } from '@tanstack/react-query';
import { listModelProviders, listModels } from '../../api/operations.ts';

/** Milliseconds. The configuration may be changed meanwhile, and no event tells of it; the server keeps the lists. */
const LOOK_AGAIN = 4_000;

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => listModels({}, signal),
  refetchInterval: LOOK_AGAIN,
});

/** One provider's list, to learn whether it could be read. */
export function modelsOfQuery(provider: string) {
  return queryOptions({
    queryKey: ['models', provider],
    queryFn: ({ signal }) => listModels({ provider }, signal),
  });
}

export const modelProvidersQuery = queryOptions({
  queryKey: ['model-providers'],
  queryFn: async ({ signal }) => (await listModelProviders(signal)).providers,
  refetchInterval: ({ state }) => (state.error === null ? LOOK_AGAIN : false),
});

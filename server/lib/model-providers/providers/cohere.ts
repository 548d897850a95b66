import { hostedProvider, withQuery } from '../describe-provider.ts';

export const cohere = hostedProvider({
  id: 'cohere',
  name: 'Cohere',
  key: 'COHERE_API_KEY',
  baseUrl: 'https://api.cohere.com/v2',
  create: async (options) => (await import('@ai-sdk/cohere')).createCohere(options),
  list: {
    // Only the first version of its API lists models.
    url: (base) =>
      withQuery(new URL(`${base.replace(/\/v2$/, '/v1')}/models`), { endpoint: 'chat', page_size: '1000' }),
    format: {
      entries: 'models',
      model: (entry) => ({ id: entry['name'], context: entry['context_length'] }),
      next: { name: 'page_token', value: (page) => page['next_page_token'] },
    },
  },
});

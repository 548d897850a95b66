import { hostedProvider, withQuery } from '../describe-provider.ts';
import { ANTHROPIC_TOOLS } from '../tool-rules.ts';

export const anthropic = hostedProvider({
  id: 'anthropic',
  name: 'Anthropic',
  key: 'ANTHROPIC_API_KEY',
  baseUrl: 'https://api.anthropic.com/v1',
  create: async (options) => (await import('@ai-sdk/anthropic')).createAnthropic(options),
  list: {
    url: (base) => withQuery(new URL(`${base}/models`), { limit: '1000' }),
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    format: {
      entries: 'data',
      model: (entry) => ({
        id: entry['id'],
        name: entry['display_name'],
        context: entry['max_input_tokens'],
        output: entry['max_tokens'],
      }),
      next: { name: 'after_id', value: (page) => (page['has_more'] === true ? page['last_id'] : undefined) },
    },
  },
  tools: ANTHROPIC_TOOLS,
});

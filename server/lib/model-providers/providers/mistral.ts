import { isJsonObject } from '../../../../shared/json.ts';
import { hostedProvider } from '../describe-provider.ts';

export const mistral = hostedProvider({
  id: 'mistral',
  name: 'Mistral',
  key: 'MISTRAL_API_KEY',
  baseUrl: 'https://api.mistral.ai/v1',
  create: async (options) => (await import('@ai-sdk/mistral')).createMistral(options),
  list: {
    format: {
      entries: 'data',
      model({ id, name, capabilities, max_context_length: context }) {
        if (isJsonObject(capabilities) && capabilities['completion_chat'] === false) return undefined;
        return { id, name, context };
      },
    },
  },
});

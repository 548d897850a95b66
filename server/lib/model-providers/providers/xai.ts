import { hostedProvider } from '../describe-provider.ts';

export const xai = hostedProvider({
  id: 'xai',
  name: 'xAI',
  key: 'XAI_API_KEY',
  baseUrl: 'https://api.x.ai/v1',
  create: async (options) => (await import('@ai-sdk/xai')).createXai(options),
});

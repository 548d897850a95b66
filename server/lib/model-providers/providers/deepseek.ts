import { hostedProvider } from '../describe-provider.ts';

export const deepseek = hostedProvider({
  id: 'deepseek',
  name: 'DeepSeek',
  key: 'DEEPSEEK_API_KEY',
  baseUrl: 'https://api.deepseek.com',
  create: async (options) => (await import('@ai-sdk/deepseek')).createDeepSeek(options),
  options: { strictJsonSchema: false },
});

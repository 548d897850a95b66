import { hostedProvider } from '../describe-provider.ts';
import { OPENAI_TOOLS } from '../tool-rules.ts';

export const openai = hostedProvider({
  id: 'openai',
  name: 'OpenAI',
  key: 'OPENAI_API_KEY',
  baseUrl: 'https://api.openai.com/v1',
  create: async (options) => (await import('@ai-sdk/openai')).createOpenAI(options),
  options: { strictJsonSchema: false },
  tools: OPENAI_TOOLS,
});

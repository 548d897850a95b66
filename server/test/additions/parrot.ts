// A model provider that ships nowhere. Its list and its errors are its own, its calls are those of OpenAI's API.
import { hostedProvider } from '../../lib/model-providers/describe-provider.ts';

export const parrot = hostedProvider({
  id: 'parrot',
  name: 'Parrot',
  key: 'PARROT_API_KEY',
  baseUrl: 'https://parrot.example/v1',
  async create(options) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({ name: 'parrot', baseURL: 'https://parrot.example/v1', ...options });
  },
  list: {
    headers: (key) => ({ 'x-parrot-key': key }),
    format: { entries: 'birds', model: ({ call, words }) => ({ id: call, name: call, context: words }) },
  },
  errorCodes: { perch_taken: 'no_credits' },
});

import { hostedProvider, withQuery } from '../describe-provider.ts';
import { GEMINI_TOOLS } from '../tool-rules.ts';

export const google = hostedProvider({
  id: 'google',
  name: 'Google',
  key: 'GOOGLE_GENERATIVE_AI_API_KEY',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  create: async (options) => (await import('@ai-sdk/google')).createGoogle(options),
  list: {
    url: (base) => withQuery(new URL(`${base}/models`), { pageSize: '1000' }),
    headers: (key) => ({ 'x-goog-api-key': key }),
    format: {
      entries: 'models',
      model(entry) {
        const { name, supportedGenerationMethods: methods } = entry;
        if (Array.isArray(methods) && !methods.includes('generateContent')) return undefined;
        return {
          id: typeof name === 'string' ? name.replace(/^models\//, '') : name,
          name: entry['displayName'],
          context: entry['inputTokenLimit'],
          output: entry['outputTokenLimit'],
        };
      },
      next: { name: 'pageToken', value: (page) => page['nextPageToken'] },
    },
  },
  tools: GEMINI_TOOLS,
});

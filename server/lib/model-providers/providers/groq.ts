import { hostedProvider } from '../describe-provider.ts';

export const groq = hostedProvider({
  id: 'groq',
  name: 'Groq',
  key: 'GROQ_API_KEY',
  baseUrl: 'https://api.groq.com/openai/v1',
  create: async (options) => (await import('@ai-sdk/groq')).createGroq(options),
  options: { strictJsonSchema: false },
  errorCodes: {
    model_permission_blocked_org: 'model_withheld',
    model_permission_blocked_project: 'model_withheld',
    model_terms_required: 'model_withheld',
    blocked_api_access: 'no_credits',
    json_validate_failed: 'json_invalid',
    tool_use_failed: 'call_invalid',
  },
});

// The providers that are built in, at an address on the loopback.
import { CANARY_KEY as KEY } from '../../test/index.ts';

/** By prefix: its variables, and the path behind the address that its base URL has. */
export const FAMILIES: Readonly<Record<string, { environment: Record<string, string>; path: string }>> = {
  openai: { environment: { OPENAI_API_KEY: KEY }, path: '/v1' },
  anthropic: { environment: { ANTHROPIC_API_KEY: KEY }, path: '/v1' },
  google: { environment: { GOOGLE_GENERATIVE_AI_API_KEY: KEY }, path: '/v1beta' },
  mistral: { environment: { MISTRAL_API_KEY: KEY }, path: '/v1' },
  xai: { environment: { XAI_API_KEY: KEY }, path: '/v1' },
  groq: { environment: { GROQ_API_KEY: KEY }, path: '/v1' },
  deepseek: { environment: { DEEPSEEK_API_KEY: KEY }, path: '/v1' },
  cohere: { environment: { COHERE_API_KEY: KEY }, path: '/v2' },
  azure: { environment: { AZURE_API_KEY: KEY }, path: '/v1' },
  'amazon-bedrock': { environment: { AWS_BEARER_TOKEN_BEDROCK: KEY, AWS_REGION: 'eu-west-1' }, path: '' },
  'google-vertex': {
    environment: { GOOGLE_VERTEX_API_KEY: KEY },
    path: '/v1/projects/p/locations/l/publishers/google',
  },
};

export function environmentOf(prefix: string, address: string): Record<string, string> {
  const family = FAMILIES[prefix];
  if (family === undefined) throw new Error(`Add a line for ${prefix} to FAMILIES in families.testing.ts.`);
  const { environment, path } = family;
  return { ...environment, [`${prefix.toUpperCase().replaceAll('-', '_')}_BASE_URL`]: `${address}${path}` };
}

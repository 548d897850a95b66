const NAMES: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  mistral: 'Mistral',
  xai: 'xAI',
  groq: 'Groq',
  deepseek: 'DeepSeek',
  cohere: 'Cohere',
  'amazon-bedrock': 'Amazon Bedrock',
  azure: 'Azure',
  'google-vertex': 'Google Vertex AI',
};

/** A built-in provider as people call it; any other by its prefix. */
export function providerName(prefix: string): string {
  return NAMES[prefix] ?? prefix;
}

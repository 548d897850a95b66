// Generated from the descriptions of the server by `npm run api:client`. Do not edit.

/** The display names of the built-in model providers. */
export const MODEL_PROVIDER_NAMES: Readonly<Record<string, string>> = {
  "openai": "OpenAI",
  "anthropic": "Anthropic",
  "google": "Google",
  "mistral": "Mistral",
  "xai": "xAI",
  "groq": "Groq",
  "deepseek": "DeepSeek",
  "cohere": "Cohere",
  "amazon-bedrock": "Amazon Bedrock",
  "azure": "Azure",
  "google-vertex": "Google Vertex AI"
};

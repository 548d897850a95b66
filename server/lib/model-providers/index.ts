// The built-in model providers. Each is one file in `providers/` and its line here.
import type { ModelProviderDescription } from './describe-provider.ts';
import { amazonBedrock } from './providers/amazon-bedrock.ts';
import { anthropic } from './providers/anthropic.ts';
import { azure } from './providers/azure.ts';
import { cohere } from './providers/cohere.ts';
import { deepseek } from './providers/deepseek.ts';
import { google } from './providers/google.ts';
import { googleVertex } from './providers/google-vertex.ts';
import { groq } from './providers/groq.ts';
import { mistral } from './providers/mistral.ts';
import { openai } from './providers/openai.ts';
import { xai } from './providers/xai.ts';

/** In the order in which they are listed. */
export const MODEL_PROVIDERS: readonly ModelProviderDescription[] = [
  openai,
  anthropic,
  google,
  mistral,
  xai,
  groq,
  deepseek,
  cohere,
  amazonBedrock,
  azure,
  googleVertex,
];

const BY_ID = new Map(MODEL_PROVIDERS.map((provider) => [provider.id, provider]));

/** Undefined for a gateway. */
export function describedProvider(id: string): ModelProviderDescription | undefined {
  return BY_ID.get(id);
}

export {
  type ListedFields,
  type ListFormat,
  type LoadOptions,
  type ModelProviderDescription,
  OPENAI_LIST,
  type ProviderSettings,
  withQuery,
} from './describe-provider.ts';
export type { FailureCause } from './failure-cause.ts';
export { COMMON_TOOLS, NO_BOUND, type ToolRules } from './tool-rules.ts';

// The providers' SDKs. Each is loaded when its provider is first asked.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { JsonObject } from '../../../shared/json.ts';
import { describedProvider } from '../../lib/model-providers/index.ts';
import { howToInstall, missingPackages } from '../../lib/optional-packages.ts';
import type { Gateway, ModelProvider } from '../../settings/index.ts';
import type { AzureTokens } from './azure-tokens.ts';
import type { Fetch } from './transport.ts';

export interface LoadOptions {
  fetch: Fetch;
  /** What a definition sets in the body of a gateway's request. */
  bodyFields: JsonObject;
  azureTokens: AzureTokens;
}

export async function loadModel(
  provider: ModelProvider,
  model: string,
  { fetch, bodyFields, azureTokens }: LoadOptions,
): Promise<LanguageModelV4> {
  if (provider.kind === 'gateway') return gatewayModel(provider, model, fetch, bodyFields);
  const described = describedProvider(provider.prefix);
  if (described === undefined) throw new Error(`${provider.prefix} is not a built-in provider.`);
  return described.load(provider, model, { fetch, accessToken: () => azureTokens.of(provider) });
}

async function gatewayModel(
  { prefix, baseUrl, apiKey, headers, structuredOutputs, includeUsage }: Gateway,
  model: string,
  fetch: Fetch,
  bodyFields: JsonObject,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: prefix,
    baseURL: baseUrl,
    headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    supportsStructuredOutputs: structuredOutputs,
    includeUsage,
    transformRequestBody: (body) => ({ ...body, ...bodyFields }),
    fetch,
  })(model);
}

/** How to install what a provider needs, as a sentence; undefined where nothing is missing. */
export function missingPackage({ prefix }: ModelProvider): string | undefined {
  const missing = missingPackages(describedProvider(prefix)?.packages ?? []);
  if (missing.length === 0) return undefined;
  return `The model provider ${prefix} needs packages that are not installed. ${howToInstall(missing)}`;
}

/** A variable that the provider needs beside its key and that is not set; undefined where nothing is missing. */
export function missingVariable(provider: ModelProvider): { variable: string; isCredential: boolean } | undefined {
  return provider.kind === 'gateway' ? undefined : describedProvider(provider.prefix)?.missing?.(provider);
}

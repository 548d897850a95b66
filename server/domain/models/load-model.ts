// The providers' SDKs. Each is loaded when its provider is first asked.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { GoogleAuth } from 'google-auth-library';
import type { JsonObject } from '../../../shared/json.ts';
import type { BuiltInProvider, Gateway, ModelProvider } from '../../settings/index.ts';
import { howToInstall, missingPackages } from '../../lib/optional-packages.ts';
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
  return provider.kind === 'gateway'
    ? gatewayModel(provider, model, fetch, bodyFields)
    : builtInModel(provider, model, fetch, azureTokens);
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

async function builtInModel(
  provider: BuiltInProvider,
  model: string,
  fetch: Fetch,
  azureTokens: AzureTokens,
): Promise<LanguageModelV4> {
  const { prefix, variables } = provider;
  const common = { fetch, ...(provider.baseUrl === undefined ? {} : { baseURL: provider.baseUrl }) };
  const key = (name: string): { apiKey: string } => ({ apiKey: variables[name] ?? '' });
  switch (prefix) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI({ ...common, ...key('OPENAI_API_KEY') })(model);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic({ ...common, ...key('ANTHROPIC_API_KEY') })(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle({
        ...common,
        ...key('GOOGLE_GENERATIVE_AI_API_KEY'),
      })(model);
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral({ ...common, ...key('MISTRAL_API_KEY') })(model);
    case 'xai':
      return (await import('@ai-sdk/xai')).createXai({ ...common, ...key('XAI_API_KEY') })(model);
    case 'groq':
      return (await import('@ai-sdk/groq')).createGroq({ ...common, ...key('GROQ_API_KEY') })(model);
    case 'deepseek':
      return (await import('@ai-sdk/deepseek')).createDeepSeek({ ...common, ...key('DEEPSEEK_API_KEY') })(model);
    case 'cohere':
      return (await import('@ai-sdk/cohere')).createCohere({ ...common, ...key('COHERE_API_KEY') })(model);
    case 'azure':
      return azureModel(provider, model, common, azureTokens);
    case 'amazon-bedrock':
      return bedrockModel(provider, model, common);
    case 'google-vertex':
      return vertexModel(provider, model, common);
  }
}

async function azureModel(
  provider: BuiltInProvider,
  model: string,
  common: { fetch: Fetch },
  tokens: AzureTokens,
): Promise<LanguageModelV4> {
  const { createAzure } = await import('@ai-sdk/azure');
  const { AZURE_API_KEY: apiKey, AZURE_RESOURCE_NAME: resourceName } = provider.variables;
  return createAzure({
    ...common,
    ...given({ resourceName }),
    // The SDK takes one of the two alone.
    ...(apiKey === undefined ? { tokenProvider: () => tokens.of(provider) } : { apiKey }),
  })(model);
}

async function bedrockModel(
  provider: BuiltInProvider,
  model: string,
  common: { fetch: Fetch },
): Promise<LanguageModelV4> {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
  const { variables } = provider;
  const hasOwn = ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID'].some((name) => variables[name] !== undefined);
  return createAmazonBedrock({
    ...common,
    ...given({
      apiKey: variables['AWS_BEARER_TOKEN_BEDROCK'],
      region: variables['AWS_REGION'],
      accessKeyId: variables['AWS_ACCESS_KEY_ID'],
      secretAccessKey: variables['AWS_SECRET_ACCESS_KEY'],
      sessionToken: variables['AWS_SESSION_TOKEN'],
    }),
    ...(hasOwn ? {} : { credentialProvider: await awsCredentials(provider) }),
  })(model);
}

type AwsChain = ReturnType<typeof defaultProvider>;

/** Each keeps a credential until it expires. */
const awsChains = new WeakMap<BuiltInProvider, AwsChain>();

/** Requested before the SDK does, because the SDK reports a failure only as text. */
async function awsCredentials(provider: BuiltInProvider): Promise<AwsChain> {
  const chain = await awsChain(provider);
  const credentials = await chain();
  return async () => credentials;
}

/** AWS's own chain of credentials: profiles, single sign-on, roles of the platform. */
async function awsChain(provider: BuiltInProvider): Promise<AwsChain> {
  const known = awsChains.get(provider);
  if (known !== undefined) return known;
  const aws = await import('@aws-sdk/credential-provider-node');
  const { variables } = provider;
  const chain = aws.defaultProvider(
    given({
      profile: variables['AWS_PROFILE'],
      filepath: variables['AWS_SHARED_CREDENTIALS_FILE'],
      configFilepath: variables['AWS_CONFIG_FILE'],
    }),
  );
  awsChains.set(provider, chain);
  return chain;
}

async function vertexModel(
  provider: BuiltInProvider,
  model: string,
  common: { fetch: Fetch },
): Promise<LanguageModelV4> {
  const { createGoogleVertex } = await import('@ai-sdk/google-vertex');
  const { variables } = provider;
  const hasKey = variables['GOOGLE_VERTEX_API_KEY'] !== undefined;
  return createGoogleVertex({
    ...common,
    ...given({
      apiKey: variables['GOOGLE_VERTEX_API_KEY'],
      project: variables['GOOGLE_VERTEX_PROJECT'],
      location: variables['GOOGLE_VERTEX_LOCATION'],
    }),
    ...(hasKey ? {} : { googleAuthOptions: { authClient: await googleClient(provider) } }),
  })(model);
}

type GoogleClient = Awaited<ReturnType<GoogleAuth['getClient']>>;

/** Each keeps a token until it expires. */
const googleClients = new WeakMap<BuiltInProvider, GoogleClient>();

/** Google's application default credentials. */
async function googleClient(provider: BuiltInProvider): Promise<GoogleClient> {
  const known = googleClients.get(provider);
  if (known !== undefined) return known;
  const { GoogleAuth } = await import('google-auth-library');
  const { variables } = provider;
  const auth = new GoogleAuth({
    scopes: ['https://www.googleapis.com/auth/cloud-platform'],
    ...given({
      projectId: variables['GOOGLE_VERTEX_PROJECT'],
      keyFilename: variables['GOOGLE_APPLICATION_CREDENTIALS'],
    }),
  });
  const client = await auth.getClient();
  googleClients.set(provider, client);
  return client;
}

/** The packages of providers that few installations use: optional peers. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'amazon-bedrock': ['@ai-sdk/amazon-bedrock', '@aws-sdk/credential-provider-node'],
  'google-vertex': ['@ai-sdk/google-vertex', 'google-auth-library'],
};

/** How to install what a provider needs, as a sentence; undefined where nothing is missing. */
export function missingPackage({ prefix }: ModelProvider): string | undefined {
  const missing = missingPackages(PACKAGES[prefix] ?? []);
  if (missing.length === 0) return undefined;
  return `The model provider ${prefix} needs packages that are not installed. ${howToInstall(missing)}`;
}

/** Without what is not set. */
function given<T extends Record<string, string | undefined>>(values: T): { [Name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: string;
  };
}

/** A variable that the provider needs beside its key and that is not set; undefined where nothing is missing. */
export function missingVariable(provider: ModelProvider): { variable: string; isCredential: boolean } | undefined {
  if (provider.kind === 'gateway') return undefined;
  const { prefix, variables, baseUrl } = provider;
  const lacks = (name: string): boolean => variables[name] === undefined;
  if (prefix === 'azure' && baseUrl === undefined && lacks('AZURE_RESOURCE_NAME')) {
    return { variable: 'AZURE_RESOURCE_NAME', isCredential: false };
  }
  if (prefix === 'azure' && lacks('AZURE_API_KEY')) {
    const variable = ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID'].find(lacks);
    if (variable !== undefined) return { variable, isCredential: true };
  }
  if (prefix === 'amazon-bedrock') {
    if (lacks('AWS_REGION')) return { variable: 'AWS_REGION', isCredential: false };
    if (!lacks('AWS_ACCESS_KEY_ID') && lacks('AWS_BEARER_TOKEN_BEDROCK') && lacks('AWS_SECRET_ACCESS_KEY')) {
      return { variable: 'AWS_SECRET_ACCESS_KEY', isCredential: true };
    }
  }
  if (prefix === 'google-vertex' && lacks('GOOGLE_VERTEX_API_KEY') && lacks('GOOGLE_VERTEX_LOCATION')) {
    return { variable: 'GOOGLE_VERTEX_LOCATION', isCredential: false };
  }
  return undefined;
}

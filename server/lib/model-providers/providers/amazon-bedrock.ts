import type { defaultProvider } from '@aws-sdk/credential-provider-node';
import {
  clientOptions,
  type ModelProviderDescription,
  type ProviderSettings,
  withoutUndefined,
} from '../describe-provider.ts';
import { ANTHROPIC_TOOLS } from '../tool-rules.ts';

/** They say that AWS's own chain has a credential: a profile, a role of the platform that the server runs on. */
const CHAIN = [
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];
const FILES = ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'];

export const amazonBedrock: ModelProviderDescription = {
  id: 'amazon-bedrock',
  name: 'Amazon Bedrock',
  variables: {
    configuring: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', ...CHAIN],
    others: ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION', ...FILES],
    plain: ['AWS_REGION', ...CHAIN, ...FILES],
  },
  missing({ variables }) {
    if (variables['AWS_REGION'] === undefined) return { variable: 'AWS_REGION', isCredential: false };
    const isHalf =
      variables['AWS_ACCESS_KEY_ID'] !== undefined &&
      variables['AWS_BEARER_TOKEN_BEDROCK'] === undefined &&
      variables['AWS_SECRET_ACCESS_KEY'] === undefined;
    return isHalf ? { variable: 'AWS_SECRET_ACCESS_KEY', isCredential: true } : undefined;
  },
  packages: ['@ai-sdk/amazon-bedrock', '@aws-sdk/credential-provider-node'],
  async load(settings, model, { fetch }) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    const { variables } = settings;
    const hasOwn = ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID'].some((name) => variables[name] !== undefined);
    return createAmazonBedrock({
      ...clientOptions(settings, fetch),
      ...withoutUndefined({
        apiKey: variables['AWS_BEARER_TOKEN_BEDROCK'],
        region: variables['AWS_REGION'],
        accessKeyId: variables['AWS_ACCESS_KEY_ID'],
        secretAccessKey: variables['AWS_SECRET_ACCESS_KEY'],
        sessionToken: variables['AWS_SESSION_TOKEN'],
      }),
      ...(hasOwn ? {} : { credentialProvider: await credentialsOf(settings) }),
    })(model);
  },
  optionNames: ['bedrock', 'amazonBedrock'],
  // Its models are Anthropic's, and Amazon's own, which take three keywords at the top.
  tools: { ...ANTHROPIC_TOOLS, hasNoReferences: true, topKeywords: ['type', 'properties', 'required'] },
};

type Chain = ReturnType<typeof defaultProvider>;

/** Each keeps a credential until it expires. */
const chains = new WeakMap<ProviderSettings, Chain>();

/** Requested before the SDK does, because the SDK reports a failure only as text. */
async function credentialsOf(settings: ProviderSettings): Promise<Chain> {
  const chain = chains.get(settings) ?? (await createChain(settings));
  chains.set(settings, chain);
  const credentials = await chain();
  return async () => credentials;
}

/** AWS's own chain of credentials: profiles, single sign-on, roles of the platform. */
async function createChain({ variables }: ProviderSettings): Promise<Chain> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  return defaultProvider(
    withoutUndefined({
      profile: variables['AWS_PROFILE'],
      filepath: variables['AWS_SHARED_CREDENTIALS_FILE'],
      configFilepath: variables['AWS_CONFIG_FILE'],
    }),
  );
}

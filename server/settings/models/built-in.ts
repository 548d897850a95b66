// The providers that are built in, and the variables that configure them, named as their own SDKs name them.
import { BASE_URL_FORM, baseUrlOf } from '../variables.ts';
import { type Environment, environmentVariable } from '../environment.ts';
import { SettingsError } from '../settings-error.ts';

interface DescribedProvider {
  kind: 'hosted' | 'cloud';
  /** Any one of these configures the provider. */
  by: readonly string[];
  /** What else it reads. */
  reads: readonly string[];
  /** Those of them that are no secrets. */
  plain: readonly string[];
}

const hosted = (key: string): DescribedProvider => ({ kind: 'hosted', by: [key], reads: [], plain: [] });

/** What says that the cloud's own chain has a credential: a profile, a role of the platform that the server runs on. */
const AWS_CHAIN = [
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
] as const;
const AWS_FILES = ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'] as const;

/** Where Entra gives tokens: another one in sovereign clouds. The client's secret goes there. */
const AZURE_AUTHORITY = 'AZURE_AUTHORITY_HOST';

const PROVIDERS = {
  openai: hosted('OPENAI_API_KEY'),
  anthropic: hosted('ANTHROPIC_API_KEY'),
  google: hosted('GOOGLE_GENERATIVE_AI_API_KEY'),
  mistral: hosted('MISTRAL_API_KEY'),
  xai: hosted('XAI_API_KEY'),
  groq: hosted('GROQ_API_KEY'),
  deepseek: hosted('DEEPSEEK_API_KEY'),
  cohere: hosted('COHERE_API_KEY'),
  'amazon-bedrock': {
    kind: 'cloud',
    by: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', ...AWS_CHAIN],
    reads: ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION', ...AWS_FILES],
    plain: ['AWS_REGION', ...AWS_CHAIN, ...AWS_FILES],
  },
  azure: {
    kind: 'cloud',
    by: ['AZURE_API_KEY', 'AZURE_CLIENT_SECRET'],
    reads: ['AZURE_RESOURCE_NAME', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', AZURE_AUTHORITY],
    plain: ['AZURE_RESOURCE_NAME', 'AZURE_TENANT_ID', 'AZURE_CLIENT_ID', AZURE_AUTHORITY],
  },
  'google-vertex': {
    kind: 'cloud',
    by: ['GOOGLE_VERTEX_API_KEY', 'GOOGLE_VERTEX_PROJECT'],
    reads: ['GOOGLE_VERTEX_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
    plain: ['GOOGLE_VERTEX_PROJECT', 'GOOGLE_VERTEX_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
  },
} as const satisfies Record<string, DescribedProvider>;

type ProviderPrefix = keyof typeof PROVIDERS;

/** A provider that is built in and configured by variables. */
export interface BuiltInProvider {
  kind: 'hosted' | 'cloud';
  prefix: ProviderPrefix;
  /** Where it is asked; undefined: at its own address. */
  baseUrl: string | undefined;
  /** Its variables that are set, by name. */
  variables: Readonly<Record<string, string>>;
}

/** A hosted provider whose key is not in a variable. */
export interface UnsetProvider {
  prefix: ProviderPrefix;
  /** The variable of its key. */
  variable: string;
  baseUrl: string | undefined;
}

const DESCRIBED: Readonly<Record<ProviderPrefix, DescribedProvider>> = PROVIDERS;

/** The prefixes of all built-in providers. */
export const BUILT_IN = Object.keys(PROVIDERS) as ProviderPrefix[];

export function isBuiltIn(prefix: string): prefix is ProviderPrefix {
  return Object.hasOwn(PROVIDERS, prefix);
}

/** Whether it lists its models itself. */
export function isHosted(prefix: string): boolean {
  return isBuiltIn(prefix) && DESCRIBED[prefix].kind === 'hosted';
}

function baseUrlVariable(prefix: ProviderPrefix): string {
  return `${prefix.toUpperCase().replaceAll('-', '_')}_BASE_URL`;
}

/** Every variable that a provider reads. */
export function variablesOf(prefix: ProviderPrefix): string[] {
  const { by, reads } = DESCRIBED[prefix];
  return [...by, ...reads, baseUrlVariable(prefix)];
}

/** The variables of which any one configures the provider. */
export function configuringVariables(prefix: ProviderPrefix): readonly string[] {
  return DESCRIBED[prefix].by;
}

/** The hosted providers that no variable configures. @throws SettingsError for a base URL that is none */
export function readUnset(environment: Environment): UnsetProvider[] {
  return BUILT_IN.flatMap((prefix) => {
    const [variable = ''] = DESCRIBED[prefix].by;
    if (!isHosted(prefix) || environmentVariable(environment, variable) !== undefined) return [];
    return [{ prefix, variable, baseUrl: readBaseUrl(baseUrlVariable(prefix), environment) }];
  });
}

/** @throws SettingsError for a base URL that is none, and for an authority of Entra that is not safe to ask */
export function readBuiltIn(environment: Environment): BuiltInProvider[] {
  refuseUnsafeAuthority(environment);
  return BUILT_IN.filter((prefix) =>
    DESCRIBED[prefix].by.some((name) => environmentVariable(environment, name) !== undefined),
  ).map((prefix) => ({
    kind: DESCRIBED[prefix].kind,
    prefix,
    baseUrl: readBaseUrl(baseUrlVariable(prefix), environment),
    variables: Object.fromEntries(
      [...DESCRIBED[prefix].by, ...DESCRIBED[prefix].reads].flatMap((name) => {
        const value = environmentVariable(environment, name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  }));
}

function refuseUnsafeAuthority(environment: Environment): void {
  const text = environmentVariable(environment, AZURE_AUTHORITY);
  if (text === undefined) return;
  const url = URL.parse(baseUrlOf(text) ?? '');
  const isLoopback = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url?.protocol === 'https:' || isLoopback) return;
  throw new SettingsError(
    `${AZURE_AUTHORITY} is not an https URL; write one such as https://login.microsoftonline.us.`,
  );
}

export function secretsOf({ prefix, variables }: BuiltInProvider): string[] {
  const { plain } = DESCRIBED[prefix];
  return Object.entries(variables).flatMap(([name, value]) => (plain.includes(name) ? [] : [value]));
}

function readBaseUrl(name: string, environment: Environment): string | undefined {
  const text = environmentVariable(environment, name);
  if (text === undefined) return undefined;
  const url = baseUrlOf(text);
  if (url !== undefined) return url;
  throw new SettingsError(`${name} is not a base URL; it must be ${BASE_URL_FORM}.`);
}

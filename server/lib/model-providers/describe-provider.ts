// How a built-in model provider is described: settings, lists of models, calls, failures, reference and studio follow from it.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { FailureCause } from './failure-cause.ts';
import type { ToolRules } from './tool-rules.ts';

export type Variables = Readonly<Record<string, string>>;

/** A provider as it is set up on this server. */
export interface ProviderSettings {
  /** Undefined: the provider's own address. */
  baseUrl: string | undefined;
  /** Its variables that are set, by name. */
  variables: Variables;
}

export interface LoadOptions {
  fetch: typeof globalThis.fetch;
  /** A token of the cloud's identity service, for a provider that is set up without a key. */
  accessToken: () => Promise<string>;
}

/** How the models of a provider are listed. */
export interface ModelList {
  url: (baseUrl: string) => URL;
  headers: (key: string) => Record<string, string>;
  format: ListFormat;
}

export interface ListFormat {
  /** The member of a page that holds its entries. */
  entries: string;
  /** What an entry says of a model, unchecked; undefined for one that is not for chat. */
  model: (entry: JsonObject) => ListedFields | undefined;
  /** The query parameter that asks for the next page, and its value in this page. */
  next?: { name: string; value: (page: JsonObject) => Json | undefined };
}

export interface ListedFields {
  id: Json | undefined;
  name?: Json | undefined;
  /** The most tokens of a request. */
  context?: Json | undefined;
  /** The most tokens of an answer. */
  output?: Json | undefined;
}

export interface ModelProviderDescription {
  /** The part of references before the slash. */
  id: string;
  /** Its name in the studio. */
  name: string;
  variables: {
    /** Any one of these configures the provider. */
    configuring: readonly string[];
    /** What else it reads, beside `ID_BASE_URL`. */
    others?: readonly string[];
    /** Those of them that are not secret. */
    plain?: readonly string[];
  };
  /** Why the server must not start with these variables, as a sentence. */
  refuses?: (variables: Variables) => string | undefined;
  /** A variable that it needs beside the one that configures it, and that is not set. */
  missing?: (settings: ProviderSettings) => { variable: string; isCredential: boolean } | undefined;
  /** Packages that users install: the optional peers of package.json. */
  packages?: readonly string[];
  /** With `list`, the provider is configured by its key alone (`hosted`); without, it is a cloud, which lists nothing. */
  list?: ModelList & { baseUrl: string };
  load: (settings: ProviderSettings, model: string, options: LoadOptions) => Promise<LanguageModelV4>;
  /** What every request has in `providerOptions`. */
  options?: JsonObject;
  /** The names under which its SDK reads `providerOptions`. Default: its id. */
  optionNames?: readonly string[];
  /** Default: what all providers accept. */
  tools?: ToolRules;
  /** Error codes that only this provider uses. */
  errorCodes?: Readonly<Record<string, FailureCause>>;
}

interface HostedProvider extends Omit<ModelProviderDescription, 'variables' | 'list' | 'load'> {
  /** The variable of its key. */
  key: string;
  baseUrl: string;
  /** What differs from the list of OpenAI. */
  list?: Partial<ModelList>;
  create: (options: {
    apiKey: string;
    fetch: typeof globalThis.fetch;
    baseURL?: string;
  }) => Promise<(model: string) => LanguageModelV4>;
}

/** A provider that is configured by its key alone and lists its models. */
export function hostedProvider({
  key,
  baseUrl,
  list,
  create,
  ...description
}: HostedProvider): ModelProviderDescription {
  return {
    ...description,
    variables: { configuring: [key] },
    list: {
      baseUrl,
      url: (base) => new URL(`${base}/models`),
      headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
      format: OPENAI_LIST,
      ...list,
    },
    load: async (settings, model, { fetch }) =>
      (await create({ apiKey: settings.variables[key] ?? '', ...clientOptions(settings, fetch) }))(model),
  };
}

/** What every SDK is created with. */
export function clientOptions(
  { baseUrl }: ProviderSettings,
  fetch: LoadOptions['fetch'],
): { fetch: LoadOptions['fetch']; baseURL?: string } {
  return { fetch, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) };
}

/** Without the values that are undefined. */
export function withoutUndefined<T extends Record<string, string | undefined>>(
  values: T,
): { [Name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: string;
  };
}

/** The list of OpenAI, and of the many that copy it. */
export const OPENAI_LIST: ListFormat = {
  entries: 'data',
  model: (entry) => ({
    id: entry['id'],
    name: entry['name'],
    context: entry['context_window'] ?? entry['context_length'],
    output: entry['max_output_tokens'] ?? entry['max_completion_tokens'] ?? entry['max_tokens'],
  }),
};

export function withQuery(url: URL, parameters: Readonly<Record<string, string>>): URL {
  const next = new URL(url);
  for (const [name, value] of Object.entries(parameters)) next.searchParams.set(name, value);
  return next;
}

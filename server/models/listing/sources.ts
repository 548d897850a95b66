// How the providers that list their models are asked, and where their answers hold what.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { type BuiltInProvider, type Gateway, isModelId, isResourceName } from '../../settings/index.ts';

/** A model that a provider lists. A detail that it does not tell, or not in its type, is absent. */
export interface ListedModel {
  id: string;
  name?: string;
  context_window?: number;
  max_output_tokens?: number;
}

export interface Source {
  first: URL;
  headers: Readonly<Record<string, string>>;
  /** The entries of a page; undefined where it is no list. */
  entries(page: Json): readonly Json[] | undefined;
  model(entry: JsonObject): ListedModel | undefined;
  /** The page behind this one; undefined where it is the last. */
  next(page: Json, url: URL): URL | undefined;
}

const NO_MORE = (): undefined => undefined;

export function gatewaySource({ baseUrl, apiKey, headers, queryParams }: Gateway): Source {
  const first = new URL(`${baseUrl}/models`);
  for (const [name, value] of Object.entries(queryParams)) first.searchParams.set(name, value);
  return {
    first,
    headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    entries: listAt('data'),
    model: (entry) =>
      typeof entry['type'] === 'string' && entry['type'] !== 'language' ? undefined : plainModel(entry),
    next: NO_MORE,
  };
}

const DEFAULT_URLS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
  xai: 'https://api.x.ai/v1',
  groq: 'https://api.groq.com/openai/v1',
  deepseek: 'https://api.deepseek.com',
  cohere: 'https://api.cohere.com/v2',
};

/** Undefined for a cloud provider, which lists nothing. */
export function builtInSource({ prefix, baseUrl, variables }: BuiltInProvider): Source | undefined {
  const base = baseUrl ?? DEFAULT_URLS[prefix];
  if (base === undefined) return undefined;
  const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer ${variables[name] ?? ''}` });
  switch (prefix) {
    case 'openai':
      return plainSource(base, bearer('OPENAI_API_KEY'));
    case 'mistral':
      return { ...plainSource(base, bearer('MISTRAL_API_KEY')), model: mistralModel };
    case 'xai':
      return plainSource(base, bearer('XAI_API_KEY'));
    case 'groq':
      return plainSource(base, bearer('GROQ_API_KEY'));
    case 'deepseek':
      return plainSource(base, bearer('DEEPSEEK_API_KEY'));
    case 'anthropic':
      return anthropicSource(base, variables['ANTHROPIC_API_KEY'] ?? '');
    case 'google':
      return googleSource(base, variables['GOOGLE_GENERATIVE_AI_API_KEY'] ?? '');
    case 'cohere':
      return cohereSource(base, bearer('COHERE_API_KEY'));
    default:
      return undefined;
  }
}

function plainSource(base: string, headers: Record<string, string>): Source {
  return { first: new URL(`${base}/models`), headers, entries: listAt('data'), model: plainModel, next: NO_MORE };
}

function anthropicSource(base: string, key: string): Source {
  return {
    ...plainSource(base, { 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    first: withQuery(new URL(`${base}/models`), 'limit', '1000'),
    model: (entry) => listed(entry['id'], entry['display_name'], entry['max_input_tokens'], entry['max_tokens']),
    next: (page, url) =>
      isJsonObject(page) && page['has_more'] === true ? following(url, 'after_id', page['last_id']) : undefined,
  };
}

function googleSource(base: string, key: string): Source {
  return {
    first: withQuery(new URL(`${base}/models`), 'pageSize', '1000'),
    headers: { 'x-goog-api-key': key },
    entries: listAt('models'),
    model: (entry) => {
      const methods = entry['supportedGenerationMethods'];
      if (Array.isArray(methods) && !methods.includes('generateContent')) return undefined;
      const name = entry['name'];
      const id = typeof name === 'string' ? name.replace(/^models\//, '') : name;
      return listed(id, entry['displayName'], entry['inputTokenLimit'], entry['outputTokenLimit']);
    },
    next: (page, url) => (isJsonObject(page) ? following(url, 'pageToken', page['nextPageToken']) : undefined),
  };
}

function cohereSource(base: string, headers: Record<string, string>): Source {
  // Models are listed by the first version of its interface alone.
  const first = withQuery(new URL(`${base.replace(/\/v2$/, '/v1')}/models`), 'endpoint', 'chat');
  return {
    first: withQuery(first, 'page_size', '1000'),
    headers,
    entries: listAt('models'),
    model: (entry) => listed(entry['name'], undefined, entry['context_length'], undefined),
    next: (page, url) => (isJsonObject(page) ? following(url, 'page_token', page['next_page_token']) : undefined),
  };
}

function mistralModel(entry: JsonObject): ListedModel | undefined {
  const abilities = entry['capabilities'];
  if (isJsonObject(abilities) && abilities['completion_chat'] === false) return undefined;
  return listed(entry['id'], entry['name'], entry['max_context_length'], undefined);
}

function plainModel(entry: JsonObject): ListedModel | undefined {
  return listed(
    entry['id'],
    entry['name'],
    entry['context_window'] ?? entry['context_length'],
    entry['max_output_tokens'] ?? entry['max_completion_tokens'] ?? entry['max_tokens'],
  );
}

const MOST_NAME = 100;

function listed(id: unknown, name: unknown, context: unknown, output: unknown): ListedModel | undefined {
  if (!isModelId(id) || isResourceName(id)) return undefined;
  const isName =
    typeof name === 'string' &&
    name !== '' &&
    name.length <= MOST_NAME &&
    !/[\p{Cc}\u2028\u2029]/u.test(name) &&
    !isResourceName(name);
  return {
    id,
    ...(isName ? { name } : {}),
    ...(isCount(context) ? { context_window: context } : {}),
    ...(isCount(output) ? { max_output_tokens: output } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** The entries of a list that stands in a member, or is the page itself. */
function listAt(member: string): Source['entries'] {
  return (page) => {
    const held = isJsonObject(page) ? page[member] : page;
    return Array.isArray(held) ? held : undefined;
  };
}

function withQuery(url: URL, name: string, value: string): URL {
  const next = new URL(url);
  next.searchParams.set(name, value);
  return next;
}

function following(url: URL, name: string, value: Json | undefined): URL | undefined {
  return typeof value === 'string' && value !== '' ? withQuery(url, name, value) : undefined;
}

// How the providers that list their models are asked.
import type { BuiltInProvider, Gateway } from '../../../settings/index.ts';
import type { ListForm } from './read-page.job.ts';

export interface ListSource {
  first: URL;
  headers: Readonly<Record<string, string>>;
  /** How its answers are written. */
  form: ListForm;
}

export function gatewaySource({ baseUrl, apiKey, headers, queryParams }: Gateway): ListSource {
  const first = new URL(`${baseUrl}/models`);
  for (const [name, value] of Object.entries(queryParams)) first.searchParams.set(name, value);
  return {
    first,
    headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    form: 'gateway',
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
export function builtInSource({ prefix, baseUrl, variables }: BuiltInProvider): ListSource | undefined {
  const base = baseUrl ?? DEFAULT_URLS[prefix];
  if (base === undefined) return undefined;
  const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer ${variables[name] ?? ''}` });
  switch (prefix) {
    case 'openai':
      return plainSource(base, bearer('OPENAI_API_KEY'));
    case 'mistral':
      return { ...plainSource(base, bearer('MISTRAL_API_KEY')), form: 'mistral' };
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

function plainSource(base: string, headers: Record<string, string>): ListSource {
  return { first: new URL(`${base}/models`), headers, form: 'plain' };
}

function anthropicSource(base: string, key: string): ListSource {
  return {
    ...plainSource(base, { 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    first: withQuery(new URL(`${base}/models`), 'limit', '1000'),
    form: 'anthropic',
  };
}

function googleSource(base: string, key: string): ListSource {
  return {
    first: withQuery(new URL(`${base}/models`), 'pageSize', '1000'),
    headers: { 'x-goog-api-key': key },
    form: 'google',
  };
}

function cohereSource(base: string, headers: Record<string, string>): ListSource {
  // Models are listed by the first version of its interface alone.
  const first = withQuery(new URL(`${base.replace(/\/v2$/, '/v1')}/models`), 'endpoint', 'chat');
  return {
    first: withQuery(first, 'page_size', '1000'),
    headers,
    form: 'cohere',
  };
}

export function withQuery(url: URL, name: string, value: string): URL {
  const next = new URL(url);
  next.searchParams.set(name, value);
  return next;
}

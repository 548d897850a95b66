// How the providers that list their models are asked.
import { describedProvider, withQuery } from '../../../lib/model-providers/index.ts';
import { configuringVariables, type ModelProvider } from '../../../settings/index.ts';

export interface ListSource {
  first: URL;
  headers: Readonly<Record<string, string>>;
  /** The built-in provider whose format the list has; undefined: that of gateways. */
  format: string | undefined;
}

/** Undefined for a cloud provider, which lists nothing. */
export function listSource(provider: ModelProvider): ListSource | undefined {
  if (provider.kind === 'gateway') {
    const { baseUrl, apiKey, headers, queryParams } = provider;
    return {
      first: withQuery(new URL(`${baseUrl}/models`), queryParams),
      headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
      format: undefined,
    };
  }
  const { prefix, baseUrl, variables } = provider;
  const list = describedProvider(prefix)?.list;
  if (list === undefined) return undefined;
  const [key = ''] = configuringVariables(prefix);
  return { first: list.url(baseUrl ?? list.baseUrl), headers: list.headers(variables[key] ?? ''), format: prefix };
}

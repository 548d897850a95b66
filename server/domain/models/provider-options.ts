// The options that a definition passes to its provider besides the settings that all providers share.
import type { JsonObject } from '../../../shared/json.ts';
import { describedProvider } from '../../lib/model-providers/index.ts';
import { isBuiltIn, type ModelProvider, type ModelSettings } from '../../settings/index.ts';

export type ProviderOptions = Readonly<Record<string, JsonObject>>;

/** What is wrong with the options, as a sentence; undefined if nothing is. */
export function optionsMisfit(
  settings: ModelSettings,
  provider: ModelProvider,
  given: ProviderOptions,
): string | undefined {
  const known = (name: string): boolean => isBuiltIn(name) || settings.providers.some(({ prefix }) => prefix === name);
  const unknown = Object.keys(given).find((name) => !known(name));
  if (unknown !== undefined) {
    return `No provider reads \`provider_options.${unknown.slice(0, 64)}\`; its keys are names of providers and gateways, here ${provider.prefix}.`;
  }
  if (provider.kind !== 'gateway' || provider.fault !== undefined) return undefined;
  const refused = Object.keys(given[provider.prefix] ?? {}).find((name) => !provider.allowedOptions.includes(name));
  return refused === undefined
    ? undefined
    : `The gateway ${provider.prefix} does not let a definition set \`${refused.slice(0, 64)}\` in \`provider_options\`; take it out.`;
}

/** As the SDK takes them. A gateway's options stand in the body of its request instead. */
export function sdkOptions(provider: ModelProvider, given: ProviderOptions): Record<string, JsonObject> {
  if (provider.kind === 'gateway') return { openaiCompatible: { strictJsonSchema: false } };
  const { prefix } = provider;
  const { options: own, optionNames = [prefix] } = describedProvider(prefix) ?? {};
  const options = { ...own, ...given[prefix] };
  return Object.keys(options).length === 0 ? {} : Object.fromEntries(optionNames.map((name) => [name, options]));
}

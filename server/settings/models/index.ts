// The settings of models. Providers that are built in are configured by their variables, the rest by the
// configuration file or variables of the same meaning.
import type { ConfigPart, ConfigSource } from '../config-part.ts';
import { readAliases } from './aliases.ts';
import { readAllowed } from './allowed.ts';
import { readBuiltIn, readUnset, secretsOf } from './built-in.ts';
import { readDeclared } from './declared.ts';
import { readGateways } from './gateways.ts';
import { MODEL_KEYS } from './keys.ts';
import { readLocalServers } from './local-servers.ts';
import { readPrices } from './prices.ts';
import { byPrefix, type ModelProvider, type ModelSettings } from './model-settings.ts';

/** A gateway that does not fit is refused, or is one that cannot be used. */
export const MODELS: ConfigPart<ModelSettings> = { keys: MODEL_KEYS, read: readModelSettings };

function readModelSettings({ file, environment, keptKeys }: ConfigSource, keepsUnusable: boolean): ModelSettings {
  const gateways = readGateways(file, environment, keepsUnusable);
  const builtIn = readBuiltIn(environment);
  const providers = [...builtIn, ...gateways].toSorted(byPrefix);
  const aliases = readAliases(file, environment);
  return {
    providers,
    unset: readUnset(environment),
    aliases,
    allowed: readAllowed(file, environment, { providers, aliases, keptKeys }),
    declared: readDeclared(file, environment, gateways),
    prices: readPrices(file, environment),
    localServers: readLocalServers(file, environment),
    secrets: providers.flatMap(secretsOfProvider),
  };
}

/** What a provider is sent to show who calls it: nothing that it answers may hold them. */
export function secretsOfProvider(provider: ModelProvider): string[] {
  if (provider.kind !== 'gateway') return secretsOf(provider);
  const { apiKey, headers, queryParams } = provider;
  return [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers), ...Object.values(queryParams)];
}

export { BUILT_IN, type BuiltInProvider, configuringVariables, isBuiltIn, isHosted, variablesOf } from './built-in.ts';
export { keyPlace, withGivenKeys } from './given-keys.ts';
export { MODEL_KEYS } from './keys.ts';
export { InvalidModelSetting } from './written.ts';
export type { Gateway, ModelAlias, ModelProvider, ModelSettings } from './model-settings.ts';
export {
  coversPattern,
  isMeant,
  isModelId,
  isPattern,
  isResourceName,
  PREFIX_FORM,
  type ModelReference,
  splitReference,
} from './reference.ts';

// The settings of models. Providers that are built in are configured by their variables, the rest by the
// configuration file or variables of the same meaning.
import type { WrittenConfig } from '../entries.ts';
import type { Environment } from '../given.ts';
import { readAliases } from './aliases.ts';
import { readAllowed } from './allowed.ts';
import { readBuiltIn, secretsOf } from './built-in.ts';
import { readDeclared } from './declared.ts';
import { readGateways } from './gateways.ts';
import type { ModelProvider, ModelSettings } from './model-settings.ts';

/** @throws SettingsError for the first rule that is broken */
export function readModelSettings(file: WrittenConfig, environment: Environment): ModelSettings {
  const gateways = readGateways(file, environment);
  const builtIn = readBuiltIn(environment);
  const providers = [...builtIn, ...gateways].toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1));
  const aliases = readAliases(file, environment);
  return {
    providers,
    aliases,
    allowed: readAllowed(file, environment, { providers, aliases }),
    declared: readDeclared(file, environment, gateways),
    secrets: providers.flatMap(secretsOfProvider),
  };
}

function secretsOfProvider(provider: ModelProvider): string[] {
  if (provider.kind !== 'gateway') return secretsOf(provider);
  const { apiKey, headers, queryParams } = provider;
  return [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers), ...Object.values(queryParams)];
}

export { BUILT_IN, type BuiltInProvider, isBuiltIn, variablesOf } from './built-in.ts';
export type { Gateway, ModelAlias, ModelProvider, ModelSettings } from './model-settings.ts';
export {
  coversPattern,
  isMeant,
  isModelId,
  isPattern,
  isResourceName,
  PREFIX_FORM,
  type Reference,
  splitReference,
} from './reference.ts';

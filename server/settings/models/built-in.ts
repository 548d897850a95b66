// The built-in providers as the environment sets them up.
import { describedProvider, MODEL_PROVIDERS, type ProviderSettings } from '../../lib/model-providers/index.ts';
import { BASE_URL_FORM, baseUrlOf } from '../variables.ts';
import { type Environment, environmentVariable } from '../environment.ts';
import { SettingsError } from '../settings-error.ts';

/** A provider that is built in and configured by variables. */
export interface BuiltInProvider extends ProviderSettings {
  kind: 'hosted' | 'cloud';
  prefix: string;
}

/** A hosted provider whose key is not in a variable. */
export interface UnsetProvider {
  prefix: string;
  /** The variable of its key. */
  variable: string;
  baseUrl: string | undefined;
}

/** The prefixes of all built-in providers. */
export const BUILT_IN: readonly string[] = MODEL_PROVIDERS.map(({ id }) => id);

export function isBuiltIn(prefix: string): boolean {
  return BUILT_IN.includes(prefix);
}

/** Whether it lists its models itself. */
export function isHosted(prefix: string): boolean {
  return describedProvider(prefix)?.list !== undefined;
}

function baseUrlVariable(prefix: string): string {
  return `${prefix.toUpperCase().replaceAll('-', '_')}_BASE_URL`;
}

/** Every variable that a provider reads. */
export function variablesOf(prefix: string): string[] {
  return [...ownVariables(prefix), baseUrlVariable(prefix)];
}

function ownVariables(prefix: string): string[] {
  return [...configuringVariables(prefix), ...(describedProvider(prefix)?.variables.others ?? [])];
}

/** The variables of which any one configures the provider. */
export function configuringVariables(prefix: string): readonly string[] {
  return describedProvider(prefix)?.variables.configuring ?? [];
}

/** The hosted providers that no variable configures. @throws SettingsError for a base URL that is none */
export function readUnset(environment: Environment): UnsetProvider[] {
  return BUILT_IN.flatMap((prefix) => {
    const [variable = ''] = configuringVariables(prefix);
    if (!isHosted(prefix) || environmentVariable(environment, variable) !== undefined) return [];
    return [{ prefix, variable, baseUrl: readBaseUrl(baseUrlVariable(prefix), environment) }];
  });
}

/** @throws SettingsError for a base URL that is none, and for variables that the provider refuses */
export function readBuiltIn(environment: Environment): BuiltInProvider[] {
  const read = MODEL_PROVIDERS.map(({ id: prefix, refuses }) => {
    const set = ownVariables(prefix).map((name) => [name, environmentVariable(environment, name)] as const);
    const variables = Object.fromEntries(
      set.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    );
    const refusal = refuses?.(variables);
    if (refusal !== undefined) throw new SettingsError(refusal);
    return { prefix, variables };
  });
  return read
    .filter(({ prefix, variables }) => configuringVariables(prefix).some((name) => Object.hasOwn(variables, name)))
    .map(({ prefix, variables }) => ({
      kind: isHosted(prefix) ? 'hosted' : 'cloud',
      prefix,
      baseUrl: readBaseUrl(baseUrlVariable(prefix), environment),
      variables,
    }));
}

export function secretsOf({ prefix, variables }: BuiltInProvider): string[] {
  const plain = describedProvider(prefix)?.variables.plain ?? [];
  return Object.entries(variables).flatMap(([name, value]) => (plain.includes(name) ? [] : [value]));
}

function readBaseUrl(name: string, environment: Environment): string | undefined {
  const text = environmentVariable(environment, name);
  if (text === undefined) return undefined;
  const url = baseUrlOf(text);
  if (url !== undefined) return url;
  throw new SettingsError(`${name} is not a base URL; it must be ${BASE_URL_FORM}.`);
}

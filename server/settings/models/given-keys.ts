// Keys that a person gives in the studio. They are kept by the secret store, and join what the environment and the
// configuration file say; a variable of the environment wins.
import type { BuiltInProvider } from './built-in.ts';
import { byPrefix, type ModelSettings } from './model-settings.ts';

/** Models are set up for the whole server: their keys belong to no org. */
const ORG = '';

/** Where the secret store keeps the key of a provider. */
export function keyPlace(prefix: string): { org: string; owner: string } {
  return { org: ORG, owner: `model-provider/${prefix}` };
}

/** @param keys by the prefix of their provider */
export function withGivenKeys(settings: ModelSettings, keys: ReadonlyMap<string, string>): ModelSettings {
  const given = settings.unset.flatMap(({ prefix, variable, baseUrl }): BuiltInProvider[] => {
    const key = keys.get(prefix);
    return key === undefined ? [] : [{ kind: 'hosted', prefix, baseUrl, variables: { [variable]: key } }];
  });
  return {
    ...settings,
    providers: [...settings.providers, ...given].toSorted(byPrefix),
    unset: settings.unset.filter(({ prefix }) => !keys.has(prefix)),
    // One that is not used is a secret all the same.
    secrets: [...settings.secrets, ...keys.values()],
  };
}

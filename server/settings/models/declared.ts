import type { WrittenConfig } from '../entries.ts';
import type { Environment } from '../environment.ts';
import { BUILT_IN, isHosted } from './built-in.ts';
import type { Gateway } from './model-settings.ts';
import { isModelId, isResourceName } from './reference.ts';
import { kindWords, objectOf, shown, writtenSetting, wrong } from './written.ts';

const FORM = 'an object of model ids by the prefix of their provider, such as { "azure": ["gpt-5-mini"] }';

/** @throws SettingsError */
export function readDeclared(
  file: WrittenConfig,
  environment: Environment,
  gateways: readonly Gateway[],
): Record<string, readonly string[]> {
  const written = writtenSetting('declared_models', file, environment);
  if (written === undefined || (written.value === null && !written.isVariable)) return {};
  const cloud = BUILT_IN.filter((prefix) => !isHosted(prefix));
  const known = [...cloud, ...gateways.map(({ prefix }) => prefix)];
  const declared = Object.entries(objectOf(written, FORM)).map(([prefix, list]) => {
    const at = `[${shown(prefix)}]`;
    if (isHosted(prefix)) {
      throw wrong(written.at(at), 'is a provider that lists its own models', `one of ${known.join(', ')}`);
    }
    if (!known.includes(prefix)) {
      throw wrong(written.at(at), 'is neither a cloud provider nor a gateway', `one of ${known.join(', ')}`);
    }
    if (!Array.isArray(list)) throw wrong(written.at(at), kindWords(list), 'a list of model ids');
    const ids = list.map((id, index) => {
      const place = written.at(`${at}[${index}]`);
      if (typeof id !== 'string') throw wrong(place, kindWords(id), 'the id of a model');
      if (isResourceName(id)) {
        throw wrong(place, 'is the name of a cloud resource', 'the id of a model; give the resource an alias instead');
      }
      if (!isModelId(id)) {
        throw wrong(place, `is ${shown(id)}`, '1 to 256 characters without spaces, control characters and *');
      }
      if (list.indexOf(id) !== index) throw wrong(place, `repeats ${shown(id)}`, 'unique');
      return id;
    });
    return [prefix, ids] as const;
  });
  return Object.fromEntries(declared);
}

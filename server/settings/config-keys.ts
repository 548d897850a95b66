import { nearestName } from '../../shared/nearest-name.ts';
import { SettingsError } from './settings-error.ts';

/** Settings of the file that this version serves. */
export const SERVED_KEYS = [
  'workflow_http',
  'workflow_secrets',
  'tool_servers',
  'mcp_answers',
  'model_gateways',
  'model_aliases',
  'allowed_models',
  'declared_models',
] as const;

/** Settings of the file that a later version serves, and what they belong to. Each leaves the table once it is served. */
const NOT_SERVED_YET: Readonly<Record<string, string>> = {
  connections: 'connections',
};

export const KNOWN_KEYS = [...SERVED_KEYS, ...Object.keys(NOT_SERVED_YET)];

/** @throws SettingsError for a key of the file that is no setting, or none of this version */
export function checkKeys(keys: readonly string[], file: string): void {
  refuseUnknown(keys, KNOWN_KEYS, file);
  for (const key of keys) {
    const of = Object.hasOwn(NOT_SERVED_YET, key) ? NOT_SERVED_YET[key] : undefined;
    if (of === undefined) continue;
    throw new SettingsError(
      `${file} holds ${key}, and this version does not serve ${of} yet; take ${key} out to start.`,
    );
  }
}

/** @throws SettingsError for the first key that is not known, with the one that was most likely meant */
export function refuseUnknown(keys: readonly string[], known: readonly string[], holder: string): void {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = nearestName(unknown, known);
  const hint = near === undefined ? `it takes ${known.join(', ')}.` : `did you mean ${near}?`;
  throw new SettingsError(`${holder} has an unknown key ${shown(unknown)}; ${hint}`);
}

const MOST_SHOWN = 60;

function shown(key: string): string {
  return JSON.stringify(key.length > MOST_SHOWN ? `${key.slice(0, MOST_SHOWN)}…` : key);
}

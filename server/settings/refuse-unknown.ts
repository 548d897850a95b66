import { nearestName } from '../../shared/nearest-name.ts';
import { SettingsError } from './settings-error.ts';

/** @throws SettingsError for the first key that is not known, with the one that was most likely meant */
export function refuseUnknown(keys: readonly string[], known: readonly string[], holder: string): void {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const near = nearestName(unknown, known);
  const hint = near === undefined ? `the keys are ${known.join(', ')}.` : `did you mean ${near}?`;
  throw new SettingsError(`${holder} has an unknown key ${shown(unknown)}; ${hint}`);
}

const MOST_SHOWN = 60;

function shown(key: string): string {
  return JSON.stringify(key.length > MOST_SHOWN ? `${key.slice(0, MOST_SHOWN)}…` : key);
}

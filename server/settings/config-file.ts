import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';
import { lazily } from '../lib/lazily.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import type { ConfigSource } from './config-part.ts';
import { CONFIG_KEYS, CONFIG_PARTS, PART_NAMES, type PartReaders } from './config-parts.ts';
import type { WrittenConfig } from './entries.ts';
import { type Environment, environmentVariable, expand } from './environment.ts';
import { parseConfig } from './parse-config.ts';
import { readText } from './read-text.ts';
import { SettingsError } from './settings-error.ts';

/** Where the configuration file is looked for. */
export interface ConfigPlace {
  path: string;
  /** Whether it was named explicitly: then it must exist. */
  isNamed: boolean;
}

/** The configuration file. Each part is read when it is first used, and throws SettingsError where it does not fit. */
export interface ReadConfig {
  wasRead: () => boolean;
  /** How many entries each key has. */
  entries: () => Readonly<Record<string, number>>;
  /** The keys that are set in variables, which override the file. */
  inVariables: () => readonly string[];
  parts: PartReaders;
  /** As `parts`, but entries that do not fit are left out, or refused when they are used. */
  usable: PartReaders;
}

/** What the parts of the file depend on, each obtained when a part needs it. */
interface FileSources extends Pick<ConfigSource, 'mode' | 'keptKeys'> {
  environment: () => Environment;
  /** Undefined if the file is absent and was not named. */
  text: () => string | undefined;
}

/** @param place called when a part is read */
export function readConfigFile(place: () => ConfigPlace, sources: FileSources): ReadConfig {
  const { environment, text } = sources;
  const file = lazily((): WrittenConfig => {
    const { path } = place();
    const value = parsedConfig(place(), text() ?? '');
    refuseUnknown(Object.keys(value), Object.keys(CONFIG_KEYS), path);
    return { name: path, value, expand: (written, setting) => expand(written, environment(), setting) };
  });
  const readers = (leavesOut: boolean): PartReaders =>
    Object.fromEntries(
      PART_NAMES.map((name) => [
        name,
        lazily(() => CONFIG_PARTS[name].read({ ...sources, file: file(), environment: environment() }, leavesOut)),
      ]),
    ) as PartReaders;
  const keys = Object.entries(CONFIG_KEYS);
  return {
    wasRead: () => text() !== undefined,
    entries: lazily(() => Object.fromEntries(keys.map(([key]) => [key, entriesOf(file().value[key])]))),
    inVariables: lazily(() =>
      keys.flatMap(([key, { variable }]) =>
        variable === undefined || environmentVariable(environment(), variable) === undefined ? [] : [key],
      ),
    ),
    parts: readers(false),
    usable: readers(true),
  };
}

/** Reads every part. @throws SettingsError */
export function checkConfig({ entries, parts }: ReadConfig): void {
  entries();
  for (const name of PART_NAMES) parts[name]();
}

/** The text as plain data. @throws SettingsError where it is none */
export function parsedConfig({ path }: ConfigPlace, text: string): JsonObject {
  const parsed = parseConfig(text);
  if (!parsed.ok) throw new SettingsError(`The configuration file ${path} ${parsed.says}.`);
  return parsed.value;
}

/** How many entries a list or an object has; a single value is one. */
function entriesOf(value: Json | undefined): number {
  if (value === undefined || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 1;
}

/** Undefined where it is absent and may be. @throws SettingsError */
export function readConfigText({ path, isNamed }: ConfigPlace): string | undefined {
  const text = readText(`The configuration file ${path}`, path, false);
  if (text !== undefined || !isNamed) return text;
  throw new SettingsError(`CONFIG_FILE names ${path}, which does not exist; create it, or unset CONFIG_FILE.`);
}

/** Whether the file configures API keys, even ones that do not fit. */
export function namesApiKeys(place: ConfigPlace): boolean {
  const parsed = parseConfig(readConfigText(place) ?? '');
  return parsed.ok && entriesOf(Object.hasOwn(parsed.value, 'api_keys') ? parsed.value['api_keys'] : undefined) > 0;
}

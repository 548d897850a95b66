// How a part of the configuration file is described: one or more keys, and how they are read together.
import type { JsonObject } from '../../shared/json.ts';
import type { WrittenConfig } from './entries.ts';
import type { Environment } from './environment.ts';
import type { Mode } from './playbook-filter.ts';

export interface DescribedKey {
  meaning: string;
  default: string;
  /** YAML that fits; what it names in `${NAME}` or as a variable is to be set. */
  example: string;
  /** JSON Schema of the value, for editors; the reader checks more. */
  schema: JsonObject;
  /** The variable that contains the value as JSON and takes precedence. */
  variable?: string;
}

/** What the reader of a part gets. */
export interface ConfigSource {
  file: WrittenConfig;
  environment: Environment;
  mode: () => Mode;
  /** Providers of models whose key the secret store keeps. */
  keptKeys: () => readonly string[];
}

export interface ConfigPart<T> {
  keys: Readonly<Record<string, DescribedKey>>;
  /**
   * @param leavesOut whether an entry that does not fit is left out, or refused when it is used
   * @throws SettingsError
   */
  read(source: ConfigSource, leavesOut: boolean): T;
}

export const STRING: JsonObject = { type: 'string' };
export const STRINGS: JsonObject = { type: 'array', items: STRING };
export const BOOLEAN: JsonObject = { type: 'boolean' };

/** The fields of an entry that serves some playbooks only. */
export const PLAYBOOK_FILTER_SCHEMA: JsonObject = { orgs: STRINGS, playbooks: STRINGS };

export function mapOf(values: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: values };
}

/** An object of these members and no others. */
export function objectSchema(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

export function listOfObjects(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'array', items: objectSchema(properties, required) };
}

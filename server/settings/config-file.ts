import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';
import { type ApiKey, readApiKeys } from './api-keys.ts';
import { CONFIG_FILE_KEYS, refuseUnknown } from './config-keys.ts';
import { type ConnectionRules, readConnectionRules } from './connection-rules.ts';
import { type Environment, expand } from './environment.ts';
import { keysInVariables, type ModelSettings, readModelSettings } from './models/index.ts';
import type { Mode } from './playbook-filter.ts';
import { lazily } from '../lib/lazily.ts';
import { parseConfig } from './parse-config.ts';
import { readText } from './read-text.ts';
import { SettingsError } from './settings-error.ts';
import { readToolServers, type ToolServer, unusableServer } from './tool-servers.ts';
import { readWorkflowGrants, type WorkflowGrants } from './workflow-grants.ts';
import { requireBoolean, type WrittenConfig } from './entries.ts';

/** Where the configuration file is looked for. */
export interface ConfigPlace {
  path: string;
  /** Whether it was named explicitly: then it must exist. */
  isNamed: boolean;
}

/**
 * The parts of the configuration file. Each is read when it is first used, and throws SettingsError where it does not
 * fit, whatever the others hold.
 */
export interface ConfigParts {
  wasRead: () => boolean;
  /** How many entries each key has. */
  entries: () => Readonly<Record<string, number>>;
  inVariables: () => readonly string[];
  grants: () => WorkflowGrants;
  toolServers: () => readonly ToolServer[];
  /** As `toolServers`, but an entry that does not fit is a server that cannot be used. */
  usableToolServers: () => readonly ToolServer[];
  /** As `grants`, without the entries that do not fit. */
  usableGrants: () => WorkflowGrants;
  mcpAnswers: () => boolean;
  models: () => ModelSettings;
  /** As `models`, but a gateway that does not fit is one that cannot be used. */
  usableModels: () => ModelSettings;
  connections: () => ConnectionRules;
  apiKeys: () => readonly ApiKey[];
}

/** What the parts of the file depend on, each obtained when a part needs it. */
export interface ConfigSources {
  environment: () => Environment;
  mode: () => Mode;
  /** Providers of models whose key the secret store keeps. */
  keptKeys: () => readonly string[];
  /** Undefined if the file is absent and was not named. */
  text: () => string | undefined;
}

/** @param place called when a part is read */
export function readConfigFile(place: () => ConfigPlace, sources: ConfigSources): ConfigParts {
  const { environment, mode, keptKeys, text } = sources;
  const file = lazily((): WrittenConfig => {
    const { path } = place();
    const value = parsedConfig(place(), text() ?? '');
    refuseUnknown(Object.keys(value), CONFIG_FILE_KEYS, path);
    return { name: path, value, expand: (written, setting) => expand(written, environment(), setting) };
  });
  return {
    wasRead: () => text() !== undefined,
    entries: lazily(() => Object.fromEntries(CONFIG_FILE_KEYS.map((key) => [key, entriesOf(file().value[key])]))),
    inVariables: lazily(() => keysInVariables(environment())),
    grants: lazily(() => readWorkflowGrants(file(), environment())),
    toolServers: lazily(() => readToolServers(file(), environment())),
    usableToolServers: lazily(() => readToolServers(file(), environment(), unusableServer)),
    usableGrants: lazily(() => readWorkflowGrants(file(), environment(), true)),
    mcpAnswers: lazily(() => readMcpAnswers(file())),
    models: lazily(() => readModelSettings(file(), environment(), keptKeys)),
    usableModels: lazily(() => readModelSettings(file(), environment(), keptKeys, true)),
    connections: lazily(() => readConnectionRules(file(), environment(), mode())),
    apiKeys: lazily(() => readApiKeys(file(), environment())),
  };
}

/** Reads every part. @throws SettingsError */
export function checkConfig(parts: ConfigParts): void {
  for (const read of Object.values(parts)) read();
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

/** Whether agents may answer the requests of interactions over MCP; they may where nothing is said. @throws SettingsError */
function readMcpAnswers(file: WrittenConfig): boolean {
  const value = Object.hasOwn(file.value, 'mcp_answers') ? file.value['mcp_answers'] : undefined;
  return requireBoolean(value ?? true, 'mcp_answers', file);
}

/** Whether the file configures API keys, even ones that do not fit. */
export function namesApiKeys(place: ConfigPlace): boolean {
  const parsed = parseConfig(readConfigText(place) ?? '');
  return parsed.ok && entriesOf(Object.hasOwn(parsed.value, 'api_keys') ? parsed.value['api_keys'] : undefined) > 0;
}

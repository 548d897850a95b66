export { type ApiKey, readKeyEntry } from './api-keys.ts';
export { CONFIG_KEYS, configSchema } from './config-parts.ts';
export type { ConnectionRules } from './connection-rules.ts';
export type { DatabaseSettings, SqliteSettings } from './database.ts';
export { shownVariables, VARIABLES } from './described.ts';
export { InvalidSetting } from './settings-error.ts';
export type { EnvFile } from './env-file.ts';
export type { ConfigFile, KeptProviders, LiveParts, SettingsFiles } from './files.ts';
export { environmentVariable, VARIABLE_NAME } from './environment.ts';
export { type Mode, servesPlaybook } from './playbook-filter.ts';
export { type HostEntry, isHostMeant } from './host-entry.ts';
export {
  BUILT_IN,
  type BuiltInProvider,
  configuringVariables,
  coversPattern,
  type Gateway,
  InvalidModelSetting,
  isBuiltIn,
  isHosted,
  isMeant,
  isModelId,
  isPattern,
  isResourceName,
  secretsOfProvider,
  keyPlace,
  MODEL_KEYS,
  type ModelProvider,
  type ModelSettings,
  PREFIX_FORM,
  splitReference,
  variablesOf,
  withGivenKeys,
} from './models/index.ts';
export { checkSettings, openSettings, type Overrides, readDataDir, readSettings, type Settings } from './settings.ts';
export { defaultSettings, optionName, SERVER_SETTINGS, type ServerSettings, SETTING_NAMES } from './server-settings.ts';
export { SettingsError } from './settings-error.ts';
export {
  HEADER_NAME,
  isSetByConnection,
  NAME_FORM,
  readEntry,
  SERVER_NAME,
  type ToolServer,
} from './tool-servers.ts';
export { watchSettings } from './watch.ts';
export { readLogLevel, readPort } from './variables.ts';

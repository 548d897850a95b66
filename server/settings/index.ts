export type { EnvFile } from './env-file.ts';
export type { ConfigFile, SettingsFiles } from './files.ts';
export { serves as servesPlace } from './given-to.ts';
export { type Overrides, readSettings, type Settings } from './settings.ts';
export { SettingsError } from './settings-error.ts';
export type { ToolServer } from './tool-servers.ts';
export { watchSettings } from './watch.ts';

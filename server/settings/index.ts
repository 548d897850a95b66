export { type Overrides, readSettings, type Settings, SettingsError } from './settings.ts';

// Settings come from the command line, then the environment, then the files, then defaults. A server checks all of them
// before it starts; a command reads those that it uses.
import os from 'node:os';
import path from 'node:path';
import type { DataKey } from '../kernel/secrets/index.ts';
import { lazily } from '../lib/lazily.ts';
import { type Environment, environmentVariable } from './environment.ts';
import { type KeptProviders, LIVE_PARTS, type LiveFiles, type LiveParts, openFiles } from './files.ts';
import type { Mode } from './playbook-filter.ts';
import { type ServerSettings, type SettingOptions, settingReaders, type SettingSource } from './server-settings.ts';
import { readSecretsKeys } from './variables.ts';

export interface Settings extends ServerSettings, LiveParts {
  mode: Mode;
  dataDir: string;
  /** The data keys of SECRETS_KEY; if empty, they are in the data directory. */
  secretsKeys: () => readonly DataKey[];
  /** The env file and the configuration file; the parts of the latter are also members of the settings. */
  files: LiveFiles;
}

/** What the command line says, where it says it. */
export interface Overrides extends SettingOptions {
  dataDir?: string | undefined;
}

/** The data directory, which no file of settings says: what lives there is found also where one of them does not fit. */
export function readDataDir(own: Environment, { dataDir }: Pick<Overrides, 'dataDir'> = {}): string {
  return path.resolve(dataDir ?? environmentVariable(own, 'DATA_DIR') ?? defaultDataDir(own));
}

/**
 * The settings, of which each is read when it is first used: a command is stopped by what it uses, and by nothing else. A
 * setting that does not fit throws SettingsError whenever it is used.
 * @param keptProviders absent: no key is kept; models that are allowed must then be of a provider that is configured
 */
export function openSettings(
  own: Environment,
  overrides: Overrides = {},
  keptProviders: KeptProviders = () => [],
): Settings {
  const dataDir = readDataDir(own, overrides);
  const { environment, mode, files } = openFiles(own, dataDir, keptProviders);
  const source = (): SettingSource => ({
    environment: environment(),
    dataDir,
    mode,
    apiKeys: files.apiKeys,
    issuer: readers.identityIssuer,
  });
  const readers = settingReaders(source, overrides);
  const secretsKeys = lazily(() =>
    readSecretsKeys(environmentVariable(environment(), 'SECRETS_KEY'), readers.database().kind),
  );
  return withMembers<Settings>({
    dataDir: () => dataDir,
    mode,
    ...readers,
    secretsKeys: () => secretsKeys,
    files: () => files,
    ...membersOf(files, LIVE_PARTS),
  });
}

/** The settings of a server, all of them checked. @throws SettingsError for the first setting that does not fit */
export function readSettings(own: Environment, overrides?: Overrides, keptProviders?: KeptProviders): Settings {
  const settings = openSettings(own, overrides, keptProviders);
  checkSettings(settings);
  return settings;
}

/** Reads every setting. @throws SettingsError for the first one that does not fit */
export function checkSettings(settings: Settings): void {
  void settings.database;
  settings.files.readAgain();
  settings.secretsKeys();
  for (const name of Object.keys(settings)) void settings[name as keyof Settings];
}

/** Readers of some members of an object. */
function membersOf<T, Name extends keyof T & string>(of: T, names: readonly Name[]): { [Each in Name]: () => T[Each] } {
  return Object.fromEntries(names.map((name) => [name, () => of[name]])) as { [Each in Name]: () => T[Each] };
}

/** An object whose members are read when they are used. */
function withMembers<T extends object>(readers: { [Name in keyof T]: () => T[Name] }): T {
  const members = Object.entries<() => unknown>(readers).map(
    ([name, read]) => [name, { get: read, enumerable: true }] as const,
  );
  return Object.defineProperties({}, Object.fromEntries(members)) as T;
}

/** The platform's folder for data of programs, and `cuebook` in it. */
export function defaultDataDir(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = os.homedir();
  switch (platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'cuebook');
    case 'win32':
      return path.join(
        environmentVariable(environment, 'LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local'),
        'cuebook',
      );
    default:
      return path.join(
        environmentVariable(environment, 'XDG_DATA_HOME') ?? path.join(home, '.local', 'share'),
        'cuebook',
      );
  }
}

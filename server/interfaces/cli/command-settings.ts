import { unavailable } from '../../lib/rejection.ts';
import {
  checkSettings,
  defaultSettings,
  type LiveParts,
  type ServerSettings,
  type Settings,
  SettingsError,
} from '../../settings/index.ts';

/**
 * The settings of a runtime that serves one command. Anyone who can read the database file needs no key for it. An
 * invalid part makes only the operations that use it fail.
 */
export function settingsOfCommand(settings: Settings): Settings {
  const { dataDir, files } = settings;
  const defaults = defaultSettings(dataDir);
  const orDefault = <Name extends keyof ServerSettings>(name: Name): [Name, ServerSettings[Name]] => [
    name,
    validOr(defaults[name], () => settings[name]),
  ];
  return {
    ...(Object.fromEntries((Object.keys(defaults) as (keyof ServerSettings)[]).map(orDefault)) as ServerSettings),
    ...(Object.fromEntries(
      Object.entries(files.usable as unknown as Record<string, () => unknown>).map(([name, read]) => [
        name,
        refusing(read),
      ]),
    ) as unknown as LiveParts),
    dataDir,
    files,
    database: settings.database,
    secretsKeys: refusing(settings.secretsKeys),
    mode: 'local',
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    identityIssuer: undefined,
    studioSignIn: { clientId: undefined, sessionModule: undefined },
    allowedOrigins: [],
    rateLimit: 0,
    trustedProxies: [],
    logLevel: 'warn',
    apiKeys: () => [],
  };
}

function validOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SettingsError) return otherwise;
    throw error;
  }
}

/** Turns the error of an invalid setting into a refusal of the operation that reads it. */
function refusing<Args extends unknown[], T>(read: (...args: Args) => T): (...args: Args) => T {
  return (...args) => {
    try {
      return read(...args);
    } catch (error) {
      throw error instanceof SettingsError ? unavailable(error.message) : error;
    }
  };
}

/** Whether every setting is valid: a task may use any of them, and fails if one is invalid. */
export function isComplete(settings: Settings): boolean {
  try {
    checkSettings(settings);
    return true;
  } catch (error) {
    if (error instanceof SettingsError) return false;
    throw error;
  }
}
